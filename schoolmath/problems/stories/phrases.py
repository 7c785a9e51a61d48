"""Noun phrases, how many of what, of whom; and the phrases before and after a verb, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.words import StoryToken

_BREAKS = words.classes()["breaks"]
_EMPTY = words.classes()["empty"]
_ONE_TIME = frozenset({"day", "week", "morning", "afternoon", "evening"})
_TIMES_ONCE = _ONE_TIME | {"time", "night"}
_ADVERBS = words.ADVERBS - {"first", "next"}
_DEFINITE = words.POSSESSIVES | {"the", "this", "that", "these", "those"}
_HOW_MANY = frozenset({"some", "several", "many", "few", "most"})


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase.

    Attributes:
        start, end: its tokens, as indices of the sentence.
        value: the number that it begins with; None: none.
        at: index of the number in the text; -1: none.
        some: whether it tells an amount without a number ("some", "a few").
        head: the singular of its noun; "" where that is left out.
        mods: what stands before the noun.
        of: words of what it is of ("of candy"), in the singular.
        more, fewer: whether it says so many more or fewer.
        part: whether it is a part of something told before ("5 of them", "3 of the marbles").
        total: whether it says that it is a total.
        owner: whose it is, where it says so ("Haley's marbles"); a pronoun stays one.
        name: whether its noun is a proper name.
        definite: whether it begins with "the" or a possessive.
        plural: whether the noun stands in the plural.
        money: whether the number has a sign of money.
        rest: whether it means what is left over.
    """

    start: int
    end: int
    value: Fraction | None = None
    at: int = -1
    some: bool = False
    head: str = ""
    mods: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    more: bool = False
    fewer: bool = False
    part: bool = False
    total: bool = False
    owner: str = ""
    name: bool = False
    definite: bool = False
    plural: bool = False
    money: bool = False
    rest: bool = False
    pronoun: bool = False
    times: bool = False
    each: bool = False
    other: bool = False
    article: bool = False

    @property
    def amount(self) -> bool:
        """Whether it tells an amount."""
        return self.value is not None or self.some


def noun_phrase(
    tokens: Sequence[StoryToken], start: int, end: int, verbs: frozenset[int]
) -> NounPhrase | None:
    """The noun phrase that begins at a token, or None.

    Args:
        tokens: of the sentence.
        start: where it begins.
        end: where it ends at the latest.
        verbs: indices of the sentence's verbs, which no noun phrase holds.
    """
    return _Reader(tokens, end, verbs).read(start)


class _Reader:
    def __init__(self, tokens: Sequence[StoryToken], end: int, verbs: frozenset[int]) -> None:
        self.tokens = tokens
        self.end = end
        self.verbs = verbs

    def word(self, at: int) -> str:
        return self.tokens[at].word if at < self.end and at not in self.verbs else ""

    def read(self, start: int) -> NounPhrase | None:
        at = start
        word = self.word(at)
        if not word:
            return None
        if word in words.PERSONAL and not (
            word == "her"
            and (self._noun_follows(at + 1) or (self._number(at + 1) and at - 1 not in self.verbs))
        ):
            return NounPhrase(start, at + 1, head=word, pronoun=True)
        total = more = fewer = some = definite = each = other = article = False
        owner = ""
        if word in {"each", "every"} and self.word(at + 1) == "of":
            inner = self.read(at + 2)
            if inner is not None and not inner.pronoun:
                return NounPhrase(
                    start,
                    inner.end,
                    inner.value,
                    inner.at,
                    head=inner.head,
                    mods=inner.mods,
                    of=inner.of,
                    each=True,
                    plural=True,
                    definite=True,
                )
            return NounPhrase(start, inner.end if inner else at + 1, each=True, definite=True)
        if (
            word in {"all", "both", "only", "about", "just", "over", "exactly"}
            and at + 1 < self.end
        ):
            at += 1
            word = self.word(at)
            if word == "of":
                at += 1
                word = self.word(at)
        if word in {
            "the", "a", "an", "his", "her", "their", "its", "my", "your", "our", "this", "that",
            "these", "those", "some", "any", "no", "each", "every", "another", "several", "many",
            "few", "most",
        }:  # fmt: skip
            definite = word in _DEFINITE
            owner = word if word in {"his", "her", "their", "its", "my", "our"} else ""
            some = word in _HOW_MANY
            each = word in {"each", "every"}
            article = word in {"a", "an"}
            if each and self.word(at + 1) in {"his", "her", "their", "the"}:
                at += 1
            more = other = word == "another"
            if word == "a" and self.word(at + 1) == "few":
                some, at = True, at + 1
            if (
                word == "a"
                and self.word(at + 1) in {"number", "lot", "couple"}
                and self.word(at + 2) == "of"
            ):
                some, at = True, at + 2
            at += 1
        elif self._possessor(at):
            owner, at = self._possessor_of(at)
            definite = True
        if self.word(at) in {"total", "number", "sum", "grand"}:
            after = at + (2 if self.word(at) == "grand" else 1)
            if self.word(after) == "number" and self.word(after + 1) == "of":
                after += 1
            if self._number(after):
                total, at = True, after
            elif self.word(after) == "of" and self.word(after + 1):
                total = True
                at = after + 1
                if self.word(at) in {"the"}:
                    at += 1
        if self.word(at) in {"additional", "extra", "more", "other", "another"} and self._number(
            at + 1
        ):
            more = self.word(at) != "other"
            other = self.word(at) in {"other", "another"}
            at += 1
        if self.word(at) in {"first", "remaining", "last"} and self._number(at + 1):
            at += 1
        value, money, number_at = None, False, -1
        if self._number(at):
            token = self.tokens[at]
            value = Fraction(1) if token.word == "one" else token.value
            if value is None:
                return None
            money, number_at = token.money, token.index
            some = False
            at += 1
            if self.word(at) in {"dozen"}:
                value, at = value * 12, at + 1
            elif self.word(at) in {"hundred", "thousand", "million"}:
                return None
        times = False
        if value is not None and self.word(at) == "times":
            times = True
            at += 1
        while self.word(at) in {"more", "fewer", "less", "extra", "additional", "lesser"} and (
            value is not None or some
        ):
            more = more or self.word(at) in {"more", "additional"}
            fewer = fewer or self.word(at) in {"fewer", "less", "lesser"}
            at += 1
        part = False
        if (value is not None or some) and self.word(at) == "of":
            inner = self.read(at + 1)
            if inner is not None and inner.article and inner.head in words.MEASURES:
                # "0.2 of a cup of yogurt"
                return NounPhrase(
                    start,
                    inner.end,
                    value,
                    number_at,
                    some,
                    inner.head,
                    inner.mods,
                    inner.of,
                    more,
                    fewer,
                    total=total,
                    definite=definite,
                )
            if inner is not None and (inner.definite or inner.pronoun) and not inner.amount:
                part = True
                return NounPhrase(
                    start,
                    inner.end,
                    value,
                    number_at,
                    some,
                    "" if inner.pronoun else inner.head,
                    inner.mods,
                    inner.of,
                    more,
                    fewer,
                    part,
                    total,
                    inner.owner or owner,
                    False,
                    definite,
                    inner.plural,
                    money,
                    False,
                    False,
                    times,
                    each,
                    other,
                )
            if inner is None or inner.amount:
                return None
        if money and self.word(at) in {"dollars", "dollar"}:
            at += 1
        if money:
            # "$6 worth of"; what follows a sum of money is another phrase.
            return NounPhrase(
                start,
                at,
                value,
                number_at,
                some,
                "dollar",
                more=more,
                fewer=fewer,
                total=total,
                owner=owner,
                money=True,
                plural=True,
                definite=definite,
                each=each,
                other=other,
            )
        content, name, at = self._content(at)
        if not content and value is None and not some:
            if total:
                return NounPhrase(start, at, total=True, definite=definite)
            if each:
                return NounPhrase(start, at, head="", each=True, definite=True)
            return None
        rest = content == ["rest"] or content == ["remainder"]
        head = words.noun_lemma(content[-1]) if content and not name else " ".join(content)
        mods = (
            frozenset(
                words.noun_lemma(each_word) for each_word in content[:-1] if each_word not in _EMPTY
            )
            if not name
            else frozenset[str]()
        )
        if content and content[0] in {"other", "another", "additional", "extra"}:
            more = more or (content[0] not in {"other", "extra"} and value is not None)
            other = True
        of = frozenset[str]()
        if (
            content
            and self.word(at) == "of"
            and self.word(at + 1) == "size"
            and self._number(at + 2)
        ):
            pass
        elif content and self.word(at) == "of" and not self._number(at + 1):
            inner = self.read(at + 1)
            if inner is not None and not inner.pronoun and not inner.value:
                of = inner.mods | inner.of | {inner.head}
                owner = owner or inner.owner
                at = inner.end
        plural = bool(content) and words.is_plural(content[-1])
        return NounPhrase(
            start,
            at,
            value,
            number_at,
            some,
            head,
            mods,
            of,
            more,
            fewer,
            part,
            total,
            owner,
            name,
            definite,
            plural,
            money,
            rest,
            False,
            times,
            each,
            other,
            article,
        )

    def _number(self, at: int) -> bool:
        if at >= self.end:
            return False
        token = self.tokens[at]
        if token.number:
            return True
        return (
            token.word == "one"
            and self._noun_follows(at + 1)
            and not (
                at > 0
                and self.tokens[at - 1].word in {"each", "every", "the", "this", "that", "which"}
            )
            and self.word(at + 1) not in _TIMES_ONCE
        )

    def _noun_follows(self, at: int) -> bool:
        word = self.word(at)
        return bool(word) and word[0].isalpha() and word not in _BREAKS and at not in self.verbs

    def _possessor(self, at: int) -> bool:
        """Whether a name or noun with 's begins here."""
        for ahead in range(at, min(at + 3, self.end)):
            word = self.word(ahead)
            if word == "'s":
                return ahead > at
            if not word or not word[0].isalpha() or (word in _BREAKS and ahead > at):
                return False
        return False

    def _possessor_of(self, at: int) -> tuple[str, int]:
        names = []
        while self.word(at) != "'s":
            names.append(self.word(at))
            at += 1
        return names[-1], at + 1

    def _content(self, at: int) -> tuple[list[str], bool, int]:
        """The adjectives and nouns from here on, whether they are a name, and where they end."""
        content: list[str] = []
        capitals = 0
        while at < self.end and at not in self.verbs:
            token = self.tokens[at]
            word = token.word
            if (
                token.number
                or not word[0].isalpha()
                or (word in _BREAKS and not (word in {"past", "round"} and not content))
            ):
                break
            if word in _ADVERBS or (word == "one" and content):
                break
            if content and token.capital and len(word.strip("_")) == 1 and not capitals:
                # "box A": which of the boxes.
                content.insert(0, word)
                at += 1
                break
            if content and (word in {"total", "more"} or (token.capital and not capitals)):
                break
            does = (
                word.endswith("ing") and words.verb_lemma(word) and not self._noun_follows(at + 1)
            )
            if content and does and words.is_plural(content[-1]):
                # "87 families living near ...": what they do, not what they are.
                break
            capital = token.capital and word not in words.TIMES
            capitals += capital
            content.append(word)
            at += 1
            if word in {"dollars", "cents"}:
                break
            if (
                at + 1 < self.end
                and self.tokens[at].word == ","
                and words.can_be_adjective(word)
                and not words.is_plural(word)
                and words.can_be_adjective(self.word(at + 1) or "the")
                and len(content) < 3
                and not capital
            ):
                # "46 big, red apples"
                at += 1
            if at < self.end and self.word(at) == "'s":
                # "the girls' books" and "Haley's class": what came before is whose it is.
                content = []
                capitals = 0
                at += 1
        name = bool(content) and capitals == len(content)
        return content, name, at


@dataclass(slots=True)
class Phrase:
    """A noun phrase, a prepositional phrase or an adverb of a clause."""

    kind: str
    phrase: NounPhrase | None = None
    preposition: str = ""
    word: str = ""


def items_of(
    tokens: Sequence[StoryToken], start: int, end: int, verbs: frozenset[int]
) -> list[Phrase]:
    """The phrases of a part of a sentence, in order."""
    found: list[Phrase] = []
    at = start
    while at < end:
        word = tokens[at].word
        if at in verbs:
            at += 1
            continue
        if word == "than":
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Phrase("than", phrase))
            at = phrase.end if phrase is not None else at + 1
            continue
        if word == "as" and at + 2 < end and tokens[at + 1].word in {"many", "much"}:
            found.append(Phrase("word", word="as many"))
            at += 2
            continue
        if word == "as" and found and any(item.word == "as many" for item in found):
            phrase = noun_phrase(tokens, at + 1, end, verbs)
            found.append(Phrase("than", phrase))
            at = phrase.end if phrase is not None else at + 1
            continue
        if word in words.PREPOSITIONS and not (
            word == "about" and at + 1 < end and tokens[at + 1].number
        ):
            after = at + 1
            if after < end and tokens[after].word == "size":
                after += 1
            while after < end and tokens[after].word in words.PREPOSITIONS:
                after += 1
            phrase = noun_phrase(tokens, after, end, verbs)
            if phrase is None:
                found.append(Phrase("word", word=word))
                at += 1
            else:
                found.append(Phrase("with", phrase, word))
                at = phrase.end
            continue
        phrase = noun_phrase(tokens, at, end, verbs)
        if phrase is not None:
            found.append(Phrase("phrase", phrase))
            at = phrase.end
            continue
        found.append(Phrase("word", word=word))
        at += 1
    return found
