"""What identifies a response, and that everything written is read back as it was."""

from __future__ import annotations

import json
import sqlite3
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    Sampling,
)
from biaslab.runs.store.encoding import (
    as_stored,
    read_design,
    read_request,
    read_response,
    read_sampling,
    response_columns,
    response_id,
    write_design,
    write_request,
    write_sampling,
)
from biaslab.studies import Design

TEXT = st.text(max_size=30)
MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(["text", "user", "assistant", "system"]), TEXT),
    min_size=1, max_size=4,
).map(tuple)  # fmt: skip
SAMPLING = st.builds(
    Sampling,
    st.integers(1, 4096),
    st.floats(0, 2),
    st.integers(0, 2**31),
    st.lists(TEXT, max_size=3).map(tuple),
)
REQUESTS = st.one_of(
    st.builds(GenerationRequest, MESSAGES, SAMPLING),
    st.builds(LikelihoodRequest, MESSAGES, st.lists(TEXT, min_size=1, max_size=4).map(tuple)),
)
COMPLETIONS = st.builds(
    Completion,
    st.text(st.characters()),
    st.sampled_from(["stop", "length"]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.floats(0, 10**6),
    st.text(st.characters()),
)
REAL = st.floats(max_value=0, allow_nan=False, allow_infinity=False)
LIKELIHOODS = st.lists(st.tuples(REAL, st.integers(1, 500)), min_size=1, max_size=5).map(
    lambda both: Likelihood(tuple(p for p, _ in both), tuple(n for _, n in both))
)


class TestResponseId:
    def test_it_is_the_same_on_every_machine_and_in_every_version(self):
        """A change of this value makes every kept answer be asked again."""
        request = GenerationRequest(
            (Message("user", "Wie viel ist 3 + 4? Größe: 5 €"),), Sampling(256, 0.0, 0, ("\nQ:",))
        )

        scored = LikelihoodRequest(request.messages, ("7", "8"))

        assert response_id("tiny@1234", request) == "df8784a4380180fd0b497e657ba10124"
        assert response_id("tiny@1234", scored) == "43b77216457e14b56dfef5ae802fd6b6"

    @given(REQUESTS, REQUESTS, TEXT, TEXT)
    def test_it_differs_exactly_when_model_parameters_or_messages_do(self, a, b, model, other):
        same = model == other and write_request(a) == write_request(b)

        assert (response_id(model, a) == response_id(other, b)) == same
        assert response_id(model, a) == response_id(model, read_request(write_request(a)))

    @given(REQUESTS)
    def test_facts_are_no_part_of_it(self, request):
        known = replace(request, facts={"steps": [1, 2]})

        assert response_id("m", known) == response_id("m", request)

    def test_messages_are_not_run_together(self):
        one = GenerationRequest((Message("user", "ab"), Message("user", "c")))
        other = GenerationRequest((Message("user", "a"), Message("user", "bc")))

        assert response_id("m", one) != response_id("m", other)

    def test_zero_is_zero_however_it_is_written(self):
        whole = GenerationRequest((Message("user", "a"),), Sampling(temperature=0))
        real = GenerationRequest((Message("user", "a"),), Sampling(temperature=0.0))

        assert response_id("m", whole) == response_id("m", real)


class TestRoundTrips:
    @given(REQUESTS)
    def test_requests(self, request):
        assert read_request(write_request(request)) == request

    @given(st.one_of(COMPLETIONS, LIKELIHOODS))
    def test_responses_through_a_real_table(self, answered):
        stored = as_stored(answered)
        columns = response_columns(stored)
        connection = sqlite3.connect(":memory:")
        connection.row_factory = sqlite3.Row
        names = ", ".join(columns)
        marks = ", ".join(":" + name for name in columns)
        connection.execute(f"CREATE TABLE responses ({names})")
        connection.execute(f"INSERT INTO responses VALUES ({marks})", columns)

        (row,) = connection.execute("SELECT * FROM responses").fetchall()

        connection.close()
        assert read_response(row) == stored

    @given(st.text())
    def test_ordinary_text_is_stored_unchanged(self, text):
        completion = Completion(text, "stop", 1, 1, 0.0)

        assert as_stored(completion) == completion

    def test_half_a_surrogate_pair_becomes_the_replacement_character(self):
        completion = Completion("a \ud83d b \U0001f600", "stop", 1, 1, 0.0)

        assert as_stored(completion).text == "a \N{REPLACEMENT CHARACTER} b \U0001f600"

    @given(SAMPLING)
    def test_sampling(self, sampling):
        assert read_sampling(write_sampling(sampling)) == sampling
        assert read_sampling(write_sampling(None)) is None

    @pytest.mark.parametrize(
        "settings", [{}, {"steps": "1-5", "shared": True, "n": 3, "name": "é"}]
    )
    def test_designs(self, settings):
        design = Design("sums", 5, 3, settings)

        assert read_design(write_design(design)) == design
        assert set(json.loads(write_design(design))) == {"study", "n", "seed", "settings"}
        assert set(string.ascii_letters) >= set("study")
