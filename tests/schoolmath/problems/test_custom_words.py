"""A vocabulary of one's own: what is refused and why, what is written with it, what it opens."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.cast import draw_agents
from biaslab.studies.word_problems.custom.problem import twins_of
from biaslab.studies.word_problems.custom.problem import understand as understand_custom
from schoolmath.problems.custom_words import (
    MAX_BYTES,
    read_custom_words,
    words_for_reading,
    words_for_writing,
    written_file,
)
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError, VocabularyError
from schoolmath.problems.reading import Times, read
from schoolmath.problems.stories import answer, understand
from schoolmath.problems.stories.words import lexicon
from schoolmath.problems.vocabulary import shipped, using, vocabulary
from schoolmath.text.plurals import many_of
from tests.loops import over

GOOD = """
names: [Amina, Jonas, Keiko, Ludwig, Petra, Zelda, Bruno, Tariq]
things:
  - {singular: durian, plural: durians, theme: fruit, kinds: [fruit],
     attributes: [ripe, spiky], containers: [crate, hamper]}
  - {singular: zither, plural: zithers, containers: [hamper]}
  - {singular: broth, measures: [liter], theme: drink, containers: [bottle]}
  - {singular: pocket watch, plural: pocket watches, containers: [box]}
  - {singular: ox, plural: oxen, attributes: [brown]}
containers:
  - {singular: hamper, plural: hampers}
verbs:
  - {lemma: snaffle, does: gain}
  - {lemma: chuck down, does: loss}
  - {lemma: yoink, does: loss}
"""


PIECES = st.lists(
    st.sampled_from([
        "names", "things", "verbs", ": ", "- ", "[", "]", "{", "}", "\n", "  ", "singular", "ox",
        "!!python/object:os.system", "&a ", "*a", "2001-99-99", "1", "~", "<<", "? ", "|", "Amina",
    ]),
    max_size=25,
).map(lambda found: "".join(found).encode())  # fmt: skip
"""What looks like a file, and is none."""


def own(text=GOOD):
    return read_custom_words(text.encode(), "mine.yaml")


def refusal(text, make=words_for_writing):
    with pytest.raises(VocabularyError) as caught:
        make(own(text))
    return str(caught.value)


class TestTheFile:
    def test_what_is_written_to_a_file_is_read_back(self):
        assert own(written_file(own())) == own()

    def test_json_is_read_as_it_is_yaml_too(self):
        assert own('{"names": ["Amina"]}').names == ("Amina",)

    def test_more_bytes_than_the_limit_are_refused_before_they_are_parsed(self):
        with pytest.raises(VocabularyError, match=r"larger than 100,000 bytes"):
            read_custom_words(b"[" * (MAX_BYTES + 1))

    @given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode), PIECES))
    def test_any_file_is_read_or_refused_with_a_sentence(self, data):
        try:
            said = f"mine.yaml: {read_custom_words(data, 'mine.yaml')}"
        except VocabularyError as refused:
            said = str(refused)
        assert said.startswith("mine.yaml: ")

    @over(
        ("text", "reason"),
        [
            ("names: [No]", "names, entry 1 is no text: write a word, in quotes"),
            ("names: [amina]", "names, entry 1 (“amina”) must be one word that begins with a capi"),
            ("names: Amina", "names is no list"),
            ("people: [Amina]", "people is no field that is known here"),
            ("things: [{singular: ox, plural: oxen, color: red}]",
             "things, entry 1 (“ox”), color is no field"),
            ("things: [{plural: oxen}]", "things, entry 1, singular is missing"),
            ("things: [{singular: Ox, plural: oxen}]",
             "things, entry 1 (“Ox”), singular must be one" ),
            ("verbs: [{lemma: yoink, does: magic}]",
             "verbs, entry 1 (“yoink”), does must be one of 'state', 'gain'"),
            ("names: [Amina]\nnames: [Ben]", "line 2: “names” stands twice"),
            ("names: &a [Amina]\nthings: *a", "line 2: write it out in place of an alias"),
            ("names: [Amina", "line 1: "),
            ("[" * 5_000, "line 1: its lists lie too deep"),
            ("- " * 5_000, "line 1: its lists lie too deep"),
            ("just words", "It holds no vocabulary"),
            ("", "It holds no vocabulary"),
        ],
    )  # fmt: skip
    def test_a_bad_file_is_refused_with_entry_and_field(self, text, reason):
        with pytest.raises(VocabularyError) as caught:
            own(text)
        assert reason in str(caught.value)
        assert str(caught.value).startswith("mine.yaml: ")


def with_thing(thing):
    return GOOD.replace("things:\n", f"things:\n  - {thing}\n")


class TestWhatWouldBeAmbiguous:
    @over(
        ("text", "reason"),
        [
            (with_thing("{singular: sheep, plural: sheep}"),
             "things, entry 1 (“sheep”), plural: it is the same as the singular"),
            (with_thing("{singular: gold}"), "plural: it is missing; a thing without one needs m"),
            (with_thing("{singular: watch, plural: watches}"),
             "“pocket watch” holds “watch” (things, entry 1 (“watch”))"),
            (with_thing("{singular: spare, plural: oxen}"), "“oxen” is a form of things, entry 1"),
            (with_thing("{singular: box, plural: boxes}"), "is a measure or container here alrea"),
            (with_thing("{singular: half, plural: halves}"), "“half” is a word of the sentences"),
            (with_thing("{singular: other, plural: others}"), "“other” is a word of the sentence"),
            (with_thing("{singular: toy, plural: toys, attributes: [fewer]}"),
             "attributes: “fewer” is a word of the sentences or of amounts"),
            (with_thing("{singular: toy, plural: toys, containers: [heap]}"),
             "containers: “heap” is no unit"),
            (with_thing("{singular: toy, plural: toys, containers: [liter]}"),
             "containers: “liter” is a measure"),
            (with_thing("{singular: ripe, plural: ripes}"), "“ripe” is an attribute too"),
            (GOOD.replace("Amina", "Durian"), "names, entry 1 (“Durian”): it is a thing"),
            (GOOD.replace("Amina", "More"), "names, entry 1 (“More”): it is also a word"),
            (GOOD.replace("Amina", "May"), "names, entry 1 (“May”): it is also a word"),
            (GOOD.replace("Amina", "Jonas"), "names, entry 2 (“Jonas”): it stands twice"),
            ("names: [Amina, Amira, Anton, Ana, Ben, Cem, Dora]",
             "names: only 3 of them are easy to tell apart"),
            ("things: [{singular: ox, plural: oxen}]", "things: there are 1, and 4 are needed"),
            ("verbs: [{lemma: yoink, does: loss}]", "no names and no things to write with"),
        ],
    )  # fmt: skip
    def test_it_is_refused_with_the_reason(self, text, reason):
        assert reason in refusal(text)

    def test_as_many_people_as_five_steps_need_are_found_among_the_fewest_names(self):
        # Three of the ten are taken for others, so that many a drawing comes to a dead end.
        names = (
            "[Bovkikan, Dervulan, Gebozan, Kapgepan, Lovkidan, Mabadan, Nidadan, Padaban, Zo, Ty]"
        )
        with using(words_for_writing(own(f"names: {names}"))):
            for seed in range(20):
                assert len(set(draw_agents(Draws(str(seed)), 7))) == 7

    def test_too_many_people_for_the_names_are_refused_when_pairs_are_made(self):
        few = words_for_writing(own("names: [Amina, Jonas, Keiko, Ludwig, Petra, Tariq, Zelda]"))
        with using(few), pytest.raises(DesignError, match="too few names for 8 people"):
            draw_agents(Draws("x"), 8)


WORDS = st.from_regex(
    r"[bdgklmnprtvz][aeiou][bdgklmnprtv]{1,2}[aeiou][dgklmnprtxz]", fullmatch=True
)


@st.composite
def vocabularies(draw):
    """Made-up nouns and names: nothing about them is in any dictionary."""
    nouns = draw(st.lists(WORDS, min_size=4, max_size=6, unique=True))
    initials = draw(st.lists(st.sampled_from("BDGKLMNPRTVZ"), min_size=8, max_size=8, unique=True))
    names = [initial + draw(WORDS)[1:] + "an" for initial in initials]
    adjective = draw(WORDS)
    things = "".join(
        f"  - {{singular: {noun}, plural: {many_of(noun)}, containers: [box, bag],"
        f" attributes: [{adjective}o]}}\n"
        for noun in nouns
    )
    return f"names: [{', '.join(names)}]\nthings:\n{things}"


class TestWriting:
    @settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(vocabularies(), st.integers(1, 1_000))
    def test_every_text_is_read_back_to_its_answer_by_both_readers(self, text, seed):
        try:
            words = words_for_writing(own(text))
        except VocabularyError:
            assume(False)
        with using(words):
            for study in ("consistency", "transfer-comparison", "carry"):
                for pair in experiment(study).pairs(Design(study, 3, seed)):
                    for item in (pair.x, pair.x_prime):
                        exact, story = read(item.text, times=Times.AS_MANY), understand(item.text)
                        assert str(exact.solution.answer) == item.answer
                        assert story.answer is None or str(story.answer) == item.answer

    def test_only_own_names_and_things_stand_in_the_texts(self):
        with using(words_for_writing(own())):
            pairs = list(experiment("consistency").pairs(Design("consistency", 30, 1)))
        texts = " ".join(item.text for pair in pairs for item in (pair.x, pair.x_prime))
        theirs = {name.text for name in shipped().names} - set(own().names)
        assert not theirs & set(texts.replace("'", " ").split())
        assert any(noun in texts for noun in ("durian", "oxen", "pocket watch"))

    def test_the_same_words_and_seed_give_the_same_pairs(self):
        def texts():
            with using(words_for_writing(own())):
                return [p.x.text for p in experiment("carry").pairs(Design("carry", 5, 7))]

        assert texts() == texts()

    def test_outside_nothing_is_changed(self):
        before = [p.x.text for p in experiment("carry").pairs(Design("carry", 5, 7))]
        with using(words_for_writing(own())):
            inside = [p.x.text for p in experiment("carry").pairs(Design("carry", 5, 7))]
        after = [p.x.text for p in experiment("carry").pairs(Design("carry", 5, 7))]
        assert before == after != inside
        assert vocabulary() is shipped()


class TestReading:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("Nadia had 41 beads. Then she snaffled 9 beads. How many beads does Nadia have now?",
             50),
            ("Nadia had 41 beads. She then chucked down 6 beads. How many beads does she have now?",
             35),
            ("Ben picked 5 apples. Then he picked 7 durians. How many fruits did Ben pick?", 12),
        ],
    )  # fmt: skip
    def test_a_taught_word_opens_a_text_that_was_refused(self, text, value):
        assert answer(text).answer is None
        with using(words_for_reading(own())):
            assert answer(text).answer == value
        assert answer(text).answer is None

    def test_somebody_more_in_a_twin_of_a_text_has_a_name_of_the_file(self):
        text = "Mia has 24 caps. Mia gives Omar 9 caps. How many caps does Mia have now?"
        with using(words_for_reading(own())):
            twins = {twin.name: twin.pair for twin in twins_of(understand_custom(text))}
        added = set(twins["irrelevant-sentence"].x_prime.text.split()) & set(own().names)
        assert len(added) == 1

    # The same text with a known verb and with a taught one of its class.
    TEMPLATES = (
        "Nadia had 41 beads. She {} 6 beads. How many beads does Nadia have now?",
        "Nadia had 41 beads. She {} 6 of them. How many beads are left?",
        "Nadia had 41 beads. She {} about 6 beads. How many beads does Nadia have now?",
        "Nadia had 41 beads. She {} half of them. How many beads does Nadia have now?",
        "Nadia had 41 beads and 7 pens. She {} 6 things. How many beads does Nadia have now?",
        "Nadia {} 6 beads and 3 pens. Ben {} 5 beads. How many beads were {} in all?",
        "Nadia had 41 beads. Ben {} 6. How many beads does Nadia have now?",
        "Nadia had 5 beads. She {} 6 beads. How many beads does Nadia have now?",
        "Nadia had 41 beads. She {} 6 beads each day for 4 days. How many beads has she now?",
        "Each box holds 6 beads. Nadia {} 4 boxes. How many beads does Nadia have now?",
    )

    @over("template", TEMPLATES)
    @over(("taught", "known"), [("yoinked", "lost"), ("snaffled", "found")])
    def test_a_taught_verb_is_judged_as_the_known_verbs_of_its_class(self, template, taught, known):
        expected = understand(template.replace("{}", known))
        with using(words_for_reading(own())):
            found = understand(template.replace("{}", taught))
        assert (found.answer is None) or found.answer == expected.answer

    @over(
        ("lemma", "reason"),
        [
            ("average", "refused on sight"),
            ("double", "refused on sight"),
            ("trade", "can mean to give and to get"),
            ("lose", "is known already, as “loss”"),
            ("divide", "is known already, as “share”"),
            ("remain", "is known already, as “state”"),
            ("do", "has a part in how questions"),
            ("take out", "is known already"),
            ("give back", "is known already"),
            ("chuck sideways", "is no particle"),
        ],
    )
    def test_a_word_on_which_the_filters_rest_cannot_be_taught(self, lemma, reason):
        text = f"verbs: [{{lemma: {lemma}, does: gain}}]"
        assert reason in refusal(text, words_for_reading)

    @over(
        "word",
        sorted(
            each
            for each in lexicon().unread | lexicon().unclear | set(lexicon().verbs)
            if each.isalpha()
        ),
    )
    def test_no_known_word_changes_its_meaning(self, word):
        with pytest.raises(VocabularyError):
            words_for_reading(own(f"verbs: [{{lemma: {word}, does: gain}}]"))

    def test_what_is_taught_leaves_the_shipped_lexicon_in_place(self):
        known = lexicon()
        with using(words_for_reading(own())):
            more = lexicon()
        assert known.verbs.items() <= more.verbs.items()
        assert (more.unread, more.unclear) == (known.unread, known.unclear)
        assert lexicon() is known
