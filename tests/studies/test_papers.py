"""Figures, designs and citations of the four papers, held against the papers' own texts.

The texts are not part of the project: tests that read them are skipped where they are not there.
What can be held against itself is, everywhere.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from biaslab.studies import experiment, strategies
from biaslab.studies.concepts.concept import read_concepts
from biaslab.studies.concepts.study import AS_PUBLISHED
from biaslab.studies.decisions.biases import biases, scales
from biaslab.studies.decisions.biases.template import Metric
from biaslab.studies.published import ASSETS
from biaslab.training.mix import MIXES
from schoolmath.malrules.bank import PUBLISHED_CLASSES, PUBLISHED_DOKS, PUBLISHED_GRADES
from schoolmath.malrules.bank.design import PACK
from schoolmath.problems.quantities import LARGEST_RESULT

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SEEDS, TABLES = SHARED / "seeds", SHARED / "published"
with_papers = pytest.mark.skipif(not SEEDS.is_dir(), reason="the papers' texts are not here")
with_tables = pytest.mark.skipif(not TABLES.is_dir(), reason="the transcribed tables are not here")

OPEDAL, MALALGOQA = "word_problems_opedal_2024", "malgorithms_malalgoqa_2024"
CONCEPTS, DECISIONS = "concept_learning_2025", "decision_biases_malberg_2024"

SECTIONS = {
    "4.1": ("Operationalizing Fig. 1", r"predicate|four (?:relations|statements)|two others|story"),
    "4.2": ("Generation Pipeline", r"structure|result|step iv|sequence"),
    "5.1": ("Experimental Setup", r"prompt|discover|first number"),
    "5.2": ("Problem Text: Consistency Bias", r"consisten"),
    "5.3": ("Mental Model: Transfer vs Comparison Bias", r"transfer|comparison"),
    "5.4": ("Arithmetic Expressions: The Carry Effect", r"carr"),
    "6": ("Why do Language Models Exhibit Biases?", r"counted|training data|mix|ratio"),
}
"""Sections of Opedal et al. (2024) that may be cited: the title, and what is cited for."""

_CITED = re.compile(
    r"Opedal(?: et al\.)?,?\s\(?2024\)?[),:]*\ssections?\s([\d.]+\d|\d)(?:\sto\s([\d.]+\d))?"
)


def text(paper: str) -> str:
    return (SEEDS / f"{paper}.txt").read_text(encoding="utf-8")


def rows(name: str) -> list[dict[str, str]]:
    with (ASSETS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def citations() -> list[tuple[str, str, str]]:
    """Where, which section, and the words around it; none for the end of a span of sections."""
    found = []
    for path in (*ROOT.glob("biaslab/**/*.py"), *ROOT.glob("docs/*.md"),
                 *ROOT.glob("assets/**/*.yaml"), *ROOT.glob("assets/**/*.md")):  # fmt: skip
        content = path.read_text(encoding="utf-8")
        for match in _CITED.finditer(content):
            around = content[max(0, match.start() - 400) : match.end() + 400].lower()
            where = str(path.relative_to(ROOT))
            found.append((where, match[1], around))
            if match[2]:
                found.append((where, match[2], ""))
    return found


def test_a_section_that_is_cited_is_there_and_is_about_what_it_is_cited_for() -> None:
    found = citations()
    assert len(found) > 20
    wrong = [
        (where, section)
        for where, section, around in found
        if section not in SECTIONS or (around and not re.search(SECTIONS[section][1], around))
    ]
    assert not wrong


def test_each_study_cites_the_section_of_its_own_bias() -> None:
    for study, section in (
        ("consistency", "5.2"),
        ("transfer-comparison", "5.3"),
        ("carry", "5.4"),
    ):
        known = experiment(study)
        assert known.expects is not None
        for source in (known.source, known.expects.source):  # type: ignore[attr-defined]
            assert f"Opedal et al. 2024, section {section}" in source


@with_papers
def test_the_sections_have_these_titles() -> None:
    paper = text(OPEDAL)
    for number, (title, _) in SECTIONS.items():
        assert f"\n{number}. {title}\n" in paper, number


def printed_cells(line: str, between: str = "\t") -> list[str]:
    """The cells of a table's line that hold something."""
    return [cell.strip() for cell in line.split(between) if cell.strip()]


def printed_effects(paper: str, models: int) -> dict[tuple[str, str, str], list[str]]:
    """Cells of Tables 2 and 4: by strategy, model and study, what is printed."""
    found: dict[tuple[str, str, str], list[str]] = {}
    strategy = "direct"
    names = {"Direct": "direct", "CoT": "cot", "Child CoT": "child-cot"}
    for line in paper.splitlines():
        cells = printed_cells(line)
        if cells and cells[0] in names:
            strategy = names[cells.pop(0)]
        if len(cells) != 13 or not re.fullmatch(r"-?[\d.]+", cells[1]):
            continue
        for at, study in enumerate(("consistency", "transfer-comparison", "carry")):
            found[strategy, cells[0], study] = cells[1 + 4 * at : 5 + 4 * at]
    assert len(found) == 3 * models
    return found


@with_papers
def test_effects_are_those_of_tables_2_and_4() -> None:
    printed = printed_effects(text(OPEDAL), models=31)
    ours = rows("opedal_2024_effects.csv")
    assert len(ours) == len(printed)
    for row in ours:
        x, x_prime, cate, p = printed[row["strategy"], row["model"], row["study"]]
        assert float(row["accuracy_x_pct"]) == float(x), row
        assert float(row["accuracy_x_prime_pct"]) == float(x_prime), row
        assert float(row["printed_cate_points"]) == float(cate), row
        assert row["printed_p"] == p.removeprefix("-"), row


@with_papers
def test_effects_on_hegartys_problems_are_those_of_table_5() -> None:
    table = (
        text(OPEDAL).partition("Mode\tModel\tConsistency bias\t\t\t\n")[2].partition("Table 5")[0]
    )
    lines = [printed_cells(line)[-5:] for line in table.splitlines()]
    printed = [cells for cells in lines if len(cells) == 5 and re.fullmatch(r"[\d.]+", cells[1])]
    for row, (model, x, x_prime, cate, p) in zip(
        rows("hegarty_1995_problems_effects.csv"), printed, strict=True
    ):
        assert row["model"] == model
        assert [float(row[f"{name}_pct"]) for name in ("accuracy_x", "accuracy_x_prime")] == [
            float(x), float(x_prime),
        ]  # fmt: skip
        assert float(row["printed_cate_points"]) == float(cate)
        assert row["printed_p"] == p.removeprefix("-")
    assert {row["pairs"] for row in rows("hegarty_1995_problems_effects.csv")} == {"8"}
    assert "The dataset contains eight problem pairs" in text(OPEDAL)
    people = [row["value"] for row in rows("human_baselines.csv") if "App. B.3" in row["source"]]
    assert f"average accuracy of {people[0]}% and {people[1]}%, on consistent" in text(OPEDAL)


@with_papers
def test_designs_of_word_problems_are_those_of_the_paper() -> None:
    paper = text(OPEDAL)
    usual = {
        study: {each.name: each.default for each in experiment(study).settings}
        for study in ("consistency", "transfer-comparison", "carry")
    }
    small, large = usual["consistency"]["numbers"], usual["carry"]["numbers"]
    assert usual["transfer-comparison"]["numbers"] == small
    assert str(small).replace("-", "–") + " for the experiments in §5.2-5.3" in paper
    assert str(large).replace("-", "–") + " for the experiments in §5.4" in paper
    assert f"fall in the range 0–{LARGEST_RESULT}." in paper
    steps = str(usual["consistency"]["steps"])
    assert usual["transfer-comparison"]["steps"] == steps
    assert f"between {steps.replace('-', '–')} reasoning steps" in paper
    assert f"maximum length of {strategies.REASONING_TOKENS} tokens" in paper
    for cue in (strategies.ANSWER_CUE, strategies.REASONING_CUE, strategies.CHILD_CUE):
        assert cue.rstrip(".") in paper.replace("’", "'")
    assert {row["pairs"] for row in rows("opedal_2024_effects.csv")} == {"500"}
    assert "total of 500 pairs" in paper


@with_papers
def test_ratios_of_the_skewed_mix_are_those_that_the_paper_counted() -> None:
    mix = MIXES["skewed"]
    counted = f"{mix.consistent}:{mix.inconsistent} (15 and 3 in absolute numbers) and "
    assert counted + f"{mix.transfer}:{mix.comparison} (260 and 18" in text(OPEDAL)


def test_the_published_mix_of_items_adds_up() -> None:
    """The paper gives the sum; two swapped counts would not change it, so the order is held too."""
    for counts in (PUBLISHED_GRADES, PUBLISHED_CLASSES, PUBLISHED_DOKS):
        assert sum(counts.values()) == PACK
    assert list(PUBLISHED_CLASSES) == [
        "algebra", "number and operation", "geometry and measurement", "probability",
        "data analysis",
    ]  # fmt: skip
    assert list(PUBLISHED_CLASSES.values()) == [315, 312, 122, 44, 14]


@with_papers
def test_the_mix_of_items_is_that_of_tables_2_to_4() -> None:
    paper = text(MALALGOQA)
    assert f"The mathematics question set contains {PACK} questions" in paper
    names = {
        "algebra": "Algebra", "number and operation": "Number & Operation",
        "geometry and measurement": "Geometry & Measurement", "probability": "Probability",
        "data analysis": "Data Analysis",
    }  # fmt: skip
    levels = {1: "I", 2: "II", 3: "III"}
    for level, count in PUBLISHED_CLASSES.items():
        assert f"\n{names[level]}\t{count}\n" in paper, level
    for level, count in PUBLISHED_DOKS.items():
        assert f"\n{levels[level]}\t{count}\t" in paper, level
    for grade, count in PUBLISHED_GRADES.items():
        assert f"\n{grade}\t{count}\t" in paper, grade


@with_papers
def test_identification_is_that_of_table_6() -> None:
    printed, subject, model = {}, "", ""
    for line in text(MALALGOQA).splitlines():
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 7 or cells[3] not in ("Simple", "CoT"):
            continue
        model, subject = cells[0].replace(" ", "-") or model, cells[1] or subject
        printed[subject, model, cells[2], cells[3].lower()] = [
            float(cell) if cell else None for cell in cells[4:]
        ]
    ours = rows("malalgoqa_2024_identification.csv")
    assert len(ours) == len(printed) == 24
    for row in ours:
        key = (row["subject"], row["model"], row["shots"], row["prompt"])
        ours_here = [row[name] for name in ("mcq_pct", "aia_pct", "mia_pct")]
        assert [float(each) if each else None for each in ours_here] == printed[key], key


@with_papers
def test_identification_by_grade_is_that_of_table_7() -> None:
    table = text(MALALGOQA).partition("Subject\tGrade\t")[2].partition("average")[0]
    printed, subjects = {}, ["", ""]
    for line in table.splitlines()[1:]:
        cells = [cell.strip() for cell in re.sub("</?u>", "", line).split("\t")]
        for half in (0, 1):
            subject, grade, *values = cells[4 * half : 4 * half + 4]
            subjects[half] = subject or subjects[half]
            for model, value in zip(("GPT-4o", "LLaMA3-70B"), values, strict=True):
                printed[subjects[half], grade, model] = float(value)
    ours = rows("malalgoqa_2024_mia_by_grade.csv")
    assert len(ours) == len(printed) == 28
    for row in ours:
        assert float(row["mia_pct"]) == printed[row["subject"], row["grade"], row["model"]], row


@with_papers
def test_accuracies_of_concepts_are_those_of_appendix_b() -> None:
    printed: dict[tuple[str, str, str, str], float] = {}
    model, semantics = "", ""
    for line in text(CONCEPTS).splitlines():
        cells = printed_cells(line, "|")
        concept = re.fullmatch(r"\[(more|less) than p\]", cells[0]) if cells else None
        if line.startswith("|") and len(cells) == 1:
            model, _, told = cells[0].partition(" (")
            semantics = "explicit" if told else "hidden"
        if concept is None:
            continue
        for column, value in enumerate(cells[1:], start=1):
            printed[model, semantics, concept[0].strip("[]"), str(column)] = float(value)
    ours = rows("monotonicity_2025_accuracy.csv")
    assert len(ours) == len(printed) == 60
    for row in ours:
        key = (row["model"], row["semantics"], row["concept"], row["column"])
        assert float(row["accuracy_pct"]) == printed[key], key


@with_papers
def test_the_published_design_of_concepts_is_that_of_the_paper() -> None:
    paper, settings = text(CONCEPTS), AS_PUBLISHED.settings
    low, high = str(settings["totals"]).split("-")
    assert f"total number of items to be between {low} and {high} inclusive" in paper
    shots = settings["shots"]
    assert f"({shots} with positive labels and {shots} with negative labels) in a random order" in (
        paper
    )
    each = re.search(r"(\d+) prompts with positive true labels and (\d+) prompts with neg", paper)
    assert each is not None
    fractions = re.search(r"p = \{([^}]*)\}", paper)
    assert fractions is not None
    told = fractions[1].split(", ")
    published = [concept.phrase for concept in read_concepts(str(settings["concept"]))]
    assert len(published) == len(told)
    # Every accuracy is of as many questions: fractions, two concepts of each, hidden and explicit.
    assert AS_PUBLISHED.n == len(told) * 2 * (int(each[1]) + int(each[2]))


@with_papers
def test_tests_of_decisions_are_those_of_the_paper() -> None:
    paper = text(DECISIONS)
    own = {name for name in biases() if not name.endswith(("-faithful", "-repaired"))}
    assert f"all {len(own)} biases" in paper
    assert {len(options) for options in scales().values()} == {7, 11}
    assert "a 7-point Likert scale" in paper
    assert "an 11-point percentage scale" in paper
    metric = r"\\kappa\\cdot\\frac{\\left(\\vert\\Delta_{a_1,\\gamma_1}\\vert -\\vert"
    assert metric + r"\\Delta_{a_2,\\gamma_2}\\vert \\right)}{\\max" in paper
    assert Metric(1, 0, 0).of(4, 2) == pytest.approx((4 - 2) / 4)
    heat = rows("malberg_2024_heatmap.csv")
    assert len({row["bias"] for row in heat}) == len(own)


@with_tables
def test_every_transcribed_table_is_the_one_that_ships() -> None:
    """The heat map has no table in the text; all are held against a second transcription."""
    numeric = {
        "opedal_2024_effects.csv": "opedal_2024_effects.csv",
        "malalgoqa_2024_identification.csv": "malalgoqa_2024_identification.csv",
        "malalgoqa_2024_mia_by_grade.csv": "malalgoqa_2024_mia_by_grade.csv",
        "monotonicity_2025_accuracy.csv": "monotonicity_2025_accuracy.csv",
        "hegarty_1995_problems_effects.csv": "hegarty_1995_via_opedal_table5.csv",
    }
    for ours, theirs in numeric.items():
        with (TABLES / theirs).open(encoding="utf-8", newline="") as file:
            there = sorted(fractional(row.values()) for row in csv.DictReader(file))
        here = [fractional(row.values()) for row in rows(ours)]
        assert len(here) == len(there), ours
        assert all(any(set(one) <= set(other) for other in here) for one in there), ours
    with (TABLES / "malberg_2024_heatmap_prepublication.csv").open(encoding="utf-8") as file:
        cells = {
            (row["bias"], model): float(value)
            for row in csv.DictReader(file)
            for model, value in row.items()
            if model != "bias"
        }
    heat = {(row["bias"], row["model"]): float(row["value"])
            for row in rows("malberg_2024_heatmap.csv")}  # fmt: skip
    assert sorted(heat.values()) == sorted(cells.values())
    shared = heat.keys() & cells.keys()
    assert len(shared) > 0.9 * len(cells)
    assert all(heat[key] == cells[key] for key in shared)


def fractional(values: object) -> list[float]:
    found = []
    for value in values:  # type: ignore[attr-defined]
        try:
            found.append(float(value))
        except (TypeError, ValueError):
            continue
    return found
