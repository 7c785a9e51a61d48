"""Sets of items that people imported, asked by the study and counted with their own chances."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.files import import_bytes
from biaslab.models import ModelForm
from biaslab.runs import RunStatus, Store, open_store, prepare, run_here, save_items, study_in
from biaslab.studies import Design, Value
from biaslab.studies.malgorithm.items import OF_OTHERS, QUESTION_ITSELF
from biaslab.studies.malgorithm.results import Identification, identifications
from schoolmath.problems import DesignError

# Somebody else's files: semicolons and a byte order mark, LaTeX, HTML, a gap, an id twice.
COPY = """\ufeffid;question;a;b;c;d;e;key;rationale_a;rationale_b;rationale_c;rationale_d;\
rationale_e;grade;dok
1;"What is 431 &minus; 163?";268;332;378;;;A;Regroups twice;Smaller from larger;Never pays;;;4;1
1;What is \\( \\frac{1}{2} \\) + \\( \\frac{1}{3} \\)?;5/6;2/5;;;;A;Uses sixths;Adds across;;;;5;1
3;x<sup>2</sup> for x = 3?;6;9;5;12;3;B;Doubles;Squares;Adds 2;Adds, doubles;Drops the 2;7;2
4;3 + 4?;7;8;6;;;A;Well done!;One too many;One too few;;;1;1
5;2 + 2?;4;5;;;;A;Adds;;;;;1;1
"""
EEDI = """QuestionId,QuestionText,AnswerAText,AnswerBText,AnswerCText,CorrectAnswer,\
MisconceptionAId,MisconceptionBId,MisconceptionCId
1,52 - 17,35,45,25,A,,1672.0,1287.0
2,62 - 18,44,56,,A,,1672.0,
"""
NAMES = "MisconceptionId,MisconceptionName\n1672,Smaller from larger\n1287,Pays twice\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "runs.db") as opened:
        copy = import_bytes(COPY.encode(), "copy.csv")
        assert len(copy.items) == 5, copy.refused
        save_items(opened, "copy", copy.items, "copy.csv")
        eedi = import_bytes(EEDI.encode(), "eedi.csv", misconceptions=NAMES.encode())
        save_items(opened, "eedi", eedi.items, "eedi.csv")
        yield opened


def design(named: str, n: int, seed: int = 1, **chosen: Value) -> Design:
    return Design("malgorithm", n, seed, {"items": named, **chosen})


def figures(store: Store, model: str, asked: Design) -> Identification:
    run = prepare(store, asked, model, "simple")
    assert run_here(store, run).status is RunStatus.FINISHED
    (found,) = identifications(store.answered_items([run]))
    return found


def test_each_question_is_asked_with_as_many_reasons_as_it_has(store: Store) -> None:
    study = study_in(store, "malgorithm")
    pairs = list(study.pairs(design("copy", 7)))
    assert {len(pair.x.facts["rationales"]) for pair in pairs} == {2, 3, 5}
    five = next(pair.x_prime for pair in pairs if len(pair.x.facts["rationales"]) == 5)
    (message,) = study.strategies[0].next_request(five, (), ModelForm.CHAT).messages
    assert "and five rationales." in message.content
    assert "\nE. " in message.content


def test_a_set_has_as_many_pairs_as_wrong_reasons_that_can_be_asked(store: Store) -> None:
    study = study_in(store, "malgorithm")
    assert study.size(design("copy", 1)) == 2 + 1 + 4
    # Where the question itself is compared with, items without a right reason count too.
    assert study.size(design("copy", 1, against=QUESTION_ITSELF)) == 2 + 1 + 4 + 2
    with pytest.raises(DesignError, match="7 pairs, not 8"):
        list(study.pairs(design("copy", 8)))


def test_another_seed_is_another_order_of_the_same_pairs(store: Store) -> None:
    study = study_in(store, "malgorithm")
    orders = {tuple(p.id for p in study.pairs(design("copy", 7, seed))) for seed in range(9)}
    assert len(orders) > 1
    assert len({frozenset(order) for order in orders}) == 1


def test_chances_follow_the_number_of_reasons_and_options(store: Store) -> None:
    found = figures(store, "learner:perfect", design("copy", 7))
    assert found.aia.value == found.mia.value == found.mcq.value == found.all_three.value == 1.0
    assert (found.aia.n, found.mia.n, found.mcq.n, found.all_three.n) == (3, 7, 3, 3)
    chances = found.chances
    assert chances.aia == pytest.approx((1 / 3 + 1 / 2 + 1 / 5) / 3)
    assert chances.mia == pytest.approx((2 / 3 + 1 / 2 + 4 / 5) / 7)
    assert chances.mcq == pytest.approx((1 / 3 + 1 / 2 + 1 / 5) / 3)
    assert chances.all_three == pytest.approx((1 / 9 + 1 / 2 + 1 / 625) / 3)
    assert not found.misconceptions


def test_misconceptions_are_asked_beside_the_question_itself(store: Store) -> None:
    asked = design("eedi", 2, against=QUESTION_ITSELF)
    study = study_in(store, "malgorithm").of_design(asked)
    assert study.arms.x == "the question itself"
    assert study.expects is None
    (pair, _) = study.pairs(asked)
    (message,) = study.strategies[0].next_request(pair.x_prime, (), ModelForm.CHAT).messages
    assert "two misconceptions" in message.content
    assert "Which misconception led to this choice?" in message.content
    (message,) = study.strategies[0].next_request(pair.x, (), ModelForm.CHAT).messages
    assert "Which option is right?" in message.content
    found = figures(store, "learner:perfect", asked)
    assert found.aia.value is None
    assert (found.aia.n, found.mia.n, found.mcq.n) == (0, 2, 1)
    assert found.mia.value == found.mcq.value == 1.0
    assert found.chances.aia is None
    assert found.misconceptions
    # Who is drawn to the right way, which is not among the reasons, names one of them all the same.
    assert figures(store, "learner:key-drawn", asked).mia.invalid == 0


def test_what_a_set_cannot_be_asked_is_refused_with_what_works(store: Store) -> None:
    study = study_in(store, "malgorithm")
    with pytest.raises(DesignError, match="against=the question itself"):
        study.size(design("eedi", 1))
    with pytest.raises(DesignError, match="no set of items 'nobody'"):
        study.size(design("nobody", 1))
    with pytest.raises(DesignError, match="asked as they are"):
        study.size(design("copy", 1, grade="3-4"))


def test_from_the_file_to_figures_on_the_command_line(tmp_path: Path) -> None:
    def biaslab(*arguments: object, status: int = 0) -> str:
        result = CliRunner().invoke(main, [str(each) for each in arguments])
        assert result.exit_code == status, result.output
        return result.output

    file, db = tmp_path / "copy.csv", tmp_path / "runs.db"
    file.write_text(COPY, "utf-8")
    said = biaslab("import", file, "--db", db, "--as", "mine", "--report", tmp_path / "r.json")
    assert "5 items (3 complete, 1 partly usable, 1 unusable), 0 refused." in said
    assert "5 items are saved as “mine”." in said
    told = json.loads((tmp_path / "r.json").read_text("utf-8"))["items"]
    assert [each["status"] for each in told] == [*["complete"] * 3, "partly usable", "unusable"]
    assert told[3]["usable_for"] == "MIA only (B, C)"
    again = biaslab("import", file, "--db", db, "--as", "mine", status=1)
    assert "saved already" in again
    biaslab("run", "malgorithm", "--set", "items=mine", "--model", "learner:coin", "--db", db)
    (effect,) = json.loads(biaslab("effects", "--db", db, "--format", "json"))
    assert (effect["n"], effect["mia_n"], effect["aia_n"]) == (7, 7, 3)


CATALOGUE = "Question,Correct Answer,Wrong Answer,Misconception,Class\n" + "".join(
    f"{question},{right},{wrong},{why},{kind}\n"
    for question, right, wrong, why, kind in (
        ("What is 1/2 + 1/4?", "3/4", "2/6", "Adds the tops and the bottoms", "Number & Operation"),
        ("What is 52 - 17?", "35", "45", "Takes the smaller digit away", "Number & Operation"),
        ("What is 3 + 4 x 2?", "11", "14", "Works from left to right", "Number & Operation"),
        (
            "What is 0.3 x 0.2?",
            "0.06",
            "0.6",
            "Keeps the places of one number",
            "Number & Operation",
        ),
        ("What is 5 + (-9)?", "-4", "14", "Adds both sizes", "Number & Operation"),
        (
            "What is 1/3 + 1/4?",
            "7/12",
            "2/7",
            "Adds the tops and the bottoms too",
            "Number & Operation",
        ),
        ("Solve x + 3 = 9", "6", "12", "Does the same operation again", "Algebra"),
    )
)
LENT = {"reasons": OF_OTHERS, "against": QUESTION_ITSELF}


@pytest.fixture
def catalogue(store: Store) -> Store:
    found = import_bytes(CATALOGUE.encode(), "c.csv", mapping={"content_class": "Class"})
    assert len(found.items) == 7, found.refused
    save_items(store, "catalogue", found.items, "c.csv")
    return store


def test_a_catalogue_of_one_wrong_answer_each_is_asked_with_reasons_that_others_lend(
    catalogue: Store,
) -> None:
    study = study_in(catalogue, "malgorithm")
    pairs = list(study.pairs(design("catalogue", 6, **LENT)))
    texts = {line.split(",")[3] for line in CATALOGUE.splitlines()[1:]}
    for pair in pairs:
        facts = pair.x_prime.facts
        # The right one is the one told of this question; three are lent by others of its class.
        assert facts["letters"][facts["right"]] in ("A", "B")
        lent = [text for label, text in facts["rationales"].items() if label != facts["right"]]
        assert len(lent) == 3
        assert texts.issuperset(lent)
        assert "Does the same operation again" not in lent
        shown = set(facts["rationales"].values())
        # Two that say nearly the same do not stand together: either may be behind the answer.
        both = {"Adds the tops and the bottoms", "Adds the tops and the bottoms too"}
        assert not both <= shown
        assert pair.x.facts["asks"] == QUESTION_ITSELF
    # A question without another of its class has nothing to choose from.
    with pytest.raises(DesignError, match="has 6 pairs, not 7"):
        list(study.pairs(design("catalogue", 7, **LENT)))


def test_reasons_that_are_lent_are_counted_with_their_chance(
    catalogue: Store,
) -> None:
    lots = figures(catalogue, "learner:random", design("catalogue", 6, **LENT))
    assert lots.chances.mia == pytest.approx(1 / 4)
    assert lots.chances.mcq == pytest.approx(1 / 2)
    assert lots.mia.n == 6


def test_without_lent_reasons_such_a_set_is_refused_with_what_would_do(catalogue: Store) -> None:
    study = study_in(catalogue, "malgorithm")
    with pytest.raises(DesignError, match="reasons of other questions too"):
        list(study.pairs(design("catalogue", 1, against=QUESTION_ITSELF)))
    with pytest.raises(DesignError, match="has a reason, so AIA cannot be measured"):
        list(study.pairs(design("catalogue", 1, reasons=OF_OTHERS)))
    # Sets with reasons of their own are asked as they are.
    own = [pair.id for pair in study.pairs(design("copy", 7))]
    assert own == [pair.id for pair in study.pairs(design("copy", 7, reasons=OF_OTHERS))]
