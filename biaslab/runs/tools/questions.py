"""What a study asks, an item once, with the places that it has in pairs.

An item that several pairs share is asked once, as in a run of BiasLab itself, so that the same
pairs rest on the same answers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from biaslab.models import ModelForm, ModelKind
from biaslab.runs.engine.prepare import find_strategy, library_version
from biaslab.runs.errors import LogRefused, ToolError
from biaslab.stats import InvalidRule, effects
from biaslab.studies import Design, experiment
from biaslab.studies.designs import check_known
from biaslab.studies.strategies import GO_ON_TIMES
from biaslab.studies.study import Experiment, Item, Strategy, is_begun, outcome_scale


class ItemPosition(NamedTuple):
    """Where an item stands.

    Attributes:
        position: of the pair in its design, from 0; pair: its id.
        arm: ``x`` or ``x_prime``.
        cluster: what the pair shares with others.
    """

    position: int
    pair: str
    arm: str
    cluster: str


@dataclass(frozen=True, slots=True)
class ToolItem:
    """An item, and every place that it has."""

    item: Item
    places: tuple[ItemPosition, ...]

    def as_json(self) -> dict[str, Any]:
        """For the data set of a tool, from which `read_question` makes it again."""
        item = self.item
        return {
            "item": {
                "id": item.id,
                "text": item.text,
                "answer": item.answer,
                "facts": json.dumps(dict(item.facts), ensure_ascii=False),
                "options": list(item.options),
            },
            "places": [list(place) for place in self.places],
        }


def read_question(fields: Mapping[str, Any]) -> ToolItem:
    """The question that `ToolItem.as_json` wrote."""
    item = fields["item"]
    return ToolItem(
        Item(
            item["id"], item["text"], item["answer"], json.loads(item["facts"]),
            tuple(item["options"]),
        ),
        tuple(ItemPosition(*place) for place in fields["places"]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ToolDesign:
    """A design asked in one way.

    Attributes:
        design: which pairs.
        strategy: name of the prompt strategy.
        form: whether prompts are turns of a conversation or text to be continued.
        version: of the prompts' wording; reader: of the reading of answers; library: of BiasLab.
        go_on: how often a tool asks a response to go on that was cut off, where it can.
    """

    design: Design
    strategy: str
    form: ModelForm
    version: str
    reader: str
    library: str
    go_on: int = GO_ON_TIMES

    @property
    def study(self) -> Experiment:
        """The study of the design."""
        return experiment(self.design.study)

    @property
    def way(self) -> Strategy:
        """The prompt strategy."""
        return find_strategy(self.study, self.strategy)

    def questions(self) -> list[ToolItem]:
        """Every item of the pairs, in the order of the design.

        Raises:
            DesignError: such pairs do not exist.
        """
        items: dict[str, Item] = {}
        places: dict[str, list[ItemPosition]] = {}
        for position, pair in enumerate(self.study.pairs(self.design)):
            for arm, item in (("x", pair.x), ("x_prime", pair.x_prime)):
                items.setdefault(item.id, item)
                place = ItemPosition(position, pair.id, arm, pair.cluster)
                places.setdefault(item.id, []).append(place)
        return [ToolItem(item, tuple(places[key])) for key, item in items.items()]

    def as_json(self) -> dict[str, Any]:
        """What a tool writes into its log, so that the log can be read as a run."""
        return {
            "study": self.design.study,
            "n": self.design.n,
            "seed": self.design.seed,
            "settings": dict(self.design.settings),
            "strategy": self.strategy,
            "strategy_version": self.version,
            "form": str(self.form),
            "reader": self.reader,
            "biaslab": self.library,
            "go_on": self.go_on,
        }


def make_asking(
    study: str,
    n: int,
    seed: int,
    settings: Mapping[str, object],
    strategy: str = "",
    form: ModelForm = ModelForm.CHAT,
) -> ToolDesign:
    """A design, as a tool's arguments say it, asked by a strategy of its study.

    Args:
        study: its name.
        n: number of pairs.
        seed: of the design.
        settings: by name; a tool may have ``_`` for ``-`` in a name, and a list or a number for
            a text.
        strategy: its name; empty: the study's first.
        form: how the model wants to be addressed.

    Raises:
        DesignError: there is no such study or setting.
        UnknownStrategy: the study does not ask in this way.
        ToolError: the strategy begins a chat model's answer, which other tools may answer anew.
    """
    found = experiment(study)
    names = {setting.name.replace("-", "_"): setting.name for setting in found.settings}
    given = {names.get(name, name): _text(value) for name, value in settings.items()}
    design = Design(study, int(n), int(seed), given)
    check_known(design)
    way = find_strategy(found, strategy or found.strategies[0].name)
    if is_begun(way):
        raise ToolError(
            f"The strategy {way.name} begins the model's answer, and another tool may have that "
            "answered anew. Ask it with `biaslab run`."
        )
    return ToolDesign(design, way.name, form, way.version, found.reader, library_version())


def read_asking(fields: Mapping[str, Any]) -> ToolDesign:
    """The asking that `ToolDesign.as_json` wrote.

    Raises:
        LogRefused: a part is missing.
    """
    try:
        design = Design(
            str(fields["study"]), int(fields["n"]), int(fields["seed"]), dict(fields["settings"])
        )
        return ToolDesign(
            design, fields["strategy"], ModelForm(fields["form"]), fields["strategy_version"],
            fields["reader"], fields["biaslab"], int(fields.get("go_on", 0)),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise LogRefused(
            f"The log does not say which design of BiasLab it asked ({error}): it can be read "
            "only if it was made by a task of BiasLab."
        ) from error


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


# The effect of the answers that a tool has collected: the one that `biaslab effects` gives.


FIGURES = ("cate", "low", "high", "n", "clusters", "accuracy_x", "accuracy_x_prime", "unread")
"""What `paired_effect` tells: the mean difference x - x' with the interval of 95 %, the pairs and
clusters that count, the share of right answers (or mean) of each arm, and the answers that could
not be read."""


class ItemScore(NamedTuple):
    """What an item's answer came to.

    Attributes:
        places: of the item.
        sample: which of several answers to it, from 0.
        outcome: 1 right, 0 wrong, or a position on the study's scale; None: it could not be read.
        missing: it was cut off, so that there is none. Its pair does not count.
    """

    places: tuple[ItemPosition, ...]
    sample: int
    outcome: float | None
    missing: bool = False


def paired_effect(
    study: str, answers: Iterable[ItemScore], invalid: InvalidRule = "strict"
) -> dict[str, float]:
    """The figures of `FIGURES`; those that are not determined are NaN.

    Pairs of which one member has no answer yet do not count, so the figures can be asked for
    while a tool is still asking.

    Args:
        study: name of the study.
        answers: of any number of items and samples, in any order.
        invalid: whether answers that could not be read count as not right; see
            `biaslab.stats.effects`.
    """
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    unread = 0
    for answer in answers:
        unread += answer.outcome is None and not answer.missing
        state = "answered" if answer.outcome is not None else "invalid"
        for place in answer.places:
            row = rows.setdefault((place.pair, answer.sample), _row(study, place, answer.sample))
            row[f"y_{place.arm}"] = math.nan if answer.outcome is None else answer.outcome
            row[f"state_{place.arm}"] = "failed" if answer.missing else state
    figures = dict.fromkeys(FIGURES, math.nan) | {"n": 0.0, "clusters": 0.0, "unread": unread}
    if not rows:
        return figures
    import pandas as pd

    ordered: list[dict[str, Any]] = sorted(rows.values(), key=_order)
    table = pd.DataFrame(ordered)
    found = effects(table, invalid=invalid)[0]
    determined = {
        "cate": found.cate, "low": found.ci_low, "high": found.ci_high, "n": found.n,
        "clusters": found.clusters, "accuracy_x": found.accuracy_x,
        "accuracy_x_prime": found.accuracy_x_prime,
    }  # fmt: skip
    return figures | {key: float(each) for key, each in determined.items() if each is not None}


def _row(study: str, place: ItemPosition, sample: int) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(("run", "model", "strategy"), "log")
    row |= {
        "study": study, "model_kind": str(ModelKind.LANGUAGE_MODEL), "pair": place.pair,
        "position": place.position, "sample": sample, "cluster": place.cluster, "strata": {},
        "on_scale": outcome_scale(study) is not None,
    }  # fmt: skip
    for arm in ("x", "x_prime"):
        row |= {f"y_{arm}": math.nan, f"state_{arm}": "missing"}
    return row


def _order(row: dict[str, Any]) -> tuple[int, int]:
    return row["position"], row["sample"]
