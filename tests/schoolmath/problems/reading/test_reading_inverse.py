"""Reading is the exact inverse of wording: the same mental model, phrasings and forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies import Design, experiment
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    Container,
    Entity,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
    phrasings,
    solve,
    vocabulary,
    write,
)
from schoolmath.problems.reading import Times, read
from schoolmath.problems.reading.sentences import kinds_read
from schoolmath.problems.reading.shapes import built_in_shapes, lexicon, plain_form
from schoolmath.problems.writing import sentence_kind

WORDS = vocabulary()
CONTAINERS = [unit.id for unit in WORDS.units.values() if unit.container]
MEASURES = list(WORDS.units)

quantities = st.integers(0, 999_999_999)
names = st.sampled_from([name.text for name in WORDS.names])
people = st.one_of(names, st.sampled_from(["the farmer", "the baker", "the teacher"]))
attributes = st.sampled_from(["", *WORDS.attributes])


@st.composite
def entities(draw):
    """Any noun with any attribute in any unit, plausible or not, that can be written."""
    noun = WORDS.nouns[draw(st.sampled_from(list(WORDS.nouns)))]
    units = MEASURES if not noun.countable else ["", *MEASURES]
    return Entity(noun.id, draw(attributes), draw(st.sampled_from(units)))


@st.composite
def rates(draw):
    entity = draw(entities())
    per = entity._replace(unit=draw(st.sampled_from(CONTAINERS)))
    return Rate(draw(people), draw(quantities), entity, per)


@st.composite
def statements(draw):
    one, other = draw(st.lists(people, min_size=2, max_size=2, unique=True))
    predicate = draw(
        st.one_of(
            st.builds(Container, st.just(one), quantities, entities()),
            st.builds(
                Transfer, st.just(one), st.sampled_from([None, other]), quantities, entities()
            ),
            st.builds(Transfer, st.none(), st.just(one), quantities, entities()),
            st.builds(
                Comparison, st.sampled_from(ComparisonType), st.just(one), st.just(other),
                quantities, entities(),
            ),
            rates(),
        )
    )  # fmt: skip
    form = None
    if isinstance(predicate, Comparison):
        forms = [ComparisonForm.A_MORE, ComparisonForm.B_FEWER]
        if predicate.type is ComparisonType.MULTIPLICATIVE:
            forms.append(ComparisonForm.B_PART)
        form = draw(st.sampled_from(forms))
    dividing = isinstance(predicate, Rate) and draw(st.booleans())
    kind = sentence_kind(Statement(predicate, form, dividing=dividing))
    return Statement(
        predicate, form, draw(st.sampled_from(range(len(phrasings()[kind])))), dividing
    )


questions = st.builds(
    Question, names, entities(), st.sampled_from(range(len(phrasings()["question"]))), st.booleans()
)
problems = st.builds(Problem, st.lists(statements(), min_size=1, max_size=7).map(tuple), questions)


class TestWhatThisLabWrites:
    @given(problems)
    def test_any_problem_is_read_back_exactly(self, problem):
        found = read(str(write(problem)), times=Times.AS_MANY)
        assert found.problem == problem
        assert found.words is WORDS
        assert not found.unread

    @given(problems)
    def test_each_sentence_says_its_own_statement(self, problem):
        text = write(problem)
        found = read(str(text), times=Times.AS_MANY)
        assert [each.text for each in found.sentences] == list(text.sentences)
        assert [each.said for each in found.sentences] == [*problem.statements, problem.question]

    @pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
    def test_every_pair_of_a_study_is_read_and_solved(self, study):
        for pair in experiment(study).pairs(Design(study, 150, 11)):
            for item in (pair.x, pair.x_prime):
                found = read(item.text, times=Times.AS_MANY)
                assert found.problem is not None, (item.text, found.fault)
                assert str(write(found.problem)) == item.text
                assert found.solution == solve(found.problem), found.fault
                assert str(found.solution.answer) == item.answer

    @given(problems, st.data())
    def test_a_question_that_stands_first_is_read_too(self, problem, data):
        sentences = write(problem).sentences
        at = data.draw(st.integers(0, len(sentences) - 1))
        moved = [*sentences[:-1][:at], sentences[-1], *sentences[:-1][at:]]
        assert read(" ".join(moved), times=Times.AS_MANY).problem == problem


class TestTheFilesOfShapes:
    def test_every_kind_of_sentence_that_is_written_is_also_read(self):
        assert set(phrasings()) <= kinds_read()

    def test_every_kind_of_the_further_shapes_is_understood(self):
        assert set(lexicon().shapes) <= kinds_read()

    def test_no_two_phrasings_are_the_same_sentence(self):
        written = [template for templates in phrasings().values() for template in templates]
        assert len(set(written)) == len(written)

    def test_no_word_of_the_vocabulary_ends_a_noun_phrase(self):
        stops = built_in_shapes().after_things
        phrases = [
            *(form for noun in WORDS.nouns.values() for form in (noun.singular, noun.plural)),
            *(form for unit in WORDS.units.values() for form in (unit.singular, unit.plural)),
            *WORDS.attributes,
        ]
        assert not [word for phrase in phrases for word in phrase.split() if word in stops]

    def test_a_plain_form_is_its_own_plain_form(self):
        assert all(plain_form(word) == word for word in lexicon().forms.values())

    def test_no_name_is_taken_for_another_word(self):
        assert not {name.text.lower() for name in WORDS.names} & built_in_shapes().not_names
