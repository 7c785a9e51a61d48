"""A case as a pair of items: both arms, their options in one order, and what identifies them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from biaslab.studies.decisions.biases import Case, Metric
from biaslab.studies.decisions.prompts import write_options
from biaslab.studies.study import Item, Pair, Value, content_hash

NAME = "decision"
"""Of the study."""

ON_SCALE, REVERSED = "as on the scale", "reversed"
"""How the options of a pair stand."""


@dataclass(frozen=True, slots=True)
class ArmText:
    """What one arm of a case shows.

    Attributes:
        before: what stands in front of the options.
        options: in the order of the scale.
        after: what follows them; mostly nothing.
    """

    before: str
    options: tuple[str, ...]
    after: str = ""


def pair_of(case: Case, *, is_reversed: bool) -> Pair:
    """Both arms of a case as a pair; the options of both in the same order."""
    facts = {
        "bias": case.bias.id,
        "scenario": case.vignette.id,
        "values": dict(case.values),
        "kappa": case.metric.kappa,
    }
    arms = [ArmText(f"{arm.text}\n\n", arm.options) for arm in (case.control, case.treatment)]
    return _pair(
        arms, facts, case.metric, case.classic, case.vignette.field, is_reversed=is_reversed
    )


def pair_of_texts(
    bias: str, scenario: str, field: str, control: ArmText, treatment: ArmText, metric: Metric
) -> Pair:
    """A case whose texts somebody else wrote, with its options in the order of the scale.

    Args:
        bias: id of its bias here.
        scenario: what its file calls the scene; cases of one scene are one cluster.
        field: of work; "" where nothing says it.
        control: its text.
        treatment: its text, with as many options.
        metric: the parameters of its score.
    """
    facts = {
        "bias": bias,
        "scenario": scenario,
        "values": {},
        "kappa": metric.kappa,
        # Cases may have an arm in common; an item of each keeps them apart.
        "imported": content_hash(str((control, treatment, metric))),
    }
    classic = _most_biased(metric, len(control.options))
    return _pair([control, treatment], facts, metric, classic, field, is_reversed=False)


def on_scale(item: Item) -> ArmText:
    """What an item shows, with its options in the order of the scale."""
    before, _, after = item.text.rpartition(write_options(item.options))
    is_reversed = item.facts["reversed"]
    return ArmText(before, item.options[::-1] if is_reversed else item.options, after)


def turned(pair: Pair) -> Pair:
    """The same pair with the options of both arms in the other order."""
    one, other = pair.x.facts, pair.x_prime.facts
    facts = {name: one[name] for name in one if name not in _OF_AN_ARM}
    metric = Metric(one["kappa"], one["gamma"], other["gamma"])
    arms = [on_scale(item) for item in (pair.x, pair.x_prime)]
    classic = (one["classic"], other["classic"])
    field = str(pair.strata.get("field", ""))
    return _pair(arms, facts, metric, classic, field, is_reversed=not one["reversed"])


_OF_AN_ARM = ("arm", "reversed", "gamma", "scale", "asked", "classic")


def _pair(
    arms: list[ArmText],
    facts: Mapping[str, Any],
    metric: Metric,
    classic: tuple[int, int],
    field: str,
    *,
    is_reversed: bool,
) -> Pair:
    items = []
    ends = zip(arms, (metric.gamma1, metric.gamma2), classic, strict=True)
    for place, (arm, gamma, extreme) in enumerate(ends):
        options = tuple(reversed(arm.options)) if is_reversed else arm.options
        text = f"{arm.before}{write_options(options)}{arm.after}"
        known = {
            **facts,
            "arm": "treatment" if place else "control",
            "reversed": is_reversed,
            "gamma": gamma,
            "scale": len(options),
            # Cases that show the same are asked once, and chance has to allow for that.
            "asked": content_hash(text),
        }
        # Two pairs may show one control with different points to measure from, so the text
        # alone does not identify an item. A response is kept by its messages: it is asked once.
        identity = content_hash(NAME, text, options, sorted(known.items(), key=str))
        # For simulated learners alone: no part of what identifies the item.
        items.append(Item(identity, text, "", {**known, "classic": extreme}, options))
    scene = f"{facts['bias']}/{facts['scenario']}"
    strata: dict[str, Value] = {"bias": facts["bias"]}
    if field:
        strata["field"] = field
    strata |= {"order": REVERSED if is_reversed else ON_SCALE, "scenario": scene}
    return Pair.of(items[0], items[1], strata, cluster=scene)


def _most_biased(metric: Metric, options: int) -> tuple[int, int]:
    """The answers of control and treatment that move farthest in the direction of the bias."""

    def moved(answers: tuple[int, ...]) -> int:
        one, other = answers
        return metric.kappa * (abs(one - metric.gamma1) - abs(other - metric.gamma2))

    one, other = max(product(range(options), repeat=2), key=moved)
    return one, other
