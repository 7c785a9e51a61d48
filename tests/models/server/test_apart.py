"""Waiting for a server works from anywhere, also where a loop is running already."""

from __future__ import annotations

import asyncio

import pytest

from biaslab.models.server.apart import LoopApart, run_apart


async def seven() -> int:
    await asyncio.sleep(0)
    return 7


async def broken() -> None:
    raise ValueError("broken")


def test_a_result_comes_back():
    assert run_apart(seven()) == 7


def test_an_error_comes_back():
    with pytest.raises(ValueError, match="broken"):
        run_apart(broken())


def test_it_works_where_a_loop_is_running_as_in_a_notebook():
    async def caller() -> int:
        return run_apart(seven())

    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(caller()) == 7
    finally:
        loop.close()


def test_one_loop_serves_several_calls():
    with LoopApart() as loop:
        assert [loop.run(seven()) for _ in range(3)] == [7, 7, 7]
