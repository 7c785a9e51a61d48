from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models.server.background import run_in_background
from biaslab.models.server.request.client import wait_asked
from biaslab.models.server.request.limit import Gate, Limit
from tests.conftest import DEADLINE
from tests.loops import over

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "succeed", "end", "overload", "again"]),
        st.floats(0, 10),
        st.floats(0, 5),
    ),
    max_size=200,
)


@given(most=st.integers(1, 600), events=EVENTS)
def test_whatever_happens_the_limit_stays_in_its_bounds(
    most: int, events: list[tuple[str, float, float]]
) -> None:
    limit, now, ages = Limit(most), 0.0, []
    for event, passed, wait in events:
        now += passed
        before = limit.now
        if event == "begin" and limit.room(now) > 0:
            ages.append(limit.begin())
        elif event == "succeed" and ages:
            limit.succeeded(ages.pop(0))
            assert limit.now >= before
        elif event == "end" and ages:
            limit.ended()
            ages.pop(0)
            assert limit.now == before
        elif event == "overload" and ages:
            limit.overloaded(ages.pop(0), now, wait)
            assert limit.now <= before
            assert limit.held(now) == pytest.approx(wait) or limit.held(now) > wait
        elif event == "again":
            limit.start_again()
        assert 1 <= limit.now <= most
        assert limit.in_flight == len(ages)
        assert limit.room(now) == 0 or len(ages) + limit.room(now) == limit.now
        assert limit.room(now) == 0 or limit.held(now) == 0


@given(most=st.integers(2, 600), data=st.data())
def test_a_burst_of_refusals_is_one_fall(most: int, data: st.DataObject) -> None:
    limit = Limit(most)
    ages = [limit.begin() for _ in range(data.draw(st.integers(1, most)))]
    limit.overloaded(ages[0], 0.0)
    fallen = limit.now
    assert fallen <= max(1, most // 2)
    for age in ages[1:]:
        limit.overloaded(age, 0.0)
    assert limit.now == fallen


def test_a_second_burst_makes_it_fall_again() -> None:
    limit = Limit(64)
    for expected in (32, 16, 8, 4, 2, 1, 1):
        ages = [limit.begin() for _ in range(limit.room(0))]
        for age in ages:
            limit.overloaded(age, 0)
        assert limit.now == expected


@given(most=st.integers(1, 600))
def test_answers_bring_it_back_to_where_it_was(most: int) -> None:
    limit = Limit(most)
    limit.overloaded(limit.begin(), 0.0)
    for _ in range(20 * most):
        limit.succeeded(limit.begin())
    assert limit.now == most


def test_answers_to_requests_sent_before_the_fall_do_not_raise_it() -> None:
    limit = Limit(10)
    ages = [limit.begin() for _ in range(10)]
    limit.overloaded(ages.pop(), 0)
    for age in ages:
        limit.succeeded(age)
    assert limit.now == 5


def test_nothing_goes_out_until_the_server_may_be_asked_again() -> None:
    limit = Limit(10)
    limit.overloaded(limit.begin(), 100.0, wait=5.0)
    assert limit.room(104.9) == 0
    assert limit.room(105.0) > 0


def test_at_least_one_must_be_allowed() -> None:
    with pytest.raises(ValueError, match="At least one"):
        Limit(0)


def test_those_who_wait_are_let_out_in_order_and_those_who_leave_are_passed_over() -> None:
    async def story() -> list[str]:
        gate, order = Gate(Limit(1), clock=lambda: 0.0), []

        async def pass_through(name: str) -> None:
            age = await gate.enter()
            order.append(name)
            gate.succeeded(age)

        age = await gate.enter()
        tasks = {name: asyncio.create_task(pass_through(name)) for name in "abc"}
        await asyncio.sleep(0)
        tasks["a"].cancel()
        gate.succeeded(age)
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        assert gate.limit.in_flight == 0
        return order

    assert run_in_background(story()) == ["b", "c"]


def test_the_gate_opens_by_itself_when_the_pause_is_over() -> None:
    async def story() -> None:
        gate = Gate(Limit(2))
        gate.overloaded(await gate.enter(), wait=0.01)
        await asyncio.wait_for(gate.enter(), DEADLINE)
        gate.ended()
        gate.close()

    run_in_background(story())


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@over(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"Retry-After": "7"}, 7),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0),
        ({"Retry-After": "nan"}, 0),
        ({"Retry-After": "soon"}, 0),
        ({"Retry-After-Ms": "250", "Retry-After": "7"}, 0.25),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90),
        ({"Retry-After": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, 0),
    ],
)
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float) -> None:
    assert wait_asked(httpx2.Headers(headers), NOW) == seconds


@given(st.text(max_size=30))
def test_any_retry_after_is_some_number_of_seconds(text: str) -> None:
    headers = httpx2.Headers({b"retry-after": text.encode("utf-8")})
    assert wait_asked(headers, NOW) >= 0
