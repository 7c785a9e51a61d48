"""What a question says around its noun: its verb, whose, where, when, compared with what."""

from __future__ import annotations

from collections.abc import Sequence

from schoolmath.problems.stories.amounts import thing_of
from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.grammar.items import Phrase
from schoolmath.problems.stories.grammar.phrases import NounPhrase
from schoolmath.problems.stories.questions.asked import StoryQuestion
from schoolmath.problems.stories.telling import StoryFacts


def add_verb(asked: StoryQuestion, lemma: str, found: Sequence[Phrase], told: StoryFacts) -> None:
    """Sets the question's verb, and adds what stands after it.

    Args:
        asked: the question.
        lemma: of the verb.
        found: the phrases after it.
        told: what the story told.
    """
    known = words.lexicon()
    kind = known.verbs.get(lemma, "act") if lemma not in known.unclear else "act"
    for number, item in enumerate(found[:4]):
        particle = item.word if item.kind == "word" else item.preposition
        if item.kind == "with" and (
            number
            or item.phrase is None
            or item.phrase.head in {"all", "total"}
            or particle in {"in", "on"}
        ):
            continue
        if particle and f"{lemma} {particle}" in known.particles:
            lemma = f"{lemma} {particle}"
            kind = known.particles[lemma]
            break
    asked.verb, asked.kind = lemma, kind
    if lemma in {"start", "begin"}:
        asked.flags.add("start")
    if lemma in {"cost", "charge"} or kind == "price":
        asked.flags.add("money")
    add_around(asked, found, told)


def add_around(asked: StoryQuestion, found: Sequence[Phrase], told: StoryFacts) -> None:
    """Adds what stands around the verb: with whom it is compared, where, when, of each what."""
    for item in found:
        phrase = item.phrase
        if item.kind == "than" and phrase is not None:
            if (
                phrase.pronoun
                or phrase.name
                or phrase.head in told.people
                or phrase.head in words.KIN
            ):
                asked.than_owner = (named_in_question(phrase, told) or ("?",))[0]
            elif phrase.owner and phrase.head in {asked.thing.head, ""}:
                asked.than_owner = phrase.owner
            else:
                asked.than = thing_of(phrase)
        elif item.kind == "with" and phrase is not None:
            content = (
                phrase.mods
                | phrase.of
                | {phrase.head}
                | ({phrase.owner} if phrase.owner else set())
            )
            content -= {"his", "her", "their", "its"}
            if phrase.each or item.preposition == "per":
                asked.per = thing_of(phrase)
            elif phrase.head in {"all", "total"}:
                asked.flags.add("total")
            elif phrase.head in {"beginning", "start", "first"}:
                asked.flags.add("start")
            elif phrase.head in {"end"}:
                asked.flags.add("now")
            elif item.preposition == "to" and asked.kind in {"give", "loss"}:
                asked.receiver = (named_in_question(phrase, told) or ("",))[0]
            elif phrase.head in words.TIMES or item.preposition in {
                "during",
                "before",
                "after",
            }:
                asked.time |= content
                if item.preposition == "before":
                    asked.flags.add("before")
            else:
                asked.place |= content
        elif item.kind == "phrase" and phrase is not None:
            if phrase.head == "total":
                asked.flags.add("total")
            elif phrase.each:
                asked.per = thing_of(phrase) if phrase.head else asked.per
            elif phrase.head in words.TIMES:
                asked.time |= phrase.mods | {phrase.head}
            elif phrase.pronoun and asked.kind == "price":
                continue
            else:
                asked.place |= phrase.mods | {phrase.head}
        elif item.word in {"yesterday", "today", "tomorrow", "last"}:
            asked.time.add(item.word)


def named_in_question(phrase: NounPhrase, told: StoryFacts) -> tuple[str, ...]:
    """Whom a phrase of a question names, pronouns resolved."""
    if phrase.pronoun:
        if phrase.head in {"he", "she"}:
            return told.pronoun(phrase.head)
        if phrase.head in {"they", "we"}:
            return told.group or ("they",)
        if phrase.head == "it":
            return ("it",)
        return (phrase.head,)
    return (phrase.head,) if phrase.head else ()
