"""Batches through the openai client, against a simulation of the service on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Access, Completion, Failure, GenerationRequest, Message, Sampling
from biaslab.models.server import batches
from biaslab.models.server.batches import (
    BatchClient,
    BatchRequest,
    BatchState,
    BatchTrouble,
    read_line,
    write_line,
)
from biaslab.models.server.keys import bind
from biaslab.models.server.request.dialect import Dialect
from tests.servers.batch_server import DAY, BatchServer, serving

KEY = "sk-planted-0123456789"
VARIABLE = "BIASLAB_TEST_KEY"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> BatchServer:
    monkeypatch.setenv(VARIABLE, KEY)
    return BatchServer(key=KEY)


@pytest.fixture
def client(service: BatchServer) -> Iterator[BatchClient]:
    with serving(service) as url:
        bind(VARIABLE, [url])
        with BatchClient("sums", Access((url,), key_env=VARIABLE)) as opened:
            yield opened


def sums(count: int, role: str = "user") -> list[BatchRequest]:
    texts = [f"What is {number} + 4?" for number in range(count)]
    return [
        BatchRequest(f"id{number}", GenerationRequest((Message(role, text),), Sampling(9)))
        for number, text in enumerate(texts)
    ]


def ended(client: BatchClient, state: BatchState) -> BatchState:
    for _ in range(10):
        if state.ended:
            return state
        state = client.status(state.id)
    return pytest.fail(f"The batch is still {state.status}.")


def results(client: BatchClient, state: BatchState, requests: Sequence[BatchRequest]):
    known = {each.id: each.request for each in requests}

    def look_up(ids):
        return {name: known[name] for name in ids if name in known}

    return {each.id: each for each in client.results(state, look_up)}


class TestOneBatch:
    @pytest.mark.parametrize("role", ["user", "text"])
    def test_every_request_comes_back_with_its_answer(self, client, role):
        requests = sums(5, role)

        state = ended(client, client.submit(requests, "tag"))

        assert (state.status, state.total, state.completed) == ("completed", 5, 5)
        found = results(client, state, requests)
        texts = {id_: each.result.text for id_, each in found.items()}
        assert texts == {f"id{n}": str(n + 4) for n in range(5)}
        completion = found["id0"].result
        assert isinstance(completion, Completion)
        assert (completion.served, completion.tokens_in, completion.tokens_out) == ("sums", 7, 2)

    @pytest.mark.parametrize(
        ("role", "path"), [("user", "/v1/chat/completions"), ("text", "/v1/completions")]
    )
    def test_each_line_holds_what_would_have_been_sent_alone(self, client, service, role, path):
        requests = sums(2, role)

        client.submit(requests, "tag")

        (batch,) = service.batches.values()
        lines = [json.loads(line) for line in service.files[batch["input_file_id"]].splitlines()]
        assert batch["endpoint"] == path
        assert [line["url"] for line in lines] == [path] * 2
        assert [line["custom_id"] for line in lines] == ["id0", "id1"]
        assert lines[1]["body"] == Dialect().body("sums", requests[1].request)

    def test_its_size_is_known_before(self, client, service):
        requests = sums(12)

        client.submit(requests, "tag")

        (text,) = service.files.values()
        assert sum(client.size(request) for request in requests) == len(text)

    def test_too_many_requests_are_refused_here(self, client, service, monkeypatch):
        monkeypatch.setattr(batches, "MOST_REQUESTS", 3)

        with pytest.raises(ValueError, match="1 to 3 requests"):
            client.submit(sums(4), "tag")

        assert not service.files

    def test_a_batch_is_found_by_its_tag_on_any_page_of_the_list(self, client, service):
        service.page = 2
        states = [client.submit(sums(1), f"tag{number}") for number in range(7)]

        assert client.find("tag0").id == states[0].id
        assert client.find("tag6").id == states[6].id
        assert client.find("tag9") is None


class TestPartsOfABatch:
    def test_errors_of_single_requests_are_told_for_them_alone(self, client, service):
        service.faults.refuse = "What is 1 +"
        service.faults.busy = "What is 2 +"
        requests = sums(4)

        found = results(client, ended(client, client.submit(requests, "tag")), requests)

        assert isinstance(found["id0"].result, Completion)
        assert isinstance(found["id3"].result, Completion)
        refused, busy = found["id1"].result, found["id2"].result
        assert isinstance(refused, Failure)
        assert not refused.retryable
        assert "This prompt is refused" in refused.reason
        assert isinstance(busy, Failure)
        assert busy.retryable
        assert not found["id1"].unasked

    @pytest.mark.parametrize("how", ["expired", "cancelled"])
    def test_what_was_done_before_a_batch_ended_early_is_kept(self, client, service, how):
        service.held = True
        service.faults.done = 2
        requests = sums(5)
        state = client.status(client.submit(requests, "tag").id)
        assert state.status == "in_progress"
        if how == "expired":
            service.clock += DAY + 1
        else:
            service.cancel(state.id)

        state = ended(client, state)

        assert state.status == how
        found = results(client, state, requests)
        assert [isinstance(found[f"id{n}"].result, Completion) for n in range(5)] == (
            [True, True, False, False, False]
        )
        assert found["id4"].unasked
        assert found["id4"].result.retryable
        assert found["id0"].result.seconds >= 0

    def test_broken_lines_are_left_out_and_explained(self, client, service):
        service.faults.broken = 1
        requests = sums(3)
        state = ended(client, client.submit(requests, "tag"))

        found = results(client, state, requests)

        assert len(found) == 2
        silent = client.unanswered(state)
        assert silent.retryable
        assert "no readable answer" in silent.reason

    def test_answers_to_what_was_never_asked_are_left_out(self, client):
        requests = sums(3)
        state = ended(client, client.submit(requests, "tag"))

        assert results(client, state, requests[:1]).keys() == {"id0"}

    def test_another_model_s_answers_are_never_taken(self, client, service):
        first = sums(1)
        results(client, ended(client, client.submit(first, "one")), first)
        original = service._answer

        def other(asked):
            status, body = original(asked)
            return status, {**body, "model": "another"}

        service._answer = other
        found = results(client, ended(client, client.submit(first, "two")), first)

        assert isinstance(found["id0"].result, Failure)
        assert "another" in found["id0"].result.reason

    def test_a_parameter_that_is_named_otherwise_is_learnt_for_the_next_batch(
        self, client, service
    ):
        original = service._answer

        def newer(asked):
            if "max_tokens" in asked:
                message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."
                return 400, {"error": {"message": message, "code": "unsupported_parameter"}}
            return original(asked)

        service._answer = newer
        requests = sums(2)

        first = results(client, ended(client, client.submit(requests, "one")), requests)
        second = results(client, ended(client, client.submit(requests, "two")), requests)

        assert all(each.unasked for each in first.values())
        assert all(isinstance(each.result, Completion) for each in second.values())


class TestTrouble:
    def test_a_batch_refused_as_a_whole_says_why(self, client, service):
        service.faults.fail = "token_limit_exceeded"

        state = ended(client, client.submit(sums(2), "tag"))

        assert state.status == "failed"
        assert "refused the batch" in client.unanswered(state).reason
        assert "token_limit_exceeded" in client.unanswered(state).reason

    def test_creating_is_not_repeated_when_the_answer_was_lost(self, client, service):
        service.faults.cut_create = 1

        with pytest.raises(BatchTrouble, match="lost") as caught:
            client.submit(sums(2), "tag")

        assert caught.value.passing
        assert len(service.batches) == 1
        assert client.find("tag").id == "batch_0000"

    def test_a_passing_trouble_is_borne_by_the_client(self, client, service):
        state = client.submit(sums(1), "tag")
        service.faults.unreachable = 1

        assert client.status(state.id).status == "in_progress"

    def test_a_server_without_batches_is_named_as_such(self, client, service):
        service.faults.refuse_create = 404

        with pytest.raises(BatchTrouble, match="takes no batches") as caught:
            client.submit(sums(1), "tag")

        assert not caught.value.passing

    def test_a_batch_that_the_server_does_not_know(self, client):
        with pytest.raises(BatchTrouble, match="another key or project") as caught:
            client.status("batch_9999")

        assert caught.value.unknown

    def test_no_server_at_all(self, service):
        with serving(service) as url:
            pass
        bind(VARIABLE, [url])
        with (
            BatchClient("sums", Access((url,), key_env=VARIABLE)) as client,
            pytest.raises(BatchTrouble, match="Nothing answers") as caught,
        ):
            client.submit(sums(1), "tag")

        assert caught.value.unreachable

    def test_a_refused_key_is_told_and_shown_nowhere(self, client, service):
        service.key = "sk-another"

        with pytest.raises(BatchTrouble, match="refuses the key") as caught:
            client.submit(sums(1), "tag")

        assert not caught.value.passing
        assert KEY not in str(caught.value)
        assert KEY not in repr(client)

    def test_a_key_in_an_answer_is_taken_out(self, client, service):
        service.reply = lambda _: f"Your key is {KEY}."
        requests = sums(1)

        found = results(client, ended(client, client.submit(requests, "tag")), requests)

        assert found["id0"].result.text == "Your key is [key]."


class TestWhatLinesMaySay:
    def answered(self, client, service, change):
        """What one answer is read as where the service sends it changed."""
        requests = sums(1)
        state = ended(client, client.submit(requests, "tag"))
        line = json.loads(service.files[state.output])
        change(line["response"]["body"])
        text = json.dumps(line).encode().replace(b"ESCAPED", escaped(KEY).encode())
        service.files[state.output] = text + b"\n"
        return results(client, state, requests)["id0"].result

    def test_an_answer_that_does_not_say_how_it_ended_is_none(self, client, service):
        def change(body):
            body["choices"][0]["finish_reason"] = None

        found = self.answered(client, service, change)
        assert isinstance(found, Failure)
        assert "may have been cut off" in found.reason
        assert found.retryable

    def test_what_is_sent_there_has_the_same_limits(self, client, service):
        def change(body):
            body["choices"][0]["message"]["content"] = "4 " * 150_000
            body["usage"] = {"prompt_tokens": -1, "completion_tokens": 2**60}

        found = self.answered(client, service, change)
        assert isinstance(found, Completion)
        assert (len(found.text), found.finish) == (200_000, "length")
        assert (found.tokens_in, found.tokens_out) == (0, 0)
        assert "signs were cut" in client.notice.text

    def test_a_key_that_is_spelt_with_escapes_is_taken_out(self, client, service):
        def change(body):
            body["model"] = "m-ESCAPED"

        assert self.answered(client, service, change).served == "m-[key]"

    def test_where_no_seed_is_taken_it_is_said(self, client):
        assert client.notice.text == ""
        client._dialect.learn("seed")
        assert "takes no seed" in client.notice.text


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(sign):04x}" for sign in text)


class TestLines:
    @given(st.text(), st.text(min_size=1))
    def test_a_request_is_one_line_whatever_is_in_it(self, text, key):
        line = write_line(key, "/v1/completions", {"prompt": text})

        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        read = json.loads(line)
        assert (read["custom_id"], read["body"]["prompt"]) == (key, text)

    @given(st.binary() | st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["custom_id", "response", "error", "status_code", "body"]), inner
        ),
    ).map(lambda content: json.dumps(content).encode()))  # fmt: skip
    def test_any_bytes_are_read_or_left(self, line):
        read = read_line(line)

        assert read is None or isinstance(read.id, str)
