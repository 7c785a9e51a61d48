"""Who may do what: one table, asked below the screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from biaslab.models import Access
from biaslab.models.server.capabilities import Capabilities
from biaslab.publishing.review import delete_review
from biaslab.runs import (
    Connection,
    Store,
    delete_design,
    delete_set,
    forget,
    launch,
    open_store,
    prepare,
    remember,
    save_design,
    save_note,
    stop,
)
from biaslab.runs.jobs.plans import launch_plan, stop_plan
from biaslab.studies import Design
from biaslab.system import roles
from biaslab.system.roles import TABLE, May, NotAllowed, Role, refusal
from biaslab.training.jobs import ask_to_stop, remove, start_job
from biaslab.training.mix import read_mix
from biaslab.training.plan import TrainingPlan
from tests.loops import over

DESIGN = Design("consistency", 2, 1)
SERVER = Access(("http://localhost:8000/v1",))


@contextmanager
def acting(role: Role) -> Iterator[None]:
    roles.known_by(lambda: role)
    try:
        yield
    finally:
        roles.known_by(lambda: Role.HERE)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "runs.db")


DEEDS: dict[str, tuple[May, Callable[[Store], object]]] = {
    "write a run": (May.RUN, lambda store: prepare(store, DESIGN, "learner:shy", "direct")),
    "start one": (May.RUN, lambda store: launch(store.path, "any")),
    "stop one": (May.RUN, lambda store: stop(store, "any")),
    "start a plan": (May.RUN, lambda store: launch_plan(store.path, b"any")),
    "stop a plan": (May.RUN, lambda store: stop_plan(store, b"any")),
    "keep a design": (May.KEEP, lambda store: save_design(store, "mine", DESIGN)),
    "delete a design": (May.DELETE, lambda store: delete_design(store, "mine")),
    "delete a set": (May.DELETE, lambda store: delete_set(store, "any")),
    "delete a review": (May.DELETE, lambda store: delete_review(store, "any")),
    "connect a server": (
        May.CONNECT,
        lambda store: remember(
            store, Connection("openai:x", SERVER, Capabilities("x", SERVER.base_urls, ok=True))
        ),
    ),
    "forget a server": (May.CONNECT, lambda store: forget(store, "openai:x", "http://x/v1")),
    "note something": (May.NOTES, lambda store: save_note(store, "any", "pair", None, "text")),
    "train": (
        May.TRAIN,
        lambda store: start_job(
            TrainingPlan(read_mix("balanced"), 1, 1.0), store.path.parent / "t"
        ),
    ),
    "stop a training": (May.TRAIN, lambda store: ask_to_stop(store.path.parent)),
    "delete a training": (May.TRAIN, lambda store: remove(store.path.parent)),
}


@over("deed", DEEDS)
@over("role", [role for role in Role if role is not Role.HERE])
def test_what_the_table_does_not_allow_is_refused_before_anything_is_done(
    role: Role, deed: str, store: Store
) -> None:
    needs, does = DEEDS[deed]
    if needs in TABLE[role]:
        return
    before = store.change_counter()
    with acting(role), pytest.raises(NotAllowed) as refused:
        does(store)
    assert str(refused.value) == refusal(needs, role)
    assert store.change_counter() == before
    assert not (store.path.parent / "t").exists()


def test_whoever_uses_the_library_is_the_person_here(store: Store) -> None:
    assert roles.acting() is Role.HERE
    save_design(store, "mine", DESIGN)
    delete_design(store, "mine")


def test_each_role_may_what_the_one_before_may() -> None:
    rising = list(Role)
    for less, more in pairwise(rising):
        assert TABLE[less] < TABLE[more]
    assert TABLE[Role.VISITOR] == {May.SEE}


@over("deed", list(May))
def test_a_refusal_says_who_may_and_how_to_become_that(deed: May) -> None:
    for role in Role:
        said = refusal(deed, role)
        assert bool(said) is (deed not in TABLE[role])
        if said:
            assert f" may {deed}. " in said
            assert "open" in said
