"""What is read from a sentence: of each number what it counts, whose it is, what happens to it."""

# ruff: noqa: E501

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories.amounts import Amount, Thing, thing_of
from schoolmath.problems.stories.facts import StoryFacts
from schoolmath.problems.stories.phrases import NounPhrase
from schoolmath.problems.stories.telling import tell
from schoolmath.problems.stories.words import sentences_of
from tests.loops import over


def thing(head: str, *mods: str, of: tuple[str, ...] = ()) -> Thing:
    """A thing with the words before it and those that it is of."""
    return Thing(head, frozenset(mods), frozenset(of))


def words(*each: str) -> frozenset[str]:
    """A set of words."""
    return frozenset(each)


ANA, BEN = ("ana",), ("ben",)

READ = {
    # Whose, of what, what is done.
    "Ana has 5 red pens.": [
        {"value": 5, "thing": thing("pen", "red"), "owners": ANA, "verb": "have", "kind": "state"}],
    "Ana bought twelve boxes of chalk.": [
        {"value": 12, "thing": thing("box", of=("chalk",)), "verb": "buy", "kind": "gain"}],
    "Ana lost 1,250 stamps.": [{"value": 1250, "thing": thing("stamp"), "kind": "loss"}],
    "Ana ran 2.5 miles.": [{"value": Fraction(5, 2), "thing": thing("mile"), "kind": "act"}],
    "Ana paid $7.": [{"value": 7, "thing": thing("dollar"), "kind": "give"}],
    "Ana bought a hat for 7 dollars.": [{"value": 7, "thing": thing("dollar"), "kind": "loss"}],
    # To whom, from whom.
    "Ana gave Ben 5 pens.": [{"owners": ANA, "receiver": "ben", "kind": "give"}],
    "Ana gave 5 pens to Ben.": [{"owners": ANA, "receiver": "ben", "kind": "give"}],
    "Ana got 5 pens from Ben.": [{"owners": ANA, "source": "ben", "kind": "gain"}],
    "Ana is given 5 pens by Ben.": [{"owners": ANA, "source": "ben", "kind": "gain"}],
    # Where and when.
    "Ana found 5 shells in the sand on Monday.": [
        {"place": words("sand"), "time": words("monday")}],
    "On Monday Ana found 5 shells.": [{"time": words("monday"), "place": words()}],
    "There are 5 cups on the shelf.": [
        {"owners": (), "kind": "state", "place": words("shelf"), "subject": False}],
    # Several in one sentence.
    "Ana has 5 pens and 7 caps.": [
        {"value": 5, "thing": thing("pen"), "owners": ANA},
        {"value": 7, "thing": thing("cap"), "owners": ANA}],
    "Ana has 5 red and 7 blue caps.": [
        {"value": 5, "thing": thing("cap", "red")}, {"value": 7, "thing": thing("cap", "blue")}],
    "Ana had 9 nuts and ate 4.": [
        {"value": 9, "kind": "state"}, {"value": 4, "kind": "loss", "thing": thing("nut"), "owners": ANA}],
    "Ana read 5 pages on Monday and 7 on Friday.": [
        {"value": 5, "time": words("monday")}, {"value": 7, "time": words("friday"), "thing": thing("page")}],
    # So many in each.
    "Each box holds 6 pens.": [{"value": 6, "per": thing("box"), "thing": thing("pen")}],
    "There are 6 pens in each box.": [{"value": 6, "per": thing("box")}],
    "Ana reads 6 pages per day.": [{"value": 6, "per": thing("day"), "thing": thing("page")}],
    "Ana earns 6 dollars an hour.": [{"value": 6, "per": thing("hour"), "thing": thing("dollar")}],
    "A box holds 6 pens.": [{"value": 6, "per": None, "generic": thing("box")}],
    "One box holds 6 pens.": [{"value": 6, "per": None, "generic": thing("box")}],
    "Ana bought 3 caps for 4 dollars each.": [
        {"value": 3, "per": None}, {"value": 4, "thing": thing("dollar")}],
    # Compared.
    "Ana has 6 more pens than Ben.": [
        {"value": 6, "more": True, "fewer": False, "than_owner": "ben", "owners": ANA, "compared": True}],
    "Ana has 6 fewer pens than Ben.": [
        {"value": 6, "more": False, "fewer": True, "than_owner": "ben", "compared": True}],
    "Ana has 6 times as many pens as Ben.": [
        {"value": 6, "times": True, "than_owner": "ben", "thing": thing("pen"), "compared": True}],
    "There are 6 more girls than boys.": [{"more": True, "than": thing("boy"), "than_owner": ""}],
    "Ana has 6 pens.": [{"more": False, "fewer": False, "times": False, "compared": False}],
    # What a verb says of some things only.
    "Ana took 6 photos.": [{"kind": "make", "thing": thing("photo")}],
    "Ana took 6 pens.": [{"kind": "take"}],
    "Ana bought 6 caps.": [{"verb": "buy", "kind": "gain"}],
    "Ana purchased caps for 6 dollars.": [{"verb": "spend", "kind": "loss"}],
    "Ana bought caps for 6 dollars.": [{"verb": "spend", "kind": "loss", "thing": thing("dollar")}],
    "Ana shared 6 figs with Ben.": [{"kind": "give", "receiver": "ben"}],
    "Ana shared 6 figs among 3 friends.": [{"kind": "act"}, {"value": 3, "thing": thing("friend")}],
    "Ana returned 6 books.": [{"kind": "act"}],
    "Ana threw 6 caps away.": [{"verb": "throw away", "kind": "loss"}],
    "6 children got on.": [{"verb": "get on", "kind": "come", "subject": True}],
    "6 children left.": [{"kind": "leave"}],
    "6 children left their coats in the hall.": [{"kind": "act"}],
    "8 children flew a kite.": [{"kind": "act"}],
    "8 birds flew away.": [{"kind": "leave"}],
    "Ana reads 6 pages each day in June.": [{"per": thing("day"), "time": words("june")}],
    "Every day Ana reads 6 pages.": [{"per": thing("day")}],
    "6 pens were given to Ben.": [{"receiver": "ben", "flags": words("passive")}],
    # Where a clause and its noun phrases begin and end.
    "Ana has 2 dozen eggs.": [{"value": 24, "thing": thing("egg")}],
    "Ana has a total number of 9 pens.": [{"value": 9, "thing": thing("pen")}],
    "Ana has a grand total of 9 pens.": [{"value": 9, "thing": thing("pen")}],
    "Ana spent $9 dollars.": [{"value": 9, "thing": thing("dollar")}],
    "Ana bought 3 swimming suits and 4 running shoes.": [
        {"thing": thing("suit", "swimming"), "verb": "buy"}, {"thing": thing("shoe", "running"), "verb": "buy"}],
    "There were 9 children swimming in a lake.": [{"thing": thing("child"), "verb": "be"}],
    "9 children swimming in a lake saw 4 ducks.": [
        {"thing": thing("child"), "subject": True}, {"thing": thing("duck"), "verb": "see"}],
    "After paying 2 dollars, Ana has 9 dollars.": [
        {"verb": "pay", "owners": ANA}, {"verb": "have", "owners": ANA}],
    "Ana, who has 9 pens, lost 4 pens.": [
        {"verb": "have", "owners": ANA}, {"verb": "lose", "owners": ANA}],
    "Ana paid 9 dollars for the pens that she bought.": [{"verb": "pay", "thing": thing("dollar")}],
    "Ana earned 9 dollars for washing 3 cars.": [
        {"verb": "earn", "thing": thing("dollar")}, {"verb": "wash", "kind": "act", "owners": ANA}],
    "Ana earned 9 dollars from washing 3 cars.": [
        {"verb": "earn", "source": ""}, {"verb": "wash", "kind": "act"}],
    "Ana has 9 lost keys and 4 used cars.": [
        {"thing": thing("key", "lost"), "kind": "state"}, {"thing": thing("car", "used"), "kind": "state"}],
    "Ana bought 3 boxes of colored pencils.": [{"verb": "buy", "thing": thing("box", of=("colored", "pencil"))}],
    "Ana made 9 cakes and sold 4 of the baked cakes.": [
        {"verb": "make"}, {"verb": "sell", "thing": thing("cake", "baked")}],
    "Ana has 9 pens, and Ben bought 4 caps.": [
        {"verb": "have", "owners": ANA}, {"verb": "buy", "owners": BEN}],
    "Ana ran 9 laps while Ben ran 4 laps.": [
        {"verb": "run", "owners": ANA}, {"verb": "run", "owners": BEN}],
    "Ana who has 9 pens gave 4 pens to Ben.": [
        {"verb": "have", "owners": ANA}, {"verb": "give", "owners": ANA, "receiver": "ben"}],
    # Names that are words besides.
    "Will bought 9 pens.": [{"verb": "buy", "owners": ("will",)}],
    "Mark has 9 pens.": [{"verb": "have", "owners": ("mark",)}],
    "Bill lost 9 pens.": [{"verb": "lose", "owners": ("bill",)}],
    "Rose picked 5 roses.": [{"verb": "pick", "owners": ("rose",), "thing": thing("rose")}],
    "Grace and Will lost 9 pens.": [{"verb": "lose", "owners": ("grace", "will")}],
    "Ana went to the shop to buy 5 pens.": [{"verb": "buy", "owners": ANA}],
    "For lunch Ana ate 3 buns.": [{"verb": "eat", "owners": ANA, "thing": thing("bun")}],
    "Ana had 9 pens, gave 3 to Ben and lost 2.": [
        {"verb": "have"}, {"verb": "give", "receiver": "ben"}, {"verb": "lose", "receiver": ""}],
    # Without a number.
    "Ana found a pen.": [],
    "Ana lost some pens.": [{"value": None, "kind": "loss", "thing": thing("pen")}],
    # What is wished for, denied, or one's own part.
    "Ana wants to buy 6 pens.": [{"verb": "buy", "modals": ("want",)}],
    "Ana can carry 6 pens.": [{"modals": ("can",)}],
}  # fmt: skip
"""A sentence, and what must be read of each amount in it."""

FLAGS = {
    "Ana did not lose 6 pens.": "denied",
    "6 pens were lost.": "passive",
    "Ana has 6 pens left.": "left",
    "Ana now has 6 pens.": "now",
    "At first Ana had 6 pens.": "start",
    "Ana initially had 6 pens.": "start",
    "Ana has 6 pens altogether.": "total",
    "Ana has a total of 6 pens.": "total",
    "6 of the pens are red.": "part",
    "Ana lost 6 of them.": "part",
    "The boys ate 6 nuts each.": "each",
    "6 pens are red.": "described",
    "Ana and Ben each have 6 pens.": "each",
}
"""What a word says of an amount."""


@over("sentence", READ)
def test_of_each_number_it_is_read_what_it_counts_and_whose_it_is(sentence: str) -> None:
    amounts = tell(sentences_of(sentence)).amounts
    assert len(amounts) == len(READ[sentence])
    for amount, right in zip(amounts, READ[sentence], strict=True):
        assert {name: getattr(amount, name) for name in right} == right


@over("sentence", FLAGS)
def test_words_beside_a_number_say_what_holds_of_it(sentence: str) -> None:
    (amount,) = tell(sentences_of(sentence)).amounts
    assert FLAGS[sentence] in amount.flags


@over("flag", sorted(set(FLAGS.values())))
def test_of_a_plain_number_nothing_further_holds(flag: str) -> None:
    (amount,) = tell(sentences_of("Ana has 6 pens.")).amounts
    assert flag not in amount.flags


WHO = {
    "Ana has 5 pens. She has 3 caps.": (ANA, ANA),
    "Ana has 5 pens. Ben has 3 caps. He lost 2 pens. ": (ANA, BEN, BEN),
    "Ana and Ben have 5 pens. They lost 3 pens.": (("ana", "ben"), ("ana", "ben")),
    "Ana has 5 pens and gave 2 to Ben.": (ANA, ANA),
    "After losing 2 pens, Ana has 5 pens.": (ANA, ANA),
    "There are 5 pens on a desk. Ana has 3 pens.": ((), ANA),
    "Ana's brother has 5 pens. Ana has 2 pens.": (("brother",), ANA),
    "She has 5 pens. She lost 2 pens.": (("she",), ("she",)),
    "Ana has 5 pens more than Ben, who has 4 pens.": (ANA, BEN),
    "Ana has 5 pens more than Ben who has 4 pens.": (ANA, BEN),
}
"""Stories, and who has or does each of their amounts."""


@over("text", WHO)
def test_a_pronoun_is_who_was_named_last(text: str) -> None:
    assert tuple(each.owners for each in tell(sentences_of(text)).amounts) == WHO[text]


def test_who_a_pronoun_is_stays_unsure_where_it_may_be_either() -> None:
    facts = tell(sentences_of("Alex has 5 pens. Kim has 4 pens. He lost 2 pens."))
    assert facts.unsure == "he"
    assert tell(sentences_of("Alex has 5 pens. He lost 2 pens.")).unsure == ""


def test_amounts_are_counted_in_the_order_of_the_text() -> None:
    facts = tell(sentences_of("Ana has 5 pens. She lost 2 and found 4. Ben has 3 caps."))
    assert [each.index for each in facts.amounts] == [0, 1, 2, 3]
    assert [each.sentence for each in facts.amounts] == [0, 1, 1, 2]
    assert facts.people == ["ana", "ben"]
    assert len({each.clause for each in facts.amounts}) == 4


def test_a_noun_that_is_left_out_is_the_last_that_was_told() -> None:
    facts = tell(sentences_of("Ana has 5 buckets of sand. She fills 3 more."))
    assert facts.amounts[1].thing == thing("bucket", of=("sand",))
    assert "elliptic" in facts.amounts[1].flags
    assert "elliptic" not in facts.amounts[0].flags


UNTOLD = {
    "She found them again.": True,
    "She lost everything.": True,
    "She lost all of her pens.": True,
    "She found one.": True,
    "She found a pen.": True,
    "Ben replaced them.": True,
    "She found a cap.": False,
    "She likes them.": False,
    "She washed all of them.": False,
}
"""After "Ana had 9 pens.": whether pens come or go of which no number is told."""


@over("sentence", UNTOLD)
def test_what_comes_or_goes_without_a_number_is_told_as_an_amount(sentence: str) -> None:
    amounts = tell(sentences_of(f"Ana had 9 pens. {sentence}")).amounts[1:]
    right = [(None, thing("pen"))] if UNTOLD[sentence] else []
    assert [(each.value, each.thing) for each in amounts] == right


def test_what_is_told_later_is_added_to_what_was_told() -> None:
    facts = StoryFacts()
    assert tell(sentences_of("Ana has 5 pens."), facts) is facts
    tell(sentences_of("She has 3 caps."), facts)
    assert [each.owners for each in facts.amounts] == [ANA, ANA]


def test_the_words_of_a_thing_are_its_noun_and_all_that_tells_it_from_others() -> None:
    assert thing("box", "red", of=("chalk",)).words == {"box", "red", "chalk"}
    assert thing_of(NounPhrase(0, 1, head="box", mods=words("red"))) == thing("box", "red")
    assert Thing().words == {""}


COMPARED = {
    "with a thing": ({"than": Thing("pen")}, True),
    "with somebody": ({"than_owner": "ana"}, True),
    "a multiple": ({"times": True}, True),
    "more, than nothing": ({"more": True}, False),
    "fewer, than nothing": ({"fewer": True}, False),
}


@over("case", COMPARED)
def test_an_amount_is_compared_where_it_is_said_with_what_or_that_it_is_a_multiple(
    case: str,
) -> None:
    values, right = COMPARED[case]
    amount = Amount(0, 0, Fraction(5), Thing("pen"), (), "have", "state", **values)  # type: ignore[arg-type]
    assert amount.compared is right
