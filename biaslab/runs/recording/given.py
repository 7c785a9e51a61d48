"""Makes runs again from a recording of requests and responses, without the model."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from biaslab.models import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
)
from biaslab.models.local.provider import local_spec
from biaslab.runs.engine.prepare import prepare
from biaslab.runs.engine.runner import run_here
from biaslab.runs.engine.sources import Sources, study_in
from biaslab.runs.recording.gallery import Recording
from biaslab.runs.store.encoding import read_request, write_request
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.store import Store
from biaslab.studies.strategies import Length
from biaslab.studies.study import Design, experiment


class _Given:
    """A model whose answers were given before; whatever else is asked has none."""

    def __init__(self, identity: ModelIdentity, answers: Mapping[str, Completion]) -> None:
        self.identity = identity
        self._answers = answers

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, request in enumerate(requests):
            yield index, self._answers.get(write_request(request), _MISSING)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        return ((index, _MISSING) for index, _ in enumerate(requests))


_MISSING = Failure("The recording has no such request.", retryable=False)


def make_again(path: Path, recording: Recording, store: Store, n: int, seed: int) -> list[str]:
    """Makes the runs of a recording of requests and responses again, without the model.

    The same seed makes the same pairs and prompts; each request is looked up among the recorded
    ones. One that is not there has failed, and is no answer. Nothing was asked to go on.

    Args:
        path: JSON lines, with gzip: study, strategy, request (messages, sampling), text, finish,
            tokens_in, tokens_out.
        recording: whose answers they are.
        store: where the runs come to stand.
        n: pairs of each run.
        seed: of the designs, which are the studies' own otherwise.

    Returns:
        ids of the runs, one for each study and strategy of the file.
    """
    answers: dict[str, Completion] = {}
    wanted: dict[tuple[str, str], None] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            each = json.loads(line)
            wanted[each["study"], each["strategy"]] = None
            answers[write_request(read_request(json.dumps(each["request"])))] = Completion(
                each["text"], each["finish"], each["tokens_in"], each["tokens_out"], 0.0
            )
    identity = ModelIdentity(
        local_spec(recording.name), ModelKind.LANGUAGE_MODEL, recording.sha256[:16], ModelForm.CHAT
    )
    sources = Sources(
        lambda name: study_in(store, name),
        lambda *_: identity,
        lambda *_: _Given(identity, answers),
    )
    made = []
    for study, strategy in wanted:
        settings = {each.name: each.default for each in experiment(study).settings}
        design = Design(study, n, seed, settings)
        options = RunOptions(length=Length(go_on=0))
        run = prepare(store, design, identity.spec, strategy, options=options, sources=sources)
        run_here(store, run, sources=sources, pauses=())
        made.append(run)
    with store.writing() as connection:
        when = f"{recording.date}T12:00:00.000Z"
        connection.execute("UPDATE runs SET created = ?1, started = ?1, finished = ?1", [when])
        # How long each took was not written down.
        connection.execute("UPDATE responses SET created = ?, seconds = NULL", [when])
    return made
