"""Waiting for a server works from anywhere, also where a loop is running already."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from biaslab.models.server.background import BackgroundLoop, run_in_background


async def seven() -> int:
    await asyncio.sleep(0)
    return 7


async def broken() -> None:
    raise ValueError("broken")


def test_a_result_comes_back():
    assert run_in_background(seven()) == 7


def test_an_error_comes_back():
    with pytest.raises(ValueError, match="broken"):
        run_in_background(broken())


def test_it_works_where_a_loop_is_running_as_in_a_notebook():
    async def caller() -> int:
        return run_in_background(seven())

    # In a thread of its own, as other tests may have left a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, caller()).result() == 7


def test_one_loop_serves_several_calls():
    with BackgroundLoop() as loop:
        assert [loop.run(seven()) for _ in range(3)] == [7, 7, 7]
