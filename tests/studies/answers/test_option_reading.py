"""Which numbered option a response chooses."""

from biaslab.studies.decisions.prompts import read_option
from tests.loops import over

SEVEN = ["very high", "high", "rather high", "neither", "rather low", "low", "very low"]
SHARES = [f"{share} %" for share in range(0, 101, 10)]


@over(
    ("text", "number"),
    [
        ("Option 4", 4),
        ("OPTION 4.", 4),
        ("Option: 4", 4),
        ("Option **4**", 4),
        ("**Option 4: neither**", 4),
        ("I choose option #4 because it fits.", 4),
        ("4", 4),
        (" **4.** ", 4),
        ("4. neither", 4),
        ("4) Neither", 4),
        ("rather low", 5),
        ("Thinking it over, things are fine.\nRather low.", 5),
        ("Option 4 rather than Option 5", 4),
        ("Not Option 2, so I choose Option 3.", 3),
        ("Option 2 is tempting. I would pick Option 6.", 6),
        ("Option 1 looks good and Option 2 does too.\n\nOption 2", 2),
        ("Option 1 or Option 2 would do.\nFinal answer: Option 1", 1),
        ("My choice is option 7.", 7),
    ],
)
def test_a_choice_is_read_however_it_is_written(text, number):
    found = read_option(text, SEVEN)
    assert found.number == number
    start, end = found.span
    assert str(number) in text[start:end] or text[start:end].rstrip(".").lower() in SEVEN


@over(
    ("text", "rule"),
    [
        ("Option 1 or Option 2", "several"),
        ("Options 1 and 2", "several"),
        ("Option 9", "not offered"),
        ("0", "not offered"),
        ("No option selected", "none"),
        ("I cannot decide this.", "unread"),
        ("About 4 people would say high things here.", "unread"),
        ("", "unread"),
        ("Option 1 is bold. Option 5 is careful. Hard to say.", "several"),
        ("Neither Option 1 nor Option 2", "unread"),
    ],
)
def test_what_is_no_single_choice_is_never_guessed(text, rule):
    found = read_option(text, SEVEN)
    assert (found.number, found.rule) == (None, rule)


def test_a_share_is_not_taken_for_an_options_number():
    assert read_option("I would give 30 %.", SHARES).number is None
    assert read_option("30 %", SHARES).number == 4
    assert read_option("Option 40 %", SHARES).number is None


def test_a_wording_at_a_cut_off_end_is_not_taken():
    text = "It could be many things.\nhigh"
    assert read_option(text, SEVEN).number == 2
    assert read_option(text, SEVEN, cut_off=True).number is None
