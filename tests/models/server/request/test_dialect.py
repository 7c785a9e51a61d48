from __future__ import annotations

from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Message,
    Notice,
    open_model,
)
from biaslab.models.local.model import LocalModel
from biaslab.models.server.channel import ServerChannel
from biaslab.models.server.request.dialect import Dialect, Unaskable, png_address, refusal_of
from tests.models.server.asking import QUICK, access, ask_all, collect, request
from tests.servers.faulty import Asked, Fault, FaultyServer, answer, raw, status

pytestmark = pytest.mark.usefixtures("no_pauses")


def refuses(name: str) -> Fault:
    """As OpenAI refuses a parameter that a model does not take."""

    async def fault(asked: Asked):  # type: ignore[no-untyped-def]
        if name not in asked.body:
            return await answer()(asked)
        message = f"Unsupported parameter: '{name}' is not supported with this model."
        error = {"message": message, "param": name, "code": "unsupported_parameter"}
        return await status(400, error)(asked)

    return fault


def test_greedy_requests_say_so_and_need_no_seed() -> None:
    body = Dialect().body("m", request("hi", max_new_tokens=7))
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "max_tokens": 7,
        "temperature": 0.0,
    }


def test_samples_carry_their_seed() -> None:
    body = Dialect().body("m", request("hi", role="text", temperature=0.7, seed=3, stop=("\n",)))
    assert (body["prompt"], body["temperature"], body["seed"]) == ("hi", 0.7, 3)
    assert body["stop"] == ["\n"]


def test_more_stop_texts_than_servers_take_are_minded_here(server: FaultyServer) -> None:
    server.always = answer("1 2 3 4 5 e 6")
    (found,) = ask_all(access(server.url), [request("hi", stop=("a", "b", "c", "d", "e"))])
    assert server.asked[0].body["stop"] == ["a", "b", "c", "d"]
    assert isinstance(found, Completion)
    assert found.text == "1 2 3 4 5 "


def test_another_name_for_the_limit_is_learnt_once_for_all(server: FaultyServer) -> None:
    server.always = refuses("max_tokens")
    model = open_model("openai:faulty", access=access(server.url, at_once=1))
    found = dict(model.generate([request(str(n), max_new_tokens=9) for n in range(5)]))
    assert all(isinstance(each, Completion) for each in found.values())
    assert len(server.asked) == 6
    assert server.asked[-1].body["max_completion_tokens"] == 9


def test_many_that_are_refused_at_once_are_all_asked_again(server: FaultyServer) -> None:
    server.always = refuses("max_tokens")
    found = ask_all(access(server.url), [request(str(n)) for n in range(20)])
    assert all(isinstance(each, Completion) for each in found)


def test_stop_texts_that_a_server_refuses_are_minded_here(server: FaultyServer) -> None:
    server.always = refuses("stop")
    (found,) = ask_all(access(server.url), [request("a;b", stop=(";",))])
    assert isinstance(found, Completion)
    assert found.text == "You said a"


def test_a_temperature_of_one_may_be_left_unsaid(server: FaultyServer) -> None:
    server.always = refuses("temperature")
    (found,) = ask_all(access(server.url), [request("hi", temperature=1.0)])
    assert isinstance(found, Completion)


def test_what_cannot_be_said_otherwise_stops_the_run(server: FaultyServer) -> None:
    server.always = refuses("temperature")
    (found,) = ask_all(access(server.url), [request("hi")])
    assert isinstance(found, Failure)
    assert "does not take “temperature”" in found.reason
    assert found.stops_run


def test_where_no_seed_is_taken_it_goes_on_without_one_and_it_is_said(
    server: FaultyServer,
) -> None:
    server.always = refuses("seed")
    with ServerChannel("faulty", access(server.url), QUICK) as channel:
        channel.send("cold", request("cold"))
        assert isinstance(collect(channel, 1)["cold"], Completion)
        assert channel.notice == Notice()
        channel.send("warm", request("warm", temperature=0.7, seed=4))
        assert isinstance(collect(channel, 1)["warm"], Completion)
        (said,) = channel.notice.remarks
    assert "takes no seed" in said
    assert "seed" not in server.asked[-1].body


def test_a_value_that_is_too_large_is_no_refused_parameter(server: FaultyServer) -> None:
    server.always = status(
        400,
        {"message": "max_tokens is too large: 9999.", "param": "max_tokens", "code": "invalid"},
    )
    (found,) = ask_all(access(server.url), [request("hi")])
    assert isinstance(found, Failure)
    assert "max_tokens is too large" in found.reason
    assert len(server.asked) == 1


def test_a_refusal_by_validation_names_its_parameter(server: FaultyServer) -> None:
    server.always = raw(
        {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, 422
    )
    (found,) = ask_all(access(server.url), [request("hi", temperature=0.5)])
    assert isinstance(found, Failure)
    assert "does not take “seed”" in found.reason


def test_the_models_own_last_words_are_not_given_to_be_answered(server: FaultyServer) -> None:
    turns = (Message("user", "hi"), Message("assistant", "The answer is"))
    (found,) = ask_all(access(server.url), [GenerationRequest(turns)])
    assert isinstance(found, Failure)
    assert "did not prove that it does" in found.reason
    assert server.asked == []


@pytest.mark.parametrize(
    "messages", [(), (Message("user", "a"), Message("text", "b"), Message("user", "c"))]
)
def test_what_is_no_conversation_is_not_sent(messages: tuple[Message, ...]) -> None:
    with pytest.raises(Unaskable):
        Dialect().body("m", GenerationRequest(messages))


@pytest.mark.parametrize("error", [None, "text", 3, [], {"error": "text"}, {"message": {"a": 1}}])
def test_errors_of_any_shape_are_read(error: object) -> None:
    assert refusal_of(400, error).status == 400


class TestAPicture:
    SVG = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="40" height="20">'
        '<rect width="40" height="20" fill="#ffffff"/><text x="4" y="15">8</text></svg>'
    )

    def asked(self, role: str = "user") -> GenerationRequest:
        return GenerationRequest((Message(role, "How many?", self.SVG),))

    def test_goes_to_the_server_as_png_before_its_question(self, server: FaultyServer) -> None:
        ask_all(access(server.url), [self.asked()])
        picture, text = server.asked[0].body["messages"][0]["content"]
        assert text == {"type": "text", "text": "How many?"}
        head, _, data = picture["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        drawn = Image.open(BytesIO(b64decode(data)))
        assert (drawn.format, drawn.size) == ("PNG", (80, 40))
        # Something dark is written on the white.
        assert drawn.convert("L").getextrema() == (pytest.approx(0, abs=90), 255)

    def test_is_the_same_every_time_so_that_nobody_is_shown_another(self) -> None:
        assert png_address.__wrapped__(self.SVG) == png_address.__wrapped__(self.SVG)

    def test_leaves_a_question_without_one_as_it_was(self, server: FaultyServer) -> None:
        ask_all(access(server.url), [request("How many?")])
        assert server.asked[0].body["messages"] == [{"role": "user", "content": "How many?"}]

    def test_is_never_left_out_where_text_is_continued(self, server: FaultyServer) -> None:
        (found,) = ask_all(access(server.url), [self.asked(role="text")])
        assert isinstance(found, Failure)
        assert "picture" in found.reason
        assert server.asked == []

    def test_is_refused_by_a_model_that_is_opened_here(self, tiny_model: LocalModel) -> None:
        ((_, found),) = tiny_model.generate([self.asked(role="text")])
        assert isinstance(found, Failure) or "picture" in str(found)
