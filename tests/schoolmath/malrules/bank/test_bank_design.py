"""What can be asked of the bank, and what is refused with what works instead."""

from __future__ import annotations

import pytest

from schoolmath.malrules import FORMS, ContentClass
from schoolmath.malrules.bank import BankDesign, make_items, offers
from schoolmath.problems import DesignError


def refused(**settings: object) -> DesignError:
    with pytest.raises(DesignError) as caught:
        next(make_items(BankDesign(n=settings.pop("n", 5), seed=1, **settings)))
    return caught.value


class TestWhatIsOffered:
    def test_every_offer_can_be_made(self):
        for offer in offers():
            form = FORMS[offer.form]
            assert form.grades[0] <= offer.grade <= form.grades[1]
            assert offer.content_class == form.content_class
            assert offer.dok == (3 if offer.compared else form.dok)

    def test_all_grades_and_the_five_classes_are_offered(self):
        assert {offer.grade for offer in offers()} == set(range(3, 12))
        five = {each.value for each in ContentClass} - {"word problems"}
        assert five <= {offer.content_class for offer in offers()}

    @pytest.mark.parametrize("grades", [(3, 4), (8, 8), (9, 11)])
    def test_only_grades_asked_for_come(self, grades):
        found = {item.grade for item in make_items(BankDesign(60, 1, grades))}
        assert found <= set(range(grades[0], grades[1] + 1))

    def test_only_classes_asked_for_come_evenly(self):
        classes = ("algebra", "probability")
        made = list(make_items(BankDesign(60, 1, (7, 8), classes, (1, 2))))
        assert {item.content_class for item in made} == set(classes)

    @pytest.mark.parametrize("dok", [1, 2, 3])
    def test_only_depths_asked_for_come(self, dok):
        assert {item.dok for item in make_items(BankDesign(30, 1, doks=(dok, dok)))} == {dok}

    def test_the_first_items_of_a_large_bank_are_those_of_a_small_one(self):
        small, large = (list(make_items(BankDesign(n, 9))) for n in (25, 100))
        assert small == large[:25]

    def test_another_seed_gives_other_items(self):
        first, second = (list(make_items(BankDesign(50, seed))) for seed in (1, 2))
        assert not {item.id for item in first} & {item.id for item in second}


class TestRefused:
    def test_no_items(self):
        assert "Ask for 1 or more" in str(refused(n=0))

    @pytest.mark.parametrize(
        ("grades", "nearest"),
        [((1, 5), "3-5"), ((9, 13), "9-11"), ((12, 12), "11"), ((8, 5), "5-8")],
    )
    def test_grades_that_are_none(self, grades, nearest):
        error = refused(grades=grades)
        assert error.setting == "grades"
        assert error.suggestion == f"The nearest setting that works is {nearest}."

    def test_a_depth_that_is_none(self):
        assert refused(doks=(2, 4)).suggestion == "The nearest setting that works is 2-3."

    def test_a_class_that_is_none(self):
        error = refused(content_classes=("magic",))
        assert "magic" in error.reason
        assert "algebra" in error.suggestion

    def test_no_class(self):
        assert refused(content_classes=()).setting == "content_classes"

    def test_a_style_that_is_none(self):
        assert "terse, worked, teacher" in refused(style="lyrical").suggestion

    def test_a_combination_that_no_form_offers_names_the_nearest_that_works(self):
        error = refused(grades=(3, 3), content_classes=("probability",))
        assert "no probability items for grade 3 at DOK 1-3" in error.reason
        grade, dok = error.suggestion.removesuffix(".").split("grade ")[1].split(" at DOK ")
        made = make_items(BankDesign(3, 1, (int(grade),) * 2, ("probability",), (int(dok),) * 2))
        assert {item.content_class for item in made} == {"probability"}

    def test_more_questions_than_there_are(self):
        narrow = min(offers(), key=lambda offer: FORMS[offer.form].grades)
        design = BankDesign(
            10_000_000, 1, (narrow.grade,) * 2, (narrow.content_class,), (narrow.dok,) * 2
        )
        # Whether this one is soon used up depends on the forms; at least it begins.
        assert next(make_items(design)).grade == narrow.grade
