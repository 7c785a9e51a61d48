"""What a part of a structure says, as a sentence with letters for people and no numbers.

"A gives B some apples." is what a teacher understands at a glance; ``transfer- A>B`` is not.
These sentences are for the builder alone: problems are written by `schoolmath.problems.writing`.
"""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.ui.studies.word_problems.structure_line import PartSides, StructureLine
from schoolmath.problems.structure import NO_ATTRIBUTE, SentenceKind, StructureStep
from schoolmath.problems.vocabulary import vocabulary

_THING = "apple"
"""Stands for what is counted where nothing is said about it."""
_SOMEBODY, _ELSE = "somebody", "somebody else"
_WORDS = {
    "+": "some more",
    "-": "some fewer",
    "*": "several times as many",
    "/": "several times fewer",
}
_TURNED = {"+": "-", "-": "+", "*": "/", "/": "*"}


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is counted in all sentences: identifiers of a noun and of its container."""

    thing: str
    container: str


def examples(line: StructureLine) -> list[str]:
    """Every part as a sentence; what was typed where a part cannot be read."""
    scene = _scene(line)
    found = []
    for index, part in enumerate(line.parts):
        if part.step is None or part.sides is None:
            found.append(f"“{part.text}” is not understood")
            continue
        boxed = line.plan is not None and line.plan.parts[index].packed > 0
        sentence = _sentence(part.step, part.sides, scene, boxed)
        found.append(sentence[0].upper() + sentence[1:])
    return found


def _scene(line: StructureLine) -> _Scene:
    steps = [part.step for part in line.parts if part.step is not None]
    thing = next((step.thing for step in steps if step.thing and not step.distractor), _THING)
    noun = vocabulary().nouns[thing]
    unit = next((step.unit for step in steps if step.unit and step.kind is SentenceKind.RATE), "")
    return _Scene(thing, unit or next(iter((*noun.containers, *noun.measures)), "box"))


def _sentence(step: StructureStep, sides: PartSides, scene: _Scene, boxed: bool) -> str:
    agent = sides.agent or _SOMEBODY
    if step.kind is SentenceKind.RATE:
        unit = vocabulary().units[step.unit or scene.container]
        what = _things(step, scene, boxed=False)
        if sides.sign == "/":
            return f"{agent}’s {what} are packed into {unit.plural}, so many to a {unit.singular}."
        return f"each {unit.singular} of {agent}’s holds so many {what}."
    what = _things(step, scene, boxed)
    match step.kind:
        case SentenceKind.TRANSFER:
            return _transfer(agent, sides, what)
        case SentenceKind.COMPARISON:
            return _comparison(step, agent, sides.other or _ELSE, sides.sign, what)
        case _:
            return f"{agent} has some {what}."


def _transfer(agent: str, sides: PartSides, what: str) -> str:
    other = sides.other
    if sides.sign == "+":
        return f"{other} gives {agent} some {what}." if other else f"{agent} gets some {what}."
    if sides.sign == "-":
        return (
            f"{agent} gives {other} some {what}." if other else f"{agent} gives away some {what}."
        )
    return f"{agent} gets or gives away some {what}."


def _comparison(step: StructureStep, new: str, known: str, sign: str, what: str) -> str:
    if not sign:
        return f"{new} is compared with {known}: more or fewer {what}."
    first, second = (new, known) if step.consistent is not False else (known, new)
    said = sign if step.consistent is not False else _TURNED[sign]
    return f"{first} has {_WORDS[said]} {what} {'as' if said == '*' else 'than'} {second}."


def _things(step: StructureStep, scene: _Scene, boxed: bool) -> str:
    words = vocabulary()
    noun = words.nouns[step.thing or scene.thing]
    adjective = "" if step.attribute in ("", NO_ATTRIBUTE) else f"{step.attribute} "
    phrase = f"{adjective}{noun.plural}"
    unit = step.unit if step.kind is not SentenceKind.RATE else ""
    if not unit and (boxed or not noun.countable):
        unit = scene.container if boxed or noun.containers else noun.measures[0]
    return f"{words.units[unit].plural} of {phrase}" if unit else phrase
