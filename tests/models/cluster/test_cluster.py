"""Local models on many machines: what is checked first, what deaths change (nothing), real Ray."""

from __future__ import annotations

import importlib.util
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import (
    Access,
    Completion,
    Failure,
    GenerationRequest,
    LikelihoodRequest,
    Message,
    Model,
    ModelError,
    Sampling,
    Unsupported,
    identify,
    open_model,
)
from biaslab.models import cluster as pools
from biaslab.models.cluster import ClusterChannel, NodePool, open_on_cluster
from biaslab.models.cluster_node import NodeEngine, Order, ProcessPlace, installed_versions
from biaslab.models.tiny.model import DEFAULT_NAME, DEFAULT_TINY, TINY_MODELS, tiny_directory
from tests.conftest import DEADLINE, wait_for
from tests.models.cluster.two_nodes import TwoNodes, free_port


def problems(many: int) -> list[GenerationRequest]:
    luck = random.Random(5)
    return [
        GenerationRequest(
            (
                Message(
                    "text",
                    f"Q: Ana has {luck.randint(9, 19)} apples. Ben has {luck.randint(2, 8)} "
                    f"{luck.choice(['fewer', 'more'])} apples than Ana. How many apples does Ben "
                    f"have? ({number})\nA:",
                ),
            ),
            Sampling(max_new_tokens=24),
        )
        for number in range(many)
    ]


def preferences(many: int) -> list[LikelihoodRequest]:
    return [
        LikelihoodRequest(request.messages, (" 5.", " 12.", " seventeen."))
        for request in problems(many)
    ]


def order(**changes: Any) -> Order:
    told = Order(
        opener=open_model,
        spec=DEFAULT_TINY,
        revision=identify("tiny").revision,
        device="cpu",
        dtype="float32",
        batch_tokens=None,
        tiny_models=str(TINY_MODELS),
        versions=installed_versions(),
        threads=0,
    )
    return replace(told, **changes)


class TestAnAddress:
    def test_that_is_none_is_refused_in_a_sentence(self):
        with pytest.raises(Unsupported, match="“elephant” is no address of a cluster: give ray://"):
            open_model("tiny", access=Access(cluster="elephant"))

    @pytest.mark.parametrize("scheme", ["ray://", ""])
    def test_where_nothing_listens_is_found_out_at_once(self, scheme):
        address = f"{scheme}127.0.0.1:{free_port()}"
        with pytest.raises(ModelError, match=f"No Ray cluster answers at {address}.*ray start"):
            open_model("tiny", access=Access(cluster=address))

    def test_without_ray_says_how_to_install_it(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "ray", None)
        with pytest.raises(Unsupported, match=r"pip install -r requirements-cluster\.txt"):
            open_model("tiny", access=Access(cluster="local"))

    def test_does_not_change_which_model_it_is(self):
        assert identify("tiny", access=Access(cluster="ray://head:10001")) == identify("tiny")


class TestTheEngineOnANode:
    def test_answers_in_the_order_of_the_requests_as_one_machine_does(self):
        asked = [problems(2)[0], preferences(1)[0], problems(2)[1]]
        answered = NodeEngine(order()).answer(asked)
        here = open_model("tiny", device="cpu")
        assert isinstance(answered, list)
        assert answered[1] == dict(here.likelihood([asked[1]]))[0]
        texts = [result.text for result in dict(here.generate([asked[0], asked[2]])).values()]
        assert [answered[0].text, answered[2].text] == texts

    def test_with_another_revision_answers_nothing(self):
        place = NodeEngine(order(revision="0123456789abcdef")).answer(problems(1))
        assert isinstance(place, ProcessPlace)
        assert "is another one (revision" in place.problem
        assert "0123456789abcdef here): copy the same files" in place.problem

    def test_without_the_model_says_where_it_is_missing(self):
        place = NodeEngine(order(spec="local:/no/such/model")).open()
        assert "cannot be opened on the cluster's node" in place.problem
        assert "Every node needs the model at the same place." in place.problem

    def test_with_other_versions_answers_nothing(self):
        versions = {**installed_versions(), "torch": "1.0.0"}
        place = NodeEngine(order(versions=versions)).open()
        assert "torch is" in place.problem
        assert "1.0.0 here" in place.problem


class _Died(Exception):
    pass


class _Task(Exception):
    pass


class _SimulatedRay:
    """Simulates Ray: calls are done in an order and with deaths that a plan says."""

    exceptions = SimpleNamespace(RayError=_Died, RayTaskError=_Task, RaySystemError=OSError)

    def __init__(self, luck: random.Random, deaths: int, deadly: frozenset[str]) -> None:
        self._luck = luck
        self._deaths = deaths
        self._deadly = deadly
        self._calls: dict[object, tuple[str, Any]] = {}
        self.actor = SimpleNamespace(
            open=SimpleNamespace(remote=lambda: self._call("open", None)),
            answer=SimpleNamespace(remote=lambda asked: self._call("answer", asked)),
        )

    def _call(self, what: str, given: Any) -> object:
        reference = object()
        self._calls[reference] = (what, given)
        return reference

    def wait(self, references: list[object], num_returns: int, **_: Any) -> Any:
        done = self._luck.sample(references, min(len(references), self._luck.randint(1, 3)))
        return done[:num_returns], []

    def get(self, reference: object) -> Any:
        what, given = self._calls.pop(reference)
        if self._deaths and self._luck.random() < 0.4:
            self._deaths -= 1
            raise _Died
        if what == "open":
            return ProcessPlace("simulated", 1)
        if any(asked.messages[0].content in self._deadly for asked in given):
            raise _Died
        return [Completion(asked.messages[0].content, "stop", 1, 1, 0.0) for asked in given]


def simulated(texts: list[str]) -> list[GenerationRequest]:
    return [GenerationRequest((Message("text", text),)) for text in texts]


def ask(pool: NodePool, texts: list[str]) -> list[tuple[str, Any]]:
    got: list[tuple[str, Any]] = []
    with ClusterChannel(pool) as channel:
        for text, request in zip(texts, simulated(texts), strict=True):
            channel.send(text, request)
        while len(got) < len(texts):
            got += channel.receive(0.01)
        got += channel.receive(0.0)
    return got


class TestWhateverDies:
    @pytest.fixture(autouse=True)
    def _no_rest(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pools, "_REST", 0.0)

    @given(
        many=st.integers(1, 300),
        processes=st.integers(1, 5),
        deaths=st.integers(0, 20),
        seed=st.integers(0, 2**32),
    )
    def test_every_request_is_answered_exactly_once(self, many, processes, deaths, seed):
        ray = _SimulatedRay(random.Random(seed), deaths, frozenset())
        pool = NodePool(ray, [ray.actor] * processes)
        texts = [str(number) for number in range(many)]
        got = ask(pool, texts)
        assert Counter(key for key, _ in got) == Counter(texts)
        # A request may have been on a process that was killed each time: then it is a failure.
        assert all(result.text == key for key, result in got if not isinstance(result, Failure))

    @given(many=st.integers(1, 150), seed=st.integers(0, 2**32), data=st.data())
    def test_a_request_that_kills_its_process_fails_alone(self, many, seed, data):
        texts = [str(number) for number in range(many)]
        deadly = data.draw(st.frozensets(st.sampled_from(texts), max_size=3))
        ray = _SimulatedRay(random.Random(seed), 0, deadly)
        got = dict(ask(NodePool(ray, [ray.actor] * 2), texts))
        failed = {key for key, result in got.items() if isinstance(result, Failure)}
        assert failed == deadly
        assert all("lack of memory" in got[key].reason for key in failed)

    @given(seed=st.integers(0, 2**32))
    def test_what_a_closed_channel_left_is_never_given_to_the_next(self, seed):
        ray = _SimulatedRay(random.Random(seed), 3, frozenset())
        pool = NodePool(ray, [ray.actor] * 3)
        pool.wait_until_open()
        with ClusterChannel(pool) as channel:
            for request in simulated([f"old {number}" for number in range(200)]):
                channel.send("old", request)
            channel.receive(0.0)
        texts = [str(number) for number in range(50)]
        assert Counter(key for key, _ in ask(pool, texts)) == Counter(texts)

    def test_room_is_what_keeps_every_process_busy(self):
        ray = _SimulatedRay(random.Random(1), 0, frozenset())
        channel = ClusterChannel(NodePool(ray, [ray.actor] * 3))
        assert channel.room == 3 * pools.AHEAD * pools.ROWS
        channel.send("one", simulated(["one"])[0])
        assert channel.room == 3 * pools.AHEAD * pools.ROWS - 1
        while not channel.receive(0.01):
            pass
        assert channel.room == 3 * pools.AHEAD * pools.ROWS

    def test_a_cluster_without_any_living_process_is_said_to_be_lost(self, monkeypatch):
        monkeypatch.setattr(pools, "PATIENCE", 0.0)
        ray = _SimulatedRay(random.Random(1), 10**9, frozenset())
        with pytest.raises(ModelError, match=r"No process on the cluster .* then resume the run"):
            NodePool(ray, [ray.actor]).wait_until_open()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: `make test-cluster` installs it and runs these tests.")
    with (
        pytest.MonkeyPatch.context() as patch,
        TwoNodes(tmp_path_factory.mktemp("nodes")) as nodes,
    ):
        for name, value in nodes.environment.items():
            patch.setenv(name, value)
        yield nodes


@pytest.fixture
def on_cluster(cluster: TwoNodes) -> Iterator[Model]:
    model = open_model("tiny", device="cpu", access=Access(cluster=cluster.address))
    wait_for_engines(cluster, 2)
    yield model
    model.close()


@pytest.fixture(scope="module")
def here() -> Model:
    return open_model("tiny", device="cpu")


def wait_for_engines(cluster: TwoNodes, many: int) -> None:
    wait_for(lambda: len(cluster.engines()) >= many)


def texts(results: Iterator[tuple[int, Any]]) -> list[str]:
    got = list(results)
    assert sorted(index for index, _ in got) == list(range(len(got)))
    return [result.text for _, result in sorted(got, key=lambda pair: pair[0])]


@pytest.mark.cluster
class TestTwoNodes:
    def test_give_the_text_of_one_process(self, on_cluster, here):
        asked = problems(500)
        assert on_cluster.identity == here.identity
        assert texts(on_cluster.generate(asked)) == texts(here.generate(asked))

    def test_give_the_probabilities_of_one_process(self, on_cluster, here):
        asked = preferences(100)
        got, expected = dict(on_cluster.likelihood(asked)), dict(here.likelihood(asked))
        assert sorted(got) == sorted(expected)
        for index, likelihood in expected.items():
            assert got[index].log_probabilities == pytest.approx(
                likelihood.log_probabilities, abs=1e-4
            )
            assert got[index].tokens == likelihood.tokens

    def test_bear_the_death_of_a_process(self, on_cluster, cluster, here):
        asked = problems(500)
        results = on_cluster.generate(asked)
        first = next(results)
        victim = cluster.engines()[0]
        victim.kill()
        got = texts(iter([first, *results]))
        assert got == texts(here.generate(asked))

    def test_bear_the_death_of_every_process(self, on_cluster, cluster, here):
        asked = problems(300)
        results = on_cluster.generate(asked)
        first = next(results)
        for victim in cluster.engines():
            victim.kill()
        assert texts(iter([first, *results])) == texts(here.generate(asked))

    def test_refuse_a_model_that_is_another_one_there(self, cluster):
        identity = replace(identify("tiny"), revision="0123456789abcdef")
        with pytest.raises(ModelError, match=r"is another one \(revision .* copy the same files"):
            open_on_cluster(
                identity,
                Access(cluster=cluster.address),
                spec=identity.spec,
                opener=open_model,
                path=tiny_directory(DEFAULT_NAME, TINY_MODELS),
                tiny_models=TINY_MODELS,
            )

    def test_refuse_a_model_that_is_not_there(self, cluster, tmp_path):
        gone = f"local:{tmp_path / 'gone'}"
        with pytest.raises(ModelError, match="Every node needs the model at the same place"):
            open_on_cluster(
                identify("tiny"),
                Access(cluster=cluster.address),
                spec=gone,
                opener=open_model,
                path=tmp_path,
                tiny_models=TINY_MODELS,
            )

    def test_refuse_a_model_too_large_for_any_node(self, cluster, tmp_path):
        with (tmp_path / "model.safetensors").open("wb") as file:
            file.truncate(1 << 40)
        with pytest.raises(ModelError, match="has no node with a processor with enough memory"):
            open_on_cluster(
                identify("tiny"),
                Access(cluster=cluster.address),
                spec="tiny",
                opener=open_model,
                path=tmp_path,
                tiny_models=TINY_MODELS,
            )

    def test_that_want_a_token_say_so(self, cluster, monkeypatch):
        monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
        monkeypatch.delenv("RAY_AUTH_TOKEN_PATH")
        done = subprocess.run(
            [sys.executable, "-c", _OPEN, cluster.address],
            capture_output=True,
            text=True,
            timeout=DEADLINE,
        )
        assert "RAY_AUTH_TOKEN_PATH" in done.stdout

    def test_do_a_run_whose_id_is_the_last_line(self, cluster, tmp_path):
        answers = []
        for where in ([], ["--on", cluster.address]):
            file = tmp_path / f"runs{len(where)}.db"
            done = subprocess.run(
                [
                    sys.executable, "-c", "from biaslab.cli import main; main()", "run",
                    "consistency", "--n", "40", "--model", "tiny", "--db", str(file), *where,
                ],
                capture_output=True,
                text=True,
                timeout=DEADLINE,
                env=os.environ,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert "ray" not in done.stdout.lower()
            with sqlite3.connect(file) as database:
                (run,) = database.execute("SELECT id FROM runs").fetchone()
                answers.append(database.execute("SELECT id, text FROM responses").fetchall())
            assert done.stdout.splitlines()[-1] == run
        assert sorted(answers[0]) == sorted(answers[1])
        assert len(answers[0]) >= 40


@pytest.mark.cluster
class TestLossesForGood:
    """The last ones, in this order: nobody brings the nodes back."""

    def test_of_a_node_changes_no_answer(self, on_cluster, cluster, here):
        asked = problems(500)
        results = on_cluster.generate(asked)
        first = next(results)
        cluster.kill_second_node()
        assert texts(iter([first, *results])) == texts(here.generate(asked))

    def test_of_the_head_is_said_in_a_sentence(self, cluster):
        model = open_model("tiny", device="cpu", access=Access(cluster=cluster.address))
        results = model.generate(problems(500))
        next(results)
        cluster.kill_head()
        with pytest.raises(ModelError, match=r"connection to the cluster was lost.* resume"):
            list(results)
        model.close()


_OPEN = """
import sys
from biaslab.models import Access, ModelError, open_model

try:
    open_model("tiny", access=Access(cluster=sys.argv[1]))
except ModelError as error:
    print(error)
"""
