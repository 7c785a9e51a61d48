"""What a simulated learner's outcome is on average, exactly, over all its luck."""

from __future__ import annotations

from biaslab.models import Completion, Learner, ModelForm
from biaslab.models.learner.chances import every_way
from biaslab.models.learner.choosing import choose
from biaslab.models.learner.deciding import chances_of
from biaslab.models.learner.judging import chance_of_yes
from biaslab.studies.study import Experiment, Item, Pair


def expected_difference(study: Experiment, learner: Learner, pair: Pair) -> float:
    """Outcome of x minus outcome of x', as the learner's probabilities say."""
    return expected_outcome(study, learner, pair.x) - expected_outcome(study, learner, pair.x_prime)


def expected_outcome(study: Experiment, learner: Learner, item: Item) -> float:
    """The mean of Y over all luck of the learner.

    Raises:
        ValueError: the learner cannot be asked such an item.
    """
    facts = item.facts
    if "examples" in facts and learner.judging is not None:
        yes = chance_of_yes(learner.judging, facts)
        return yes if facts["label"] == "yes" else 1.0 - yes
    if "rationales" in facts and (choosing := learner.choosing) is not None:
        asked = {"task": "identify", **facts}
        ways = every_way(lambda chances: choose(choosing, asked, chances, item.text))
        return sum(probability for probability, label in ways if label == facts["right"])
    if "bias" in facts and learner.deciding is not None:
        chances = chances_of(learner.deciding, {**facts, "options": item.options}, item.text)
        return sum(
            probability * _outcome(study, item, number) for number, probability in chances.items()
        )
    if "harder" in facts and learner.weighing is not None:
        return learner.weighing.mean_odds(facts["harder"])
    if "steps" in facts:
        return learner.expected_accuracy(facts["steps"])
    raise ValueError(f"The learner {learner.name} cannot be asked items of {study.name}.")


def _outcome(study: Experiment, item: Item, number: int) -> float:
    said = Completion(f"Option {number}", "stop", 0, 0, 0.0)
    outcome = study.read(item, (said,), ModelForm.BASE).outcome
    if outcome is None:
        raise ValueError(f"Option {number} of item {item.id} is not read.")
    return outcome
