"""How fast a run goes lately, and how long it will still take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.runs.engine import leases
from biaslab.runs.engine.writer import WINDOW_SECONDS, ItemRate


class TestPace:
    def test_nothing_is_known_before_two_samples(self):
        pace = ItemRate()
        assert pace.per_second(0.0) is None

        pace.add(0.0, 5)

        assert pace.per_second(10.0) is None

    @given(st.integers(1, 500), st.integers(2, 200), st.floats(0.01, 100))
    def test_a_steady_run_has_its_rate(self, items, samples, step):
        pace = ItemRate()
        for index in range(samples):
            pace.add(index * step, index * items)

        assert pace.per_second((samples - 1) * step) == pytest.approx(items / step)

    def test_only_the_last_half_minute_counts(self):
        pace = ItemRate()
        for second in range(100):
            pace.add(float(second), 1000 * second)
        for second in range(100, 200):
            pace.add(float(second), 100_000 + second - 100)

        assert pace.per_second(199.0) == pytest.approx(1.0, rel=0.1)
        assert WINDOW_SECONDS == 30.0

    def test_a_very_slow_run_still_has_a_rate(self):
        pace = ItemRate()
        for minute in range(10):
            pace.add(60.0 * minute, minute)

        assert pace.per_second(540.0) == pytest.approx(1 / 60, rel=0.01)

    def test_a_stalled_run_slows_down(self):
        pace = ItemRate()
        pace.add(0.0, 0)
        pace.add(1.0, 10)

        assert pace.per_second(1.0) == 10.0
        assert pace.per_second(100.0) == 0.1


class TestTimeLeft:
    def test_it_follows_from_the_stored_rate_while_the_run_runs(self, store, prepared):
        run = prepared(n=10)
        owner = leases.claim(store, run, 60.0, None)
        with store.writing() as connection:
            connection.execute("UPDATE runs SET rate = 0.5, answered = 4, failed = 1")

        record = store.run(run)

        assert record.items_done == 5
        assert (record.rate_per_second, record.seconds_left) == (0.5, 30.0)
        leases.release(store, run, owner, "stopped", "")
        assert store.run(run).seconds_left is None
