"""Sentences as in the files released with Opedal et al. (2024), in words of our own.

Collections, so many times an amount in a measure, parts of it, so much for each measure of another.
"""

from __future__ import annotations

from schoolmath.problems.reading import read
from tests.loops import over

SOLVED = [
    ("There are 12 stamps in Ana's collection. How many stamps does Ana have?", 12),
    ("Ana has 4 liters of paint. Ana bought 3 liters more paint. How many liters of paint does "
     "Ana have?", 7),
    ("Ana has 9 marbles. Ana lost 3 of marbles. How many marbles does Ana have?", 6),
    ("Ana has 4 kilograms of rice. Ben has 3 times as much rice in kilograms as Ana does. How many "
     "kilograms of rice does Ben have?", 12),
    ("Ana has 12 kilograms of rice. Ben has 1/3 as much rice in kilograms as Ana does. How many "
     "kilograms of rice does Ben have?", 4),
    ("Ana has 12 kilograms of rice. Ana has 1/3 as much rice in kilograms as Ben does. How many "
     "kilograms of rice does Ben have?", 36),
    ("Ana has 5 old coins. Ben has 3 times the amount of old coins compared to the amount Ana has. "
     "What is the number of old coins that Ben has?", 15),
    ("Ana has 15 old coins. Ben has 1/3 the amount of old coins compared to the amount Ana has. "
     "What is the number of old coins that Ben has?", 5),
    ("Ana has 15 coins. Ben has 1/3 the amount of coins as Ana. How many coins does Ben have?", 5),
    ("Ana has 6 kilograms of clay. Ben has 2 kilograms of clay more than Ana. How many kilograms "
     "of clay does Ben have?", 8),
    ("Ana has 3 liters of oil. Ana possesses 4 meters of rope per liter of oil. How many meters of "
     "rope does Ana have?", 12),
    ("Ana has 3 liters of oil. Ben has 2 times as much oil in liters as Ana does. Ben possesses 4 "
     "meters of rope per liter of oil. Ben bought 5 meters more rope. How many meters of rope does "
     "Ben have?", 29),
    ("Ana has 3 lamps. Ana possesses 4 grams of gold per lamp. How many grams of gold does Ana "
     "have?", 12),
    ("Ana has 3 red lamps. Ana possesses 4 blue cups for every red lamp. What is the number of "
     "blue cups that Ana has?", 12),
    ("Ana has 3 drawers. There are 4 keys in every one of Ana's drawers. How many keys does Ana "
     "have?", 12),
]  # fmt: skip


@over(("text", "answer"), SOLVED)
def test_each_is_solved(text, answer):
    assert read(text).solution.answer == answer


@over(
    "text",
    [
        # Of another measure, or of another thing, nothing is known.
        "Ana has 3 liters of oil. Ana possesses 4 meters of rope per liter of milk. How many "
        "meters of rope does Ana have?",
        "Ana has 3 cups of oil. Ana possesses 4 meters of rope per liter of oil. How many meters "
        "of rope does Ana have?",
        # What Ben has of it is not told.
        "Ana has 3 liters of oil. Ben possesses 4 meters of rope per liter of oil. How many meters "
        "of rope does Ben have?",
        # In another measure than it is told in.
        "Ana has 4 kilograms of rice. Ben has 3 times as much rice in cups as Ana does. How many "
        "cups of rice does Ben have?",
    ],
)
def test_what_does_not_follow_is_refused(text):
    assert read(text).solution is None


def test_containers_of_the_thing_itself_stay_containers():
    text = (
        "Ana has 3 boxes of pens. Each of the boxes of pens that Ana has holds 6 pens. How many "
        "pens does Ana have?"
    )
    assert read(text).solution.answer == 18


def test_containers_of_containers_of_measures_are_followed_to_the_end():
    text = (
        "Ana has 11 grams of salt. Ana possesses 2 cups of tea per gram of salt. Ana possesses 4 "
        "meters of rope per cup of tea. Ben has 11 meters of rope more than Ana. Ben possesses 10 "
        "red beads per meter of rope. Ben possesses 3 blue beads for every red bead. What is the "
        "number of blue beads that Ben has?"
    )
    assert read(text).solution.answer == (11 * 2 * 4 + 11) * 10 * 3


@over(
    "text",
    [
        "Ana has 2 bags. Each bag holds 5 boxes of pens. Each box holds 3 pencils. How many "
        "pencils does Ana have?",
        "Ana has 2 bags. Each bag holds 3 boxes. Each box holds 4 bags. How many bags does "
        "Ana have?",
    ],
)
def test_containers_of_another_thing_or_of_each_other_are_not_followed(text):
    assert read(text).solution is None
