"""The biases that come with the app: complete, sound, with the published parameters."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest
import yaml

from biaslab.studies import Design
from biaslab.studies.decisions.biases import (
    BiasError,
    FidelityVerdict,
    Metric,
    bias,
    bias_paths,
    check_bias,
    fill,
    read_bias,
    scales,
    value_combinations,
)
from biaslab.studies.decisions.biases.catalogue import ASSETS
from biaslab.studies.decisions.biases.files import with_scenes
from biaslab.studies.decisions.published import published_biases
from biaslab.studies.decisions.study import EXPERIMENT
from tests.loops import over

PUBLISHED = {
    "anthropomorphism": (1, 0, 0), "availability-heuristic": (-1, 0, 0),
    "confirmation-bias": (1, 0, 0), "conservatism-bias": (-1, 0, 0),
    "disposition-effect": (-1, 0, 6), "endowment-effect": (1, 0, 0),
    "escalation-of-commitment": (1, 0, 0), "framing-effect": (-1, 0, 0),
    "illusion-of-control": (-1, 0, 0), "in-group-bias": (-1, 0, 0),
    "information-bias": (-1, 0, 6), "mental-accounting": (1, 0, 0),
    "negativity-bias": (-1, 0, 6), "not-invented-here": (-1, 0, 0), "reactance": (-1, 0, 0),
    "risk-compensation": (-1, 0, 0), "self-serving-bias": (1, 0, 0),
    "status-quo-bias": (-1, 0, 6), "stereotyping": (1, 0, 0), "survivorship-bias": (1, 0, 0),
}  # fmt: skip
"""Kappa, gamma1 and gamma2 of those that have the same for every case; a flip is gamma2 = 6."""

BOTH_WAYS = {
    "bandwagon-effect": (0, 6), "fundamental-attribution-error": (0, 0), "halo-effect": (0, 0),
    "hyperbolic-discounting": (0, 0), "loss-aversion": (0, 6), "optimism-bias": (0, 0),
    "social-desirability-bias": (0, 0),
}  # fmt: skip
"""Gammas of those whose kappa follows from a drawn value."""

ELEVEN = {
    "anchoring", "availability-heuristic", "confirmation-bias", "endowment-effect",
    "escalation-of-commitment", "hindsight-bias", "illusion-of-control", "optimism-bias",
    "planning-fallacy", "reactance", "risk-compensation", "endowment-effect-faithful",
    "illusion-of-control-faithful", "reactance-faithful",
}  # fmt: skip


def metrics(name: str) -> set[Metric]:
    found = bias(name)
    return {fill(found, found.vignettes[0], each).metric for each in value_combinations(found)}


def test_all_thirty_published_biases_are_there():
    assert {cell.bias for cell in published_biases()} <= set(bias_paths())


@over("name", list(bias_paths()))
def test_a_bias_is_sound_and_has_its_scenes(name):
    found = bias(name)
    assert [str(each) for each in check_bias(found) if each.fault] == []
    least, fields = (6, 1) if found.kind == "C" else (20, 10)
    assert len(found.vignettes) >= least
    assert len(found.fields) >= fields
    assert "school" in found.fields
    if found.variant_of:
        assert found.variant_of in bias_paths()


@pytest.mark.parametrize("name", ["bandwagon-effect", "hyperbolic-discounting", "loss-aversion"])
def test_a_repaired_variant_has_the_very_scenes_of_its_original(name):
    # So a difference between the two comes from the design. The planning fallacy's repair asks
    # other people about the same project, which takes other words.
    assert bias(f"{name}-repaired").vignettes == bias(name).vignettes


FAITHFUL_TWINS = [name for name in bias_paths() if name.endswith("-faithful")]


@over("name", FAITHFUL_TWINS)
def test_a_faithful_twin_has_its_original_s_metric_and_scale(name):
    twin, original = bias(name), bias(name.removesuffix("-faithful"))
    assert original.fidelity.verdict is not FidelityVerdict.FAITHFUL
    assert twin.fidelity.verdict is FidelityVerdict.FAITHFUL
    assert (twin.metric, twin.scale, twin.swap) == (original.metric, original.scale, original.swap)


@over("name", FAITHFUL_TWINS)
def test_a_faithful_twin_has_its_original_s_scenes_or_sixty_of_its_own_of_which_no_two_are_alike(
    name,
):
    twin, original = bias(name), bias(name.removesuffix("-faithful"))
    if not read_bias(bias_paths()[name].read_text(encoding="utf-8"), scales()).vignettes:
        assert [each.id for each in twin.vignettes] == [each.id for each in original.vignettes]
        for one, other in zip(twin.vignettes, original.vignettes, strict=True):
            assert one.slots.items() <= other.slots.items()
        return
    assert len(twin.vignettes) >= 60
    for one, other in combinations([word_pairs(each) for each in twin.vignettes], 2):
        assert len(one & other) / len(one | other) < 0.22


@over("name", list(PUBLISHED))
def test_it_has_the_published_parameters(name):
    assert metrics(name) == {Metric(*PUBLISHED[name])}


@pytest.mark.parametrize("name", list(BOTH_WAYS))
def test_its_direction_follows_from_a_drawn_value(name):
    assert metrics(name) == {Metric(kappa, *BOTH_WAYS[name]) for kappa in (1, -1)}


def test_those_with_drawn_points_have_the_published_ones():
    assert metrics("anchoring") <= {Metric(1, at, at) for at in range(1, 10)}
    assert metrics("hindsight-bias") <= {Metric(1, at, at) for at in range(11)}
    assert metrics("planning-fallacy") == {Metric(1, -u, -3) for u in (1, 2, 3, 4)}


@over("name", [name for name in bias_paths() if "-repaired" not in name])
def test_its_scale_has_the_published_number_of_options(name):
    assert bias(name).options == (11 if name in ELEVEN else 7)


def test_ids_of_scenes_are_unique_and_every_case_of_a_scene_fills():
    for name in bias_paths():
        found = bias(name)
        assert len({each.id for each in found.vignettes}) == len(found.vignettes)
        values = list(value_combinations(found))
        for index, scene in enumerate(found.vignettes):
            fill(found, scene, values[index % len(values)])


LATER = sorted(path.stem for path in (ASSETS / "scenes").glob("*.yaml"))


@over("name", LATER)
def test_with_its_later_scenes_a_bias_has_sixty_from_five_fields_and_no_two_alike(name):
    found = bias(name)
    assert len(found.vignettes) >= 60
    fields = Counter(each.field for each in found.vignettes)
    assert sum(fields[each] >= 4 for each in fields) >= 5
    told = [word_pairs(each) for each in found.vignettes]
    # Those of the first version stay as they are: old seeds give what they gave.
    for at in range(len(told) - found.later, len(told)):
        for other in told[:at]:
            assert len(told[at] & other) / len(told[at] | other) < 0.3


def word_pairs(scene):
    """The neighbouring pairs of words in what fills a scene's gaps."""
    parts = [each if isinstance(each, str) else " ".join(each.values())
             for each in scene.slots.values()]  # fmt: skip
    words = re.findall(r"[a-z']+", " ".join(parts).lower())
    return set(pairwise(words))


def test_the_first_version_has_the_scenes_of_the_bias_file_alone():
    for name, path in bias_paths().items():
        written = read_bias(path.read_text(encoding="utf-8"), scales())
        if not written.vignettes:
            written = bias(name.removesuffix("-faithful"))
            assert [each.id for each in bias(name).of_first_version.vignettes] == [
                each.id for each in written.of_first_version.vignettes
            ]
            continue
        assert bias(name).of_first_version.vignettes == written.vignettes


def test_later_scenes_come_from_their_file_and_are_checked_like_the_others():
    found = bias("anchoring")
    slots = dict.fromkeys(found.slots, "a thing")
    scene = yaml.safe_dump({"vignettes": [{"id": "new", "field": "school", **slots}]})

    more = with_scenes(found, scene)

    assert more.later == found.later + 1
    assert more.vignettes[-1].id == "new"
    for wrong, said in (
        (scene.replace("id: new", "id: school-library"), "itself has a vignette"),
        (scene.replace("purpose", "porpoise"), "porpoise"),
        (scene.replace("vignettes", "scenes"), "not known"),
    ):
        with pytest.raises(BiasError, match=said):
            with_scenes(found, wrong)


def test_all_asks_the_repaired_status_quo_test_since_version_2():
    def asked(**settings: str) -> list[str]:
        return [each.id for each in EXPERIMENT.chosen(Design("decision", 1, 1, settings))]

    first, now = asked(version="1"), asked()
    assert "status-quo-bias" in first
    assert [each.removesuffix("-repaired") for each in now] == first
    assert set(now) - set(first) == {"status-quo-bias-repaired"}
    assert asked(bias="status-quo-bias") == ["status-quo-bias"]
