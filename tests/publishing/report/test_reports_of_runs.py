"""A report of runs says what screens and papers say, with the same numbers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from biaslab.publishing.paper import Analysis, PaperError, make_paper
from biaslab.publishing.report import AnswerMark, Report, page, report_of_runs
from biaslab.publishing.report.page import data_of
from biaslab.runs import PairPattern, RunOptions, prepare, run_here
from biaslab.stats import effects
from biaslab.studies import Design, experiment
from biaslab.studies.effects import effect_sentence, verdict_sentence
from schoolmath.text.figures import exact_percent


@pytest.fixture(scope="module")
def report(asked) -> Report:
    store, runs = asked
    return report_of_runs(store, runs)


def texts(report: Report) -> str:
    return page(replace(report, items=None)).decode()


def test_findings_are_the_sentences_of_the_screens(asked, report):
    store, runs = asked
    for run, found in zip(runs, report.findings, strict=True):
        (effect,) = effects(store.outcomes([run]))
        study = experiment(effect.study).of_design(store.run(run).design)
        assert effect_sentence(effect, study.arms, "the model") in found.sentences
        assert verdict_sentence(effect, study.arms, study) in found.sentences


def test_every_finding_has_its_n_and_its_interval(report):
    for found in report.findings:
        said = " ".join(found.sentences)
        assert "pairs" in said
        assert f"{exact_percent(0.95)} interval" in said


def test_tables_methods_and_limitations_are_those_of_a_paper(asked, report):
    store, runs = asked
    paper = make_paper(store, runs)

    assert report.limitations == paper.limitations
    assert paper.digest in " ".join(report.methods)
    assert report.files["effects.csv"] == paper.files["tables/effects.csv"].decode()
    written = paper.files["methods.txt"].decode()
    first = report.methods[0].split(". ")[0]
    assert first in written


def test_a_level_of_confidence_is_that_of_every_sentence(asked):
    store, runs = asked
    said = report_of_runs(store, runs[:2], Analysis(confidence=0.9))

    assert all("90 % interval" in " ".join(found.sentences) for found in said.findings)
    between = next(each for each in said.sections if each.heading == "Between the runs")
    assert "90 % interval" in between.sentences[0]


def test_runs_of_one_study_are_compared_on_their_pairs(report):
    between = next(each for each in report.sections if each.heading == "Between the runs")

    assert "On the 24 pairs that both were asked" in between.sentences[0]
    assert "comparisons.csv" in report.files


def test_every_pair_is_there_with_its_prompts_and_what_came_back(asked, report):
    store, runs = asked
    detail = store.pair_detail(runs[0], store.pair_rows(runs[0])[4].pair)
    entry = next(each for each in report.items.entries if each.name == "Pair 5")

    assert len(report.items.entries) == 24 + 24 + 10
    assert entry.facets["steps"] == str(detail.pair.strata["steps"])
    for part, member in zip(entry.parts, (detail.x, detail.x_prime), strict=True):
        (answer,) = part.answers
        assert part.text == member.item.text
        assert answer.exchanges[0].prompt == member.requests[0].messages[0].content
        assert answer.exchanges[0].output == member.responses[0].text
        assert (answer.mark is AnswerMark.RIGHT) == (member.reading.outcome == 1)


def test_pairs_that_tell_most_come_first_and_are_counted_as_on_items(asked, report):
    store, runs = asked
    words = [entry.facets["came out"] for entry in report.items.entries[:24]]
    only = store.count_patterns(runs[0])[PairPattern.ONLY_X]

    assert only
    assert all("only “consistent” right" in each for each in words[:only])
    assert sum("only “consistent” right" in each for each in words) == only


def test_on_a_scale_nothing_is_right_or_wrong(report):
    last = report.items.entries[-10:]

    marks = {answer.mark for entry in last for part in entry.parts for answer in part.answers}
    assert marks == {AnswerMark.READ}
    assert not any(part.right for entry in last for part in entry.parts)


def test_every_sample_of_an_item_is_there(asked):
    store, _ = asked
    run = prepare(
        store, Design("consistency", 6, 5), "learner:careless", "direct",
        options=RunOptions(samples=3),
    )  # fmt: skip
    run_here(store, run)
    entries = report_of_runs(store, [run]).items.entries

    assert {len(part.answers) for entry in entries for part in entry.parts} == {3}
    assert [answer.sample for answer in entries[0].parts[0].answers] == [1, 2, 3]


def test_charts_have_the_numbers_of_the_tables(report):
    section = next(each for each in report.sections if each.tables)
    by = section.tables[-1]
    drawn = sorted(
        round(value, 1)
        for trace in section.pictures[0].light.figure.data
        for value in trace.x
    )  # fmt: skip
    place = by.columns.index("CATE")
    printed = sorted(float(row[place].replace("−", "-")) for row in by.rows)

    assert drawn == printed
    assert section.pictures[0].dark.data.equals(section.pictures[0].light.data)


def test_addresses_of_servers_and_prices_are_not_in_the_file(report):
    text = json.dumps(data_of(report))

    assert "base_urls" not in text
    assert "endpoint" not in text


def test_runs_without_answers_are_refused_as_for_a_paper(asked):
    store, _ = asked
    run = prepare(store, Design("consistency", 4, 9), "learner:perfect", "direct")

    with pytest.raises(PaperError, match="has no answers yet"):
        report_of_runs(store, [run])


def test_who_was_asked_is_told_apart_where_two_runs_read_alike(asked):
    store, runs = asked
    again = prepare(
        store, Design("consistency", 24, 4, {"steps": "1-2"}), "learner:keyword", "direct"
    )
    run_here(store, again)
    abouts = [found.about for found in report_of_runs(store, [runs[0], again]).findings]

    assert len(set(abouts)) == 2
    assert all(run[:6] in about for run, about in zip([runs[0], again], abouts, strict=True))
