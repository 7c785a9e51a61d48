"""Choosing a mix: presets or ratios of one's own, in words, as a hundred marks and by example."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

import streamlit as st

from biaslab.audit import LEAST_TOLD, public_corpora
from biaslab.studies import Item
from biaslab.training.lessons import ONE_STEP, TrainingLesson, lessons
from biaslab.training.mix import (
    CUSTOM,
    EXPLANATIONS,
    MIXES,
    RATIOS,
    LessonMix,
    MixError,
    mix_name,
    read_mix,
)
from biaslab.ui.navigation import TRAINING_LAB, link
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, choice
from biaslab.ui.widgets.cards import steps_html
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

MIX_NAMES = {
    "inconsistent-rare": "Misleading ones are rare",
    "balanced": "Balanced",
    "skewed": "As in school books",
    "reversed": "The other way round",
    "carry-rare": "Carrying is rare",
    CUSTOM: "My own",
}
"""What the mixes are called on screens."""

SAME_FOR_ALL = "Besides these, there are bare sums, as many in every mix."

_FIELDS: Mapping[str, tuple[str, str, Mapping[str, str], str]] = {
    RATIOS[0]: (
        "comparisons",
        "Comparisons: consistent to inconsistent",
        {
            "1:0": "only consistent (1:0)",
            "5:1": "5 consistent for each inconsistent (5:1, school books)",
            "1:1": "as many of each (1:1)",
            "1:5": "5 inconsistent for each consistent (1:5)",
            "0:1": "only inconsistent (0:1)",
        },
        "Consistent: “Ben has 3 more than Ana. How many does Ben have?”: more, and one adds. "
        "Inconsistent: “Ana has 3 more than Ben. How many does Ben have?”: more, and one "
        "subtracts.",
    ),
    RATIOS[1]: (
        "problems",
        "Problems: transfers to comparisons",
        {
            "1:0": "only transfers (1:0)",
            "130:9": "130 of transfers for 9 with a comparison (130:9, school books)",
            "1:1": "as many of each (1:1)",
            "9:130": "130 with a comparison for 9 of transfers (9:130)",
            "0:1": "only problems with a comparison (0:1)",
        },
        "Transfer: somebody gets something or gives it away. Comparison: somebody has more or "
        "fewer than somebody else.",
    ),
    RATIOS[2]: (
        "carries",
        "Three-digit numbers: without to with a carry",
        {
            "1:0": "never a carry (1:0)",
            "5:1": "5 without for each with a carry (5:1)",
            "1:1": "as many of each (1:1)",
            "1:5": "5 with a carry for each without (1:5)",
            "0:1": "always a carry (0:1)",
        },
        "Whether a calculation with numbers of three digits needs a carry or a borrow.",
    ),
}
"""By ratio: name in the address, label, choices and explanation."""


def draw_mix() -> LessonMix | None:
    """Draws the choice of a mix; None where the ratios typed are none, which is then said."""
    chosen = choice("mix", tuple(MIX_NAMES), next(iter(MIX_NAMES)))
    choosing.segmented_control(
        "Mix",
        list(MIX_NAMES),
        format_func=MIX_NAMES.__getitem__,
        required=True,
        wrap=True,
        **chosen.bind(),
    )
    if chosen.value != CUSTOM:
        return MIXES[chosen.value]
    _draw_corpora()
    faults = 0
    for ratio, (name, label, options, explanation) in _FIELDS.items():
        parameter = _ratio(name)
        there = list(dict.fromkeys((*options, parameter.value)))
        choosing.selectbox(
            label,
            there,
            format_func=lambda text, options=options: options.get(text, text),  # type: ignore[misc]
            accept_new_options=True,
            help=f"{explanation} Choose one, or type two whole numbers like 3:2.",
            **parameter.bind(),
        )
        try:
            read_mix(f"{ratio}={parameter.value}")
        except MixError as error:
            st.error(plain(str(error)), icon=":material/error:")
            faults += 1
    if faults:
        return None
    return read_mix(
        ",".join(f"{ratio}={_ratio(field[0]).value}" for ratio, field in _FIELDS.items())
    )


def _draw_corpora() -> None:
    """Links that set the ratios to those of public corpora."""
    st.caption(
        "Begin with the ratios of public school problems:",
        help="As they were read, not corrected; a ratio of fewer than "
        f"{LEAST_TOLD} counted things stays 1:1. What was counted, of which texts, and how far "
        "from the truth it may be, stands in docs/origins.md, “Public corpora”.",
    )
    with st.container(horizontal=True):
        for corpus in public_corpora():
            given = ",".join(f"{ratio}={a}:{b}" for ratio, (a, b) in corpus.ratios.items())
            link(
                TRAINING_LAB,
                f"{corpus.name} ({count(corpus.texts, 'text')})",
                mix_address(read_mix(given)),
            )


def draw_explanation(mix: LessonMix) -> None:
    """Says what a mix is like that has a name."""
    if (name := mix_name(mix)) in EXPLANATIONS:
        st.caption(EXPLANATIONS[name])


def mix_address(mix: LessonMix) -> dict[str, str]:
    """What stands in the address of the training lab where this mix is chosen."""
    name = mix_name(mix)
    if name != CUSTOM:
        return {"mix": name}
    given = (part.partition("=") for part in mix.text.split(","))
    return {"mix": CUSTOM} | {_FIELDS[ratio][0]: numbers for ratio, _, numbers in given}


def _ratio(name: str) -> Parameter[str]:
    return Parameter(name, "1:1", lambda text: text.strip() or None)


def hundred(shares: Mapping[str, float]) -> dict[str, int]:
    """How many of a hundred each kind has, adding up to a hundred (largest remainders).

    Args:
        shares: fractions that add up to 1.
    """
    counts = {kind: int(100 * share) for kind, share in shares.items()}
    missing = 100 - sum(counts.values())
    by_rest = sorted(shares, key=lambda kind: counts[kind] - 100 * shares[kind])
    for kind in by_rest[:missing]:
        counts[kind] += 1
    return counts


def kinds(mix: LessonMix) -> dict[str, float]:
    """Shares of word problems: of transfers, and with comparisons in either wording."""
    transfers = mix.transfer / (mix.transfer + mix.comparison)
    consistent = mix.consistent / (mix.consistent + mix.inconsistent)
    return {
        "transfer": transfers,
        "consistent": (1 - transfers) * consistent,
        "inconsistent": (1 - transfers) * (1 - consistent),
    }


def mix_words(mix: LessonMix) -> str:
    """What share of the lessons is what, in sentences."""
    shares = kinds(mix)
    counts = hundred(shares)
    said = {kind: _some(counts[kind], share) for kind, share in shares.items()}
    carry = mix.carry / (mix.no_carry + mix.carry)
    needing = _some(hundred({"with": carry, "without": 1 - carry})["with"], carry)
    return (
        f"Out of 100 word problems, about {said['transfer']} are of getting and giving and "
        f"compare nobody, {said['consistent']} compare in words that fit the calculation "
        f"(consistent) and {said['inconsistent']} in words that mislead (inconsistent). "
        f"Of 100 calculations with three-digit numbers in comparisons, {needing} need a carry or "
        f"a borrow. {SAME_FOR_ALL}"
    )


def _some(count: int, share: float) -> str:
    if share and not count:
        return "fewer than 1"
    return str(count) if count else "none"


_MARKS = {
    "transfer": ("○", "var(--bl-faint)", "getting and giving"),
    "consistent": ("●", "var(--bl-x)", "consistent comparison"),
    "inconsistent": ("◆", "var(--bl-x-prime)", "inconsistent comparison"),
}


def draw_picture(mix: LessonMix) -> None:
    """A hundred marks, one a problem; what they mean stands under them and in `mix_words`."""
    counts = hundred(kinds(mix))
    marks = "".join(
        f'<span style="color:{colour}">{glyph}</span>' * counts[kind]
        for kind, (glyph, colour, _) in _MARKS.items()
    )
    legend = "".join(
        f'<span class="bl-tag"><span style="color:{colour}">{glyph}</span> {html.escape(name)}: '
        f"<b>{counts[kind]}</b></span>"
        for kind, (glyph, colour, name) in _MARKS.items()
    )
    said = ", ".join(f"{counts[kind]} {name}" for kind, (_, _, name) in _MARKS.items())
    st.html(
        '<figure class="bl" style="margin:0;display:flex;flex-direction:column;gap:0.6rem">'
        f'<div role="img" aria-label="A hundred word problems: {html.escape(said)}" '
        'style="display:grid;grid-template-columns:repeat(20,1fr);max-width:30rem;'
        'font-size:1.05rem;line-height:1.25;text-align:center">'
        f'{marks}</div><div class="bl-tags">{legend}</div></figure>'
    )


_KIND_WORDS = {
    "transfer": "Getting and giving",
    "consistent": "A consistent comparison",
    "inconsistent": "An inconsistent comparison",
}
_LOOKED_AT = 3_000
"""Lessons looked through for a kind: enough for one that has a share of one in a hundred."""


def kind_of(item: Item) -> str:
    """``transfer``, or the wording of the problem's only comparison."""
    wordings = {step["consistent"] for step in item.facts["steps"]} - {None}
    if not wordings:
        return "transfer"
    return "consistent" if True in wordings else "inconsistent"


def commonest(mix: LessonMix) -> list[str]:
    """The two commonest kinds of word problems; one where there is no other."""
    shares = kinds(mix)
    there = [kind for kind in shares if shares[kind] > 0]
    return sorted(there, key=lambda kind: -shares[kind])[:2]


@lru_cache(maxsize=64)
def example_lessons(mix: str, seed: int) -> tuple[tuple[str, TrainingLesson], ...]:
    """For each of the commonest kinds a lesson of one step that this training really has.

    Args:
        mix: its ratios (`LessonMix.text`).
        seed: of the training.
    """
    chosen = read_mix(mix)
    wanted = commonest(chosen)
    many = 2 // len(wanted)
    found: dict[str, list[TrainingLesson]] = {kind: [] for kind in wanted}
    for lesson in islice(lessons(chosen, seed, 0, ONE_STEP), _LOOKED_AT):
        mine = found.get(kind_of(lesson.item))
        if mine is not None and len(mine) < many:
            mine.append(lesson)
        if all(len(some) == many for some in found.values()):
            break
    return tuple((kind, lesson) for kind in wanted for lesson in found[kind])


def draw_examples(mix: LessonMix, seed: int) -> None:
    """Draws them side by side, with their calculation."""
    cards = "".join(
        f'<section class="bl-card x{"-prime" if kind == "inconsistent" else ""}" '
        f'aria-label="{_KIND_WORDS[kind]}">'
        f'<div class="bl-arm">{_KIND_WORDS[kind]}</div>'
        f'<p class="bl-text">{html.escape(lesson.item.text)}</p>'
        f"{steps_html(lesson.item.facts['steps'])}"
        f'<p class="bl-foot">Right answer: <b>{html.escape(lesson.item.answer)}</b></p></section>'
        for kind, lesson in example_lessons(mix.text, seed)
    )
    st.html(f'<div class="bl bl-pair">{cards}</div>')
