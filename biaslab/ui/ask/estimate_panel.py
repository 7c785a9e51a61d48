"""What a run would take, before it is started."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from biaslab.models import read_spec
from biaslab.models.prices import write_amount
from biaslab.runs.estimate.estimating import EstimatedAmount, RunEstimate, estimate
from biaslab.runs.hosting import left_today
from biaslab.studies import experiment
from biaslab.ui.ask.asking import RunChoices
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.words import duration, plain
from schoolmath.text.figures import count

CONFIRM_ABOVE = Decimal(1)
"""A run that may cost more, in whatever currency, begins after somebody has said that it may."""


def draw_estimate(asking: RunChoices) -> RunEstimate:
    """Draws what this run would take, and gives it.

    Raises:
        DesignError, ModelError, RunError, StoreError: as for
        `biaslab.runs.estimate.estimating.estimate`.
    """
    store = queries.store()
    found = _estimated(_Wanted(asking, str(store.path), store.change_counter()))
    with st.expander("What it takes"):
        figures(_figures(found, asking))
        st.caption(plain(_early_words(asking)))
        st.markdown("**How these figures were made**")
        st.markdown("\n".join(f"- {plain(note)}" for note in found.notes if note))
        if left := left_today(store.path):
            st.caption(left)
    return found


def takes_words(asking: RunChoices, found: RunEstimate) -> str:
    """Requests and cost in a few words."""
    money = cost_words(found, asking.model)
    cost = f"cost {money.amount}{money.note}" if read_spec(asking.model).served else "no cost"
    return f"{count(found.requests, 'request')}, {cost}"


def is_confirmed(asking: RunChoices, found: RunEstimate) -> bool:
    """Whether the run may begin: where it may cost more than `CONFIRM_ABOVE`, somebody says so.

    Draws the question where there is one.
    """
    if found.cost_at_most is None:
        return True
    limit = asking.options.budget.money
    most = found.cost_at_most if limit is None else min(limit, found.cost_at_most)
    return may_be_spent(most, found.currency)


def may_be_spent(most: Decimal, currency: str) -> bool:
    """Whether so much may be spent; above `CONFIRM_ABOVE` somebody is asked, and has to say so."""
    if most <= CONFIRM_ABOVE:
        return True
    amount = write_amount(most, currency)
    # Another amount is another question.
    return st.checkbox(f"Spend up to {amount}", key=f"spend {amount}")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an estimate depends on: the choice, and the file as it stands."""

    asking: RunChoices
    file: str
    changes: int

    @property
    def identity(self) -> str:
        """Limits and rules for stopping change nothing in an estimate."""
        asking, options = self.asking, self.asking.options
        parts = (
            self.file, self.changes, asking.design, asking.model, asking.strategy,
            asking.sampling, options.samples, options.access, options.price, options.batch_api,
            options.length,
        )  # fmt: skip
        return repr(parts)


@st.cache_resource(
    show_spinner="Reckoning what this takes …",
    max_entries=64,
    hash_funcs={_Wanted: lambda wanted: wanted.identity},
)
def _estimated(wanted: _Wanted) -> RunEstimate:
    options = wanted.asking.options
    return estimate(
        queries.store(),
        wanted.asking.design,
        wanted.asking.model,
        wanted.asking.strategy,
        access=options.access,
        samples=options.samples,
        sampling=wanted.asking.sampling,
        length=options.length,
        price=options.price,
        batch=options.batch_api,
        most_pairs=experiment(wanted.asking.design.study).quick_pairs,
    )


def _figures(found: RunEstimate, asking: RunChoices) -> dict[str, str]:
    money = cost_words(found, asking.model)
    return {
        "requests": f"{found.requests:,}",
        "of them free: kept from before": f"{found.free:,}",
        f"tokens sent{_at_most(found.tokens_in, exact=found.exact)}": about(found.tokens_in),
        f"tokens written{_at_most(found.tokens_out, exact=False)}": about(found.tokens_out),
        f"cost{money.note}": money.amount,
        "time, at the pace so far" if found.seconds else "time": (
            "not known" if found.seconds is None else duration(found.seconds)
        ),
    }


def about(amount: EstimatedAmount) -> str:
    """What is expected, as in "about 84,000"; the exact number where it is certain."""
    if amount.expected == amount.at_most:
        return f"{amount.expected:,}"
    return f"about {_rounded(amount.expected):,}"


def _at_most(amount: EstimatedAmount, *, exact: bool) -> str:
    if amount.expected != amount.at_most:
        return f", estimated; at most {amount.at_most:,}"
    return ", counted" if exact else " at most"


def _rounded(number: int) -> int:
    """To three digits: an estimate is no better."""
    return int(float(f"{number:.3g}"))


@dataclass(frozen=True, slots=True)
class Money:
    """A cost in words.

    Attributes:
        amount: such as "about 0.05 USD"; note: what follows its name.
    """

    amount: str
    note: str = ""


def cost_words(found: RunEstimate, model: str) -> Money:
    """What is expected and the most that it can be, or why nothing is known."""
    if found.cost_expected is None or found.cost_at_most is None:
        if read_spec(model).served:
            return Money("not known", ": no price is known, enter one under Limits")
        return Money("none", ": it runs here")
    expected = write_amount(found.cost_expected, found.currency)
    if found.cost_expected == found.cost_at_most:
        return Money(expected)
    most = write_amount(found.cost_at_most, found.currency)
    return Money(f"about {expected}", f", estimated; at most {most}")


def _early_words(asking: RunChoices) -> str:
    words = ""
    if asking.options.stopping is not None:
        words = "These are the figures for all pairs; the run may stop earlier. "
    if asking.options.samples > 1:
        words += f"Each problem is asked {count(asking.options.samples, 'time')}. "
    return words
