"""Which texts are probed where, and how what the probes said is counted."""

from __future__ import annotations

import re

import pytest

from biaslab.models import ModelForm
from biaslab.models.activations import ProbeResult
from biaslab.stats.errors import BrokenOutcomes
from biaslab.studies.word_problems.inside.probes import (
    CUE_PLACE,
    PLACES,
    SHUFFLES,
    ProbeText,
    accuracies,
    probes,
)

PAIRS = 20
ASKED = probes(ModelForm.BASE, PAIRS)
TRUTH = {
    "operation": tuple(each.plus for each in ASKED.tested),
    "cue": tuple(each.more for each in ASKED.tested),
}


def words_at(text: ProbeText) -> list[str]:
    content = text.marked.messages[-1].content
    return [content[span.start : span.end].strip() for span in text.marked.places]


def said(**of: tuple[bool, ...]) -> ProbeResult:
    """One layer at whose places all probes of a name say the same."""
    given = {name: of.get(name, (True,) * len(ASKED.tested)) for name in ASKED.request.labels}
    return ProbeResult({name: ((values,) * len(PLACES),) for name, values in given.items()})


class TestTheTexts:
    @pytest.mark.parametrize("form", list(ModelForm))
    def test_the_cue_word_alone_is_right_exactly_half_the_time(self, form: ModelForm):
        asked = probes(form, PAIRS)
        labels = asked.request.labels
        for plus, more in (
            (labels["operation"], labels["cue"]),
            ([each.plus for each in asked.tested], [each.more for each in asked.tested]),
        ):
            assert len(plus) == 2 * PAIRS
            assert sum(plus) == sum(more) == PAIRS
            assert sum(one == other for one, other in zip(plus, more, strict=True)) == PAIRS

    def test_the_second_number_is_the_smaller_one_whatever_the_operation(self):
        for text in ASKED.tested:
            content = text.marked.messages[-1].content
            first, second = map(int, re.findall(r"\d+", content))
            assert first > second

    def test_no_text_is_both_fitted_to_and_tested(self):
        fitted = {each.messages for each in ASKED.request.fitted}
        assert not fitted & {each.messages for each in ASKED.request.tested}

    def test_each_place_is_where_its_name_says(self):
        for text in ASKED.tested:
            name, number, cue, end, asked_for, last, answer, before = words_at(text)
            assert name.strip(",").isalpha()
            assert name[0].isupper()
            assert number.isdecimal()
            assert cue == ("more" if text.more else "fewer")
            assert end.endswith(".")
            assert asked_for.strip("?.")[0].isupper()
            assert last.endswith(("?", "."))
            assert (answer, before) == ("A:", "is")

    def test_shuffled_labels_are_as_many_of_each_kind(self):
        shuffled = [v for name, v in ASKED.request.labels.items() if name.startswith("shuffled")]
        assert len({*shuffled, ASKED.request.labels["operation"]}) == SHUFFLES + 1
        assert {sum(values) for values in shuffled} == {PAIRS}


class TestTheAccuracy:
    def test_of_probes_that_are_always_right_is_one_and_of_the_cue_alone_one_half(self):
        right = accuracies(ASKED, said(**TRUTH))
        assert {(each.share, each.inconsistent, each.cue) for each in right} == {(1.0, 1.0, 1.0)}
        cued = accuracies(ASKED, said(operation=TRUTH["cue"], cue=TRUTH["cue"]))
        assert {(each.share, each.inconsistent, each.shuffled) for each in cued} == {
            (0.5, 0.0, 0.5)
        }

    def test_has_its_number_of_texts_and_an_interval_around_it(self):
        almost = (not TRUTH["operation"][0], *TRUTH["operation"][1:])
        for each in accuracies(ASKED, said(operation=almost)):
            assert (each.right, each.n) == (2 * PAIRS - 1, 2 * PAIRS)
            assert each.interval.low < each.share < each.interval.high <= 1

    def test_stands_for_every_layer_and_place_in_order(self):
        found = accuracies(ASKED, said())
        assert [(each.layer, each.place) for each in found] == [
            (0, at) for at in range(len(PLACES))
        ]
        assert "more" in PLACES[CUE_PLACE]

    def test_is_not_made_up_where_answers_are_missing(self):
        with pytest.raises(BrokenOutcomes, match="one answer for each text"):
            accuracies(ASKED, ProbeResult({"operation": said().said["operation"]}))
