"""What a run used: responses asked and kept, requests sent again, tokens, money, budget."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.models import read_spec
from biaslab.models.prices import cost, write_amount
from biaslab.runs import FailureCount, RunRecord
from biaslab.runs.store.read_runs import BatchRecord, batches
from biaslab.ui.navigation import ITEMS, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import facts_list
from biaslab.ui.widgets.words import moment, plain
from schoolmath.text.figures import count

_NAMED = 5
"""So many reasons are named; there are seldom more."""


def draw_record(run: RunRecord) -> None:
    """Draws what the run used, and why requests were sent again or failed."""
    if run.failed:
        _draw_failures(run)
    if run.cached or run.asked:
        facts_list(use_facts(run))
    if run.retried:
        with st.expander(f"Why requests were sent again ({run.retried:,})"):
            st.markdown(_reasons(queries.store().retries(run.id)))
            st.caption(
                "Nothing is lost by this. What got no answer in the end is counted as failed."
            )
    if run.looks:
        _draw_looks(run)
    if run.options.batch_api:
        _draw_batches(run)


def use_facts(run: RunRecord) -> dict[str, str]:
    """What the run used so far, by name."""
    facts = {
        "Responses": f"{run.asked:,} asked for this run, {run.cached:,} kept from earlier runs",
        "Sent again": "no request" if not run.retried else count(run.retried, "time"),
        "Tokens": f"{run.tokens_in:,} sent, {run.tokens_out:,} written",
    }
    if read_spec(run.model_spec).served:
        facts["Cost so far"] = cost_words(run)
    if run.options.budget.is_limited:
        facts["Budget used"] = budget_used(run)
    return facts


def cost_words(run: RunRecord) -> str:
    """What the run cost so far, with where the price is from and of which day."""
    price = run.options.price
    if price is None:
        return "not known: no price was given"
    spent = cost(price, run.tokens_in, run.tokens_out, run.options.batch_api)
    return (
        f"{write_amount(spent, price.currency)} at {price.input_per_million} sent and "
        f"{price.output_per_million} written for a million tokens ({price.source}, "
        f"{price.date.isoformat()})"
    )


def budget_used(run: RunRecord) -> str:
    """How much of its budget the run has used."""
    budget, price = run.options.budget, run.options.price
    parts = []
    if budget.requests is not None:
        parts.append(f"{run.asked:,} of {count(budget.requests, 'request')}")
    if budget.tokens is not None:
        parts.append(f"{run.tokens_in + run.tokens_out:,} of {count(budget.tokens, 'token')}")
    if budget.money is not None and price is not None:
        spent = cost(price, run.tokens_in, run.tokens_out, run.options.batch_api)
        most = write_amount(budget.money, price.currency)
        parts.append(f"{write_amount(spent, price.currency)} of {most}")
    return "; ".join(parts)


def _draw_failures(run: RunRecord) -> None:
    reasons = queries.failures(queries.OutcomesState.of(run))
    what = "problem" if run.options.samples == 1 else "answer"
    st.warning(
        f"{count(run.failed, what)} failed and are not counted as wrong.\n\n{_reasons(reasons)}"
    )
    link(ITEMS, "Look at what failed", {"run": run.id, "pattern": "unfinished"})


def _reasons(reasons: Sequence[FailureCount]) -> str:
    lines = [f"- {reason.count:,} × {plain(reason.reason)}" for reason in reasons[:_NAMED]]
    more = sum(reason.count for reason in reasons[_NAMED:])
    return "\n".join([*lines, *([f"- {more:,} × for other reasons"] if more else [])])


def _draw_looks(run: RunRecord) -> None:
    with st.expander(f"Looks of the rule for stopping early ({len(run.looks)})"):
        facts_list({f"After {count(look.pairs, 'pair')}": look.reason for look in run.looks})
        st.caption(
            "CATE is the difference between the two kinds of problem; its interval allows for "
            "looking repeatedly."
        )


def _draw_batches(run: RunRecord) -> None:
    with queries.store().reading(run.id) as database:
        found = batches(database, run.id)
    zone = st.context.timezone
    for batch in found:
        shown = st.info if batch.out else st.caption
        shown(plain(batch_words(batch, zone)))


def batch_words(batch: BatchRecord, zone: str | None) -> str:
    """A batch in a sentence or two."""
    what = f"A batch of {count(batch.requests, 'request')}"
    name = f" ({batch.server_id})" if batch.server_id else ""
    if batch.out and batch.server_id:
        told = f"{what} has been with the server since {moment(batch.created, zone)}{name}."
    elif batch.out:
        told = f"{what} is being handed over since {moment(batch.created, zone)}."
    else:
        told = f"{what} of {moment(batch.created, zone)}{name}: {batch.status}."
    return f"{told} {batch.message}".strip()
