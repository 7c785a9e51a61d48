"""Changing the limits of a run before it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from biaslab.models import MOST_AT_ONCE, read_spec
from biaslab.runs import Budget, RunOptions, RunRecord, RunStatus, change_options
from biaslab.studies.strategies import MOST_TOKENS as CEILING
from biaslab.ui.ask.limits_form import MOST_REQUESTS, MOST_TOKENS
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import amount
from biaslab.ui.widgets.words import plain


def draw_limits_of(run: RunRecord, go_on: Callable[[RunRecord], None], *, reachable: bool) -> None:
    """Draws the limits of a run that may go on; a click changes them and calls ``go_on``."""
    server = read_spec(run.model_spec).served
    options = run.options
    if not (options.budget.is_limited or server or run.status is RunStatus.PAUSED):
        return
    pressing = run.status is RunStatus.PAUSED and options.budget.is_limited
    name = "Change the limits" if options.budget.is_limited else "Change the speed, or set limits"
    with (
        st.expander(name, expanded=pressing, key=f"limits {run.id}"),
        st.form(f"limits of {run.id}", border=False),
    ):
        requests = st.number_input(
            "Requests at most",
            min_value=0,
            max_value=MOST_REQUESTS,
            step=100,
            value=options.budget.requests,
            placeholder="no limit",
            key=f"requests {run.id}",
        )
        tokens = st.number_input(
            "Tokens at most",
            min_value=0,
            max_value=MOST_TOKENS,
            step=10_000,
            value=options.budget.tokens,
            placeholder="no limit",
            key=f"tokens {run.id}",
        )
        money = _draw_money(run)
        at_once = options.access.at_once
        if server:
            at_once = int(
                st.number_input(
                    "Most requests at once",
                    min_value=1,
                    max_value=MOST_AT_ONCE,
                    step=8,
                    value=at_once,
                    key=f"at once {run.id}",
                )
            )
        length = options.length
        most = st.number_input(
            "Most tokens of a response",
            min_value=length.tokens or 1,
            max_value=CEILING,
            step=1024,
            value=length.tokens,
            placeholder="as the prompt strategy sets it",
            help="Can be raised, not lowered: answers that are there stay as they are.",
            key=f"length {run.id}",
        )
        pressed = st.form_submit_button(
            "Resume with these limits", disabled=not reachable, icon=":material/play_arrow:"
        )
    if not pressed:
        return
    limit = amount(money) if money.strip() else None
    if money.strip() and limit is None:
        st.error(f"“{plain(money)}” is no amount of money: write a number such as 2.50.")
        return
    budget = Budget(_whole(requests), _whole(tokens), limit)
    length = replace(length, tokens=length.tokens if most is None else int(most))
    access = replace(options.access, at_once=at_once)
    _change(run, replace(options, budget=budget, access=access, length=length))
    go_on(run)


def _draw_money(run: RunRecord) -> str:
    price, money = run.options.price, run.options.budget.money
    if price is None:
        return ""
    return str(
        st.text_input(
            f"Money at most ({price.currency})",
            value="" if money is None else f"{money:f}",
            placeholder="no limit",
            key=f"money {run.id}",
        )
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _change(run: RunRecord, options: RunOptions) -> None:
    if options != run.options:
        change_options(queries.store(), run.id, options)
