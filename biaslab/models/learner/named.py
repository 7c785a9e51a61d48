"""The simulated learners that come with the app, from flawless to beginner."""

from __future__ import annotations

from biaslab.models.learner.choosing import Choosing, Otherwise
from biaslab.models.learner.deciding import DecisionPolicy, DecisionRule
from biaslab.models.learner.judging import AmountJudgement, JudgingRule
from biaslab.models.learner.solver import Learner
from biaslab.models.learner.weighing import Weighing

LEARNERS: tuple[Learner, ...] = (
    Learner(
        "perfect",
        "Makes no mistakes",
        "Solves every problem and knows every rationale, so every effect is exactly zero.",
        choosing=Choosing(1.0, 1.0, 1.0),
    ),
    Learner(
        "keyword",
        "Always follows the keyword",
        "Adds when it reads “more” and subtracts when it reads “fewer”, whatever is asked.",
        keyword_probability=1.0,
    ),
    Learner(
        "halfway",
        "Follows the keyword half of the time",
        "Falls for a misleading “more” or “fewer” every second time.",
        keyword_probability=0.5,
    ),
    Learner(
        "comparer",
        "Finds comparisons hard",
        "Often miscounts when two people are compared, hardly ever when something is handed over.",
        comparison_slip=0.3,
        random_slip=0.02,
    ),
    Learner(
        "carry-dropper",
        "Forgets carries",
        "Adds and subtracts in columns and forgets four of ten carries and borrows.",
        carry_slip=0.4,
    ),
    Learner(
        "careless",
        "Careless everywhere",
        "Is off by one or two now and then, in any step: many errors but no bias.",
        random_slip=0.15,
    ),
    Learner(
        "coin",
        "Tosses a coin",
        "Guesses in which direction each comparison goes, and which rationale led to a choice: "
        "many errors but no bias.",
        reversal=0.5,
        choosing=Choosing(),
    ),
    Learner(
        "forgetful",
        "Leaves out steps",
        "Skips one step in five and goes on with the number it has.",
        forgetting=0.2,
    ),
    Learner(
        "shy",
        "Sometimes gives no answer",
        "Answers one problem in five with “I do not know.” and the others rightly.",
        giving_up=0.2,
    ),
    Learner(
        "novice",
        "A beginner",
        "A bit of everything: follows keywords, forgets carries, miscounts and skips steps.",
        keyword_probability=0.4,
        reversal=0.03,
        comparison_slip=0.1,
        carry_slip=0.25,
        random_slip=0.05,
        forgetting=0.03,
        giving_up=0.02,
    ),
    Learner(
        "key-drawn",
        "Drawn to the right way",
        "Asked why a wrong choice was made, it names the right way six times in ten; knows all "
        "else.",
        choosing=Choosing(1.0, 1.0, 0.4, Otherwise.KEY),
    ),
    Learner(
        "longest",
        "Takes the longest",
        "Asked which rationale led to a choice, it takes the longest; solves every word problem.",
        choosing=Choosing(otherwise=Otherwise.LONGEST),
    ),
    Learner(
        "random",
        "Guesses at random",
        "Says yes or no, or chooses an option at random, whatever the question: what no "
        "understanding at all looks like. Solves no word problem.",
        giving_up=1.0,
        choosing=Choosing(),
        judging=AmountJudgement(JudgingRule.RANDOM),
        deciding=DecisionPolicy(),
    ),
    Learner(
        "ratio",
        "Learns a share",
        "Learns from the examples from which share of the total on the answer changes: the best "
        "that is possible where a concept is about proportions. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.RATIO),
    ),
    Learner(
        "count",
        "Learns a number",
        "Looks at how many somebody has and never at the total, and learns from which number on "
        "the answer changes. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.COUNT),
    ),
    Learner(
        "always-yes",
        "Always says yes",
        "Says yes whatever the amount: half of its answers are right, and all are a bias. Solves "
        "no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.YES),
    ),
    Learner(
        "up-biased",
        "Drawn to yes by much",
        "Learns a share as well, but a large part draws it to yes and a small one to no: upward "
        "concepts come easily to it and downward ones do not. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.RATIO, yes_for_more=0.4),
    ),
    Learner(
        "down-lost",
        "Lost half of the time going down",
        "Learns a share as well, but where a small part is a yes it tosses a coin half of the "
        "time: a bias of known strength. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.RATIO, lost_downward=0.5),
    ),
    Learner(
        "always-plus",
        "Always adds",
        "Adds all the numbers as they come, whatever the sentences say.",
        always_adds=True,
    ),
    Learner(
        "unsure",
        "Knows six of ten",
        "Knows six rationales of ten, why a right choice was made as often as why a wrong one; "
        "else it takes any. Solves every word problem.",
        choosing=Choosing(0.6, 0.6, 0.6),
    ),
    Learner(
        "shortest",
        "Takes the shortest",
        "Asked which rationale led to a choice, it takes the shortest; solves every word problem.",
        choosing=Choosing(otherwise=Otherwise.SHORTEST),
    ),
    Learner(
        "words",
        "Goes by the words",
        "Asked which rationale led to a choice, it takes the one that has most words in common "
        "with the question and the choice; solves every word problem.",
        choosing=Choosing(otherwise=Otherwise.WORDS),
    ),
    Learner(
        "swayed",
        "Swayed half of the time",
        "Decides as a person wholly under the bias would in half of the scenes, and guesses "
        "in the others: a bias of known strength. Solves no word problem.",
        giving_up=1.0,
        deciding=DecisionPolicy(strength=0.5),
    ),
    Learner(
        "first-option",
        "Takes the first option",
        "Takes the option that is listed first, whatever it says. Solves no word problem.",
        giving_up=1.0,
        deciding=DecisionPolicy(DecisionRule.FIRST_SHOWN),
    ),
    Learner(
        "scale-end",
        "Takes one end of the scale",
        "Takes the same end of every scale, wherever it is listed. Solves no word problem.",
        giving_up=1.0,
        deciding=DecisionPolicy(DecisionRule.SCALE_END),
    ),
    Learner(
        "anchored",
        "Follows the anchor",
        "Takes the percentage nearest to the first one that it reads, and the middle where it "
        "reads none; answers nothing where options are no percentages. Solves no word problem.",
        giving_up=1.0,
        deciding=DecisionPolicy(DecisionRule.ANCHOR),
    ),
    Learner(
        "total",
        "Looks at the total",
        "Looks at how many there are in all and never at how many somebody has, and learns from "
        "which total on the answer changes. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.TOTAL),
    ),
    Learner(
        "last-label",
        "Repeats the last answer",
        "Gives the answer of the last example, whatever is asked. Solves no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.LAST),
    ),
    Learner(
        "nearest",
        "Looks for the nearest example",
        "Gives the answer of the example whose numbers are nearest to those asked about. Solves "
        "no word problem.",
        giving_up=1.0,
        judging=AmountJudgement(JudgingRule.NEAREST),
    ),
    Learner(
        "even",
        "Weighs both wordings alike",
        "Gives the right answer somewhat better odds than a wrong one, whatever the wording: what "
        "no effect on odds looks like. Solves no word problem.",
        giving_up=1.0,
        weighing=Weighing(),
    ),
    Learner(
        "tipped",
        "Tipped by the harder wording",
        "Gives the right answer worse odds by half a nat in the harder problem of a pair: a bias "
        "of known strength. Solves no word problem.",
        giving_up=1.0,
        weighing=Weighing(tipped=0.5),
    ),
    Learner(
        "agrees",
        "Takes every working for sound",
        "A tutor that looks at the answer alone: where it is right, the working is sound. Solves "
        "no word problem.",
        giving_up=1.0,
        choosing=Choosing(otherwise=Otherwise.SOUND),
    ),
    Learner(
        "doubts",
        "Takes every working for flawed",
        "A tutor that finds a mistake in everything. Solves no word problem.",
        giving_up=1.0,
        choosing=Choosing(otherwise=Otherwise.FLAWED),
    ),
    Learner(
        "half-seeing",
        "Sees half of the wrong ideas",
        "A tutor that knows the rules half of the time and else takes a working for sound. Solves "
        "no word problem.",
        giving_up=1.0,
        choosing=Choosing(0.5, otherwise=Otherwise.SOUND),
    ),
    Learner(
        "gives-in",
        "Gives in to the last speaker",
        "A tutor that knows everything and says what it is pressed to say. Solves no word problem.",
        giving_up=1.0,
        choosing=Choosing(1.0, otherwise=Otherwise.PRESSED),
    ),
    Learner(
        "fitting-hints",
        "Learns from hints that fit",
        "A pupil that follows a hint about its own mistake and no other. Solves no word problem.",
        giving_up=1.0,
        choosing=Choosing(1.0, otherwise=Otherwise.UNFIT),
    ),
    Learner(
        "no-hints",
        "Learns from no hint",
        "A pupil that does as before, whatever it hears. Solves no word problem.",
        giving_up=1.0,
        choosing=Choosing(otherwise=Otherwise.OWN),
    ),
)
"""The learners that come with the app."""


def learner_spec(name: str) -> str:
    """What opens the learner of this name.

    Raises:
        KeyError: there is none.
    """
    return {learner.name: learner for learner in LEARNERS}[name].spec
