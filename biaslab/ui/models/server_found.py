"""What the test of a server found, in plain words: what works, and what that means."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace

import streamlit as st

from biaslab.models import Endpoint
from biaslab.models.provider import why_no_level
from biaslab.models.requests import ThinkingLevel
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointReport,
    ProbeStep,
    Scoring,
    Seed,
    SystemMessage,
    Thinking,
)
from biaslab.models.server.probe.known_prompts import SAMPLE
from biaslab.ui.widgets.words import duration, plain
from schoolmath.text.figures import count

PAIRS_TIMED = 200
"""The size of study that the time is given for; Compose starts with it."""

WAYS = {Endpoint.CHAT: "chat", Endpoint.COMPLETIONS: "plain text"}

_MARKS = {True: ("✓", "works"), False: ("✗", "does not work"), None: ("–", "not known")}


@dataclass(frozen=True, slots=True)
class ServerFinding:
    """One line of the table.

    Attributes:
        what: was tried.
        works: whether it does; None where that is not known or means nothing.
        found: in a few words.
        meaning: for studies, as a sentence.
    """

    what: str
    works: bool | None
    found: str
    meaning: str


_UNTRIED = "The test ended before, so this counts as not there."


def findings(capabilities: Capabilities) -> list[ServerFinding]:
    """Everything that was found about a model that can be asked."""
    chosen = capabilities.chosen
    if chosen is None:
        return []
    by_step = [
        (ProbeStep.PROBLEM, _answers(capabilities)),
        (ProbeStep.PROBABILITIES, _log_probabilities(chosen)),
        (ProbeStep.PROBLEM, _temperature(chosen)),
        (ProbeStep.SEED, _seed(chosen)),
        (ProbeStep.LONGEST, _longest(capabilities)),
        (ProbeStep.PROBLEM, _thinking(chosen)),
        *((ProbeStep.TURNS, each) for each in _turns(chosen)),
        (ProbeStep.SYSTEM, _system(capabilities)),
        *((ProbeStep.PROBLEM, each) for each in _stops(chosen)),
        (ProbeStep.PROBLEM, _speed(chosen)),
    ]
    return [
        replace(finding, works=None, found="not tried", meaning=_UNTRIED)
        if step in capabilities.untried
        else finding
        for step, finding in by_step
    ]


def in_short(capabilities: Capabilities) -> str:
    """What a model can do in one line, for lists."""
    if ProbeStep.PROBLEM in capabilities.untried:
        return "not tested"
    parts = [
        " and ".join(WAYS[each.endpoint] for each in capabilities.found if each.works).capitalize()
    ]
    if ProbeStep.PROBABILITIES in capabilities.untried:
        parts.append("log-probabilities not tried")
    elif capabilities.scoring_is_right:
        parts.append("log-probabilities proved right")
    elif capabilities.scoring is not Scoring.NONE:
        parts.append("log-probabilities wrong")
    else:
        parts.append("no log-probabilities")
    if capabilities.seed is Seed.REPEATS:
        parts.append("seed works")
    if capabilities.longest is not None:
        parts.append(f"{capabilities.longest:,} tokens")
    return " · ".join(parts)


def draw_findings(capabilities: Capabilities) -> None:
    """The table, the sample with the model's answer, and what the test has used."""
    for problem in capabilities.problems:
        st.warning(plain(problem))
    if ProbeStep.PROBLEM in capabilities.untried:
        return  # a table of what is not known would say it ten times
    rows = "".join(_row(finding) for finding in findings(capabilities))
    st.html(
        '<div class="bl bl-findings" role="table" aria-label="What the test found">'
        '<div class="bl-finding bl-finding-head" role="row">'
        '<span role="columnheader">Tried</span><span role="columnheader">Found</span>'
        '<span role="columnheader">What it means for your studies</span></div>'
        f"{rows}</div>"
    )
    draw_sample(capabilities)
    st.caption(
        f"The test used {count(capabilities.requests, 'request')} and "
        f"{count(capabilities.tokens, 'token')}."
    )


def draw_sample(capabilities: Capabilities) -> None:
    """The sample problem and what the model wrote, as plain text."""
    chosen = capabilities.chosen
    if chosen is None:
        return
    chat = chosen.endpoint is Endpoint.CHAT
    with st.expander("The sample problem and the model's answer", expanded=True):
        st.caption("To the model" if chat else "Text that the model continued")
        st.code(SAMPLE.turn if chat else SAMPLE.text, language=None, wrap_lines=True)
        st.caption("Its answer")
        if chosen.answer.strip():
            st.code(chosen.answer, language=None, wrap_lines=True)
        else:
            st.caption("Nothing: it wrote no text.")
        st.caption(
            f"Right is {SAMPLE.answer}. A wrong answer does not mean a bad connection: the studies "
            "are about how models go wrong."
        )


def _row(finding: ServerFinding) -> str:
    mark, said = _MARKS[finding.works]
    return (
        f'<div class="bl-finding" role="row"><b role="rowheader">{html.escape(finding.what)}</b>'
        f'<span role="cell"><span aria-label="{said}" role="img">{mark}</span> '
        f"{html.escape(finding.found)}</span>"
        f'<span role="cell" class="bl-faint">{html.escape(finding.meaning)}</span></div>'
    )


def _answers(capabilities: Capabilities) -> ServerFinding:
    working = [WAYS[each.endpoint] for each in capabilities.found if each.works]
    how = (
        "It is asked in a chat."
        if capabilities.endpoint is Endpoint.CHAT
        else "It continues texts, like a model that was not trained to chat."
    )
    missing = " ".join(each.why_not for each in capabilities.found if not each.works)
    served = ""
    if capabilities.served and capabilities.served != capabilities.name:
        served = f" Its answers come under the name “{capabilities.served}”."
    return ServerFinding("Answers", True, " and ".join(working), f"{how}{served} {missing}".strip())


def _log_probabilities(endpoint: EndpointReport) -> ServerFinding:
    what = "Log-probabilities"
    proof = endpoint.proof
    if not proof.right:
        why = proof.why_not or (
            "A study that compares how probable given answers are to the model is refused here."
        )
        return ServerFinding(
            what,
            False,
            "none" if proof.scoring is Scoring.NONE else "given, but not right",
            f"{why} Studies that read what the model writes do not need them.",
        )
    if proof.scoring in (Scoring.ECHO, Scoring.FORCED):
        return ServerFinding(
            what,
            True,
            "proved right, for any text",
            "Studies that compare how probable given answers are to the model can ask it.",
        )
    return ServerFinding(
        what,
        True,
        f"proved right, for the {proof.alternatives} likeliest first words",
        "Studies that compare how probable answers of one word are can ask it, as long as the "
        "words are among these.",
    )


def _temperature(endpoint: EndpointReport) -> ServerFinding:
    if endpoint.cold:
        return ServerFinding(
            "Temperature 0", True, "taken", "The model gives its likeliest answer, as studies ask."
        )
    return ServerFinding(
        "Temperature 0",
        False,
        "refused",
        "Answers are drawn by chance: ask for temperature 1 and several samples of each problem.",
    )


def _seed(endpoint: EndpointReport) -> ServerFinding:
    works: bool | None
    match endpoint.seed:
        case Seed.REPEATS:
            works, found = True, "the same seed gives the same text"
            meaning = "Answers at a temperature above 0 can be repeated."
        case Seed.IGNORED:
            works, found = False, "taken, without effect"
            meaning = "Answers at a temperature above 0 cannot be repeated; those given are saved."
        case Seed.REFUSED:
            works, found = False, "refused"
            meaning = "Studies with several seeds cannot ask it; several samples may be asked for."
        case Seed.UNCLEAR:
            works, found = None, "no effect was seen"
            meaning = "Every text was the same, whatever the seed: samples may all be alike."
        case _:
            works, found, meaning = None, "not tried", "Not known."
    return ServerFinding("Seed", works, found, meaning)


def _longest(capabilities: Capabilities) -> ServerFinding:
    what = "Longest text"
    if capabilities.longest is None:
        return ServerFinding(
            what, None, "the server does not say", "A problem that is too long shows as failed."
        )
    source = (
        "its list of models" if capabilities.longest_from == "list of models" else "its own words"
    )
    return ServerFinding(
        what,
        True,
        f"{capabilities.longest:,} tokens",
        f"Problem, working and answer together have to fit in (from {source}).",
    )


def _thinking(endpoint: EndpointReport) -> ServerFinding:
    what = "Thinking"
    match endpoint.thinking:
        case Thinking.SEPARATE:
            return ServerFinding(
                what,
                True,
                "comes apart from the answer",
                "It is stored separately; the answer is read.",
            )
        case Thinking.INSIDE:
            return ServerFinding(
                what,
                True,
                "stands inside the answer",
                "It is taken out where the answer is read, and saved.",
            )
        case _:
            return ServerFinding(what, None, "none was seen", "The model answers at once.")


def _turns(endpoint: EndpointReport) -> list[ServerFinding]:
    if endpoint.endpoint is not Endpoint.CHAT:
        return []
    begun = endpoint.continuing is not None
    levels = " or ".join(each for each in ThinkingLevel if not why_no_level(endpoint.switch, each))
    told = "More and less thinking can be compared." if levels else "It thinks as it does unasked."
    can = f"The strategies that begin the answer can{'' if begun else 'not'} be asked."
    return [
        ServerFinding("Begun answer", begun, "gone on from" if begun else "not gone on from", can),
        ServerFinding("Switch of thinking", bool(levels) or None, levels or "none was found", told),
    ]


def _system(capabilities: Capabilities) -> ServerFinding:
    what = "System message"
    none = "The studies here send none."
    match capabilities.system_message:
        case SystemMessage.OBEYED:
            return ServerFinding(what, True, "taken and obeyed", none)
        case SystemMessage.ACCEPTED:
            return ServerFinding(what, True, "taken, not obeyed", f"The model saw it. {none}")
        case SystemMessage.DROPPED:
            return ServerFinding(
                what,
                False,
                "dropped silently",
                f"The model never saw the one that was sent. {none}",
            )
        case SystemMessage.REFUSED:
            return ServerFinding(what, False, "refused", none)
        case _:
            return ServerFinding(what, None, "not tried", f"There is none without a chat. {none}")


def _stops(endpoint: EndpointReport) -> list[ServerFinding]:
    if endpoint.stops is None:
        return []
    if endpoint.stops:
        return [
            ServerFinding(
                "Stop texts", True, "taken", "An answer ends where a next problem would begin."
            )
        ]
    return [
        ServerFinding(
            "Stop texts",
            False,
            "without effect",
            "An answer runs on to its limit, which takes longer; what follows is cut off.",
        )
    ]


def _speed(endpoint: EndpointReport) -> ServerFinding:
    if endpoint.seconds is None:
        return ServerFinding("Speed", None, "not measured", "Not known.")
    seconds = endpoint.seconds
    found = f"{seconds:.1f} s for the sample" if seconds >= 0.1 else "under 0.1 s for the sample"
    return ServerFinding(
        "Speed",
        None,
        found,
        f"{PAIRS_TIMED} pairs, one request after the other, would take about "
        f"{duration(2 * PAIRS_TIMED * seconds)}; many at once take less.",
    )
