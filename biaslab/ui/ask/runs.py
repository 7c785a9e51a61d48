"""A run: how far it is, what it was and used, its limits; and bundles of other people's runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from biaslab.models import MOST_AT_ONCE, read_spec
from biaslab.models.prices import cost, write_amount
from biaslab.publishing.paper import BundleError, open_recorded
from biaslab.runs import (
    Budget,
    FailureCount,
    ReadBundle,
    RunError,
    RunOptions,
    RunRecord,
    RunStatus,
    change_options,
    close_bundle,
    launch,
    opened_bundles,
    recording_of,
    stop,
)
from biaslab.runs.engine.sources import study_in
from biaslab.runs.rereading import reread, rereadings
from biaslab.runs.store.read_runs import BatchRecord, batches
from biaslab.studies import experiments
from biaslab.studies.strategies import MOST_TOKENS as CEILING
from biaslab.system.roles import May
from biaslab.ui.ask.costs import MOST_REQUESTS, MOST_TOKENS
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.navigation import COMPOSE, EFFECTS, ITEMS, LINK, RUNS, link, screen_at
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.address import amount
from biaslab.ui.widgets.cards import counts, example_prompt, facts_list, progress_bar
from biaslab.ui.widgets.runs import (
    RECORDED,
    RECORDED_HERE,
    recorded_words,
    run_facts,
    run_label,
    run_when,
)
from biaslab.ui.widgets.session import environment_for, has_key
from biaslab.ui.widgets.words import ACTIVE, KINDS, RESUMABLE, moment, plain
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count


def draw_limits_of(run: RunRecord, go_on: Callable[[RunRecord], None], *, reachable: bool) -> None:
    """Draws the limits of a run that may go on; a click changes them and calls ``go_on``."""
    server = read_spec(run.model_spec).served
    options = run.options
    if not (options.budget.is_limited or server or run.status is RunStatus.PAUSED):
        return
    pressing = run.status is RunStatus.PAUSED and options.budget.is_limited
    name = "Change the limits" if options.budget.is_limited else "Change the speed, or set limits"
    with (
        st.expander(name, expanded=pressing, key=f"limits {run.id}"),
        st.form(f"limits of {run.id}", border=False),
    ):
        requests = st.number_input(
            "Requests at most",
            min_value=0,
            max_value=MOST_REQUESTS,
            step=100,
            value=options.budget.requests,
            placeholder="no limit",
            key=f"requests {run.id}",
        )
        tokens = st.number_input(
            "Tokens at most",
            min_value=0,
            max_value=MOST_TOKENS,
            step=10_000,
            value=options.budget.tokens,
            placeholder="no limit",
            key=f"tokens {run.id}",
        )
        money = _draw_money(run)
        at_once = options.access.at_once
        if server:
            at_once = int(
                st.number_input(
                    "Requests at once",
                    min_value=1,
                    max_value=MOST_AT_ONCE,
                    step=8,
                    value=at_once,
                    key=f"at once {run.id}",
                )
            )
        length = options.length
        most = st.number_input(
            "Most tokens of a response",
            min_value=length.tokens or 1,
            max_value=CEILING,
            step=1024,
            value=length.tokens,
            placeholder="as the prompt strategy sets it",
            help="Can be raised, not lowered: existing answers are never dropped.",
            key=f"length {run.id}",
        )
        pressed = st.form_submit_button(
            "Resume with these limits", disabled=not reachable, icon=":material/play_arrow:"
        )
    if not pressed:
        return
    limit = amount(money) if money.strip() else None
    if money.strip() and limit is None:
        st.error(f"“{plain(money)}” is no amount of money: write a number such as 2.50.")
        return
    budget = Budget(_whole(requests), _whole(tokens), limit)
    length = replace(length, tokens=length.tokens if most is None else int(most))
    access = replace(options.access, at_once=at_once)
    _change(run, replace(options, budget=budget, access=access, length=length))
    go_on(run)


def _draw_money(run: RunRecord) -> str:
    price, money = run.options.price, run.options.budget.money
    if price is None:
        return ""
    return str(
        st.text_input(
            f"Money at most ({price.currency})",
            value="" if money is None else f"{money:f}",
            placeholder="no limit",
            key=f"money {run.id}",
        )
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _change(run: RunRecord, options: RunOptions) -> None:
    if options != run.options:
        change_options(queries.store(), run.id, options)


_NAMED = 5
"""So many reasons are named; there are seldom more."""


def draw_record(run: RunRecord) -> None:
    """Draws what the run used, and why requests were sent again or failed."""
    if run.failed:
        _draw_failures(run)
    if run.cached or run.asked:
        facts_list(use_facts(run))
    if run.retried:
        with st.expander(f"Why requests were sent again ({run.retried:,})"):
            st.markdown(_reasons(queries.store().retries(run.id)))
            st.caption("Nothing is lost. Questions that never get an answer are counted as failed.")
    if run.looks:
        _draw_looks(run)
    if run.options.batch_api:
        _draw_batches(run)


def use_facts(run: RunRecord) -> dict[str, str]:
    """What the run used so far, by name."""
    facts = {
        "Responses": f"{run.asked:,} asked for this run, {run.cached:,} saved from earlier runs",
        "Sent again": "no request" if not run.retried else count(run.retried, "time"),
        "Tokens": f"{run.tokens_in:,} sent, {run.tokens_out:,} written",
    }
    if read_spec(run.model_spec).served:
        facts["Cost so far"] = cost_words(run)
    if run.options.budget.is_limited:
        facts["Budget used"] = budget_used(run)
    return facts


def cost_words(run: RunRecord) -> str:
    """What the run cost so far, with where the price is from and of which day."""
    price = run.options.price
    if price is None:
        return "not known: no price was given"
    spent = cost(price, run.tokens_in, run.tokens_out, run.options.batch_api)
    return (
        f"{write_amount(spent, price.currency)} at {price.input_per_million} sent and "
        f"{price.output_per_million} written for a million tokens ({price.source}, "
        f"{price.date.isoformat()})"
    )


def budget_used(run: RunRecord) -> str:
    """How much of its budget the run has used."""
    budget, price = run.options.budget, run.options.price
    parts = []
    if budget.requests is not None:
        parts.append(f"{run.asked:,} of {count(budget.requests, 'request')}")
    if budget.tokens is not None:
        parts.append(f"{run.tokens_in + run.tokens_out:,} of {count(budget.tokens, 'token')}")
    if budget.money is not None and price is not None:
        spent = cost(price, run.tokens_in, run.tokens_out, run.options.batch_api)
        most = write_amount(budget.money, price.currency)
        parts.append(f"{write_amount(spent, price.currency)} of {most}")
    return "; ".join(parts)


def _draw_failures(run: RunRecord) -> None:
    reasons = queries.failures(queries.OutcomesState.of(run))
    what = "problem" if run.options.samples == 1 else "answer"
    st.warning(
        f"{count(run.failed, what)} failed and are not counted as wrong.\n\n{_reasons(reasons)}"
    )
    link(ITEMS, "Look at what failed", {"run": run.id, "pattern": "unfinished"})


def _reasons(reasons: Sequence[FailureCount]) -> str:
    lines = [f"- {reason.count:,} × {plain(reason.reason)}" for reason in reasons[:_NAMED]]
    more = sum(reason.count for reason in reasons[_NAMED:])
    return "\n".join([*lines, *([f"- {more:,} × for other reasons"] if more else [])])


def _draw_looks(run: RunRecord) -> None:
    with st.expander(f"Looks of the rule for stopping early ({len(run.looks)})"):
        facts_list({f"After {count(look.pairs, 'pair')}": look.reason for look in run.looks})
        st.caption(
            "CATE is the difference between the two kinds of problem; its interval allows for "
            "looking repeatedly."
        )


def _draw_batches(run: RunRecord) -> None:
    with queries.store().reading(run.id) as database:
        found = batches(database, run.id)
    zone = st.context.timezone
    for batch in found:
        shown = st.info if batch.out else st.caption
        shown(plain(batch_words(batch, zone)))


def batch_words(batch: BatchRecord, zone: str | None) -> str:
    """A batch in a sentence or two."""
    what = f"A batch of {count(batch.requests, 'request')}"
    name = f" ({batch.server_id})" if batch.server_id else ""
    if batch.out and batch.server_id:
        told = f"{what} has been with the server since {moment(batch.created, zone)}{name}."
    elif batch.out:
        told = f"{what} is being handed over since {moment(batch.created, zone)}."
    else:
        told = f"{what} of {moment(batch.created, zone)}{name}: {batch.status}."
    return f"{told} {batch.message}".strip()


_LARGEST_MIB = 64
"""Of an archive that a browser brings; `biaslab open` takes larger ones."""
_UPLOAD = "upload of a bundle"
_JUST_OPENED = "bundle just opened"
_MOST_NAMED = 8
"""So many differences are told; there are seldom more than a few kinds."""


def draw_bundles() -> None:
    """Draws the bundles that are open, and the opening of another one."""
    opened = opened_bundles(queries.store())
    with st.expander(
        "Open runs that others recorded",
        icon=RECORDED,
        expanded=not queries.runs_in_file(),
        key="recorded",
    ):
        _draw_opening()
        if opened:
            st.caption(f"{count(len(opened), 'bundle')} open")
        for bundle in opened:
            _draw_opened(bundle)


def draw_provenance(run: RunRecord) -> None:
    """Says of a recorded run whose record it is, and what came of making it again here."""
    if recording := recording_of(run):
        st.info(f"{recorded_words(recording)} {RECORDED_HERE}", icon=RECORDED)
        return
    bundle = next((b for b in opened_bundles(queries.store()) if b.digest == run.bundle), None)
    if bundle is None:
        return
    zone = st.context.timezone
    st.info(
        plain(
            f"Recorded by someone else, read-only: from “{bundle.name}”, opened "
            f"{moment(bundle.opened, zone)}, made with BiasLab {_version(bundle)}. "
            f"{_outcome(bundle)}"
        ),
        icon=RECORDED,
    )
    _draw_differences(bundle)


def _draw_opening() -> None:
    if visitor.refused(May.BUNDLE):
        return
    st.caption(
        "Look at what others asked, without a key: a bundle is in every **Paper (ZIP)** that "
        "BiasLab writes. It is recomputed here first; its runs then appear next to yours, "
        "read-only, on this page, Effects and Items."
    )
    chosen = st.file_uploader(
        "A bundle, or a paper with one (ZIP)",
        type=["zip"],
        max_upload_size=_LARGEST_MIB,
        key=f"{_UPLOAD} {st.session_state.get(_UPLOAD, 0)}",
        help=f"At most {_LARGEST_MIB} MiB. It stays on this computer.",
    )
    if chosen is None:
        return
    with st.status(f"Opening {plain(chosen.name)} …", expanded=True) as status:
        st.write("Its files are being read. This takes some seconds for each run.")
        try:
            with TemporaryDirectory(prefix="biaslab-upload-") as folder:
                path = Path(folder) / "bundle.zip"
                path.write_bytes(chosen.getvalue())
                done = open_recorded(
                    queries.store(), path, chosen.name, lambda said: st.write(plain(said))
                )
        except BundleError as error:
            status.update(label=f"{plain(chosen.name)} was not opened", state="error")
            st.error(plain(str(error)), icon=":material/error:")
            return
    # Another key is another uploader: what was opened is not opened again by the next click.
    st.session_state[_UPLOAD] = st.session_state.get(_UPLOAD, 0) + 1
    st.session_state[_JUST_OPENED] = done.digest
    st.rerun()


def _draw_opened(bundle: ReadBundle) -> None:
    with st.container(border=True):
        if st.session_state.get(_JUST_OPENED) == bundle.digest:
            st.success(f"{count(len(bundle.runs), 'run')} opened. They are in the list above.")
        st.markdown(f"**{plain(bundle.name)}**")
        st.caption(
            plain(
                f"{count(len(bundle.runs), 'run')} · opened "
                f"{moment(bundle.opened, st.context.timezone)} · BiasLab {_version(bundle)} · "
                f"SHA-256 {bundle.digest[:12]}…"
            )
        )
        st.markdown(plain(_outcome(bundle)))
        _draw_differences(bundle)
        with st.container(horizontal=True, vertical_alignment="center"):
            if bundle.runs:
                link(EFFECTS, "Effects of its runs", {"runs": ",".join(bundle.runs)})
                link(ITEMS, "Items of the newest", {"run": bundle.runs[0]})
                link(RUNS, "The newest run", {"run": bundle.runs[0]})
            if visitor.may(May.BUNDLE) and st.button(
                "Close",
                icon=":material/close:",
                key=f"close {bundle.digest}",
                help="Takes its runs out of your file, with your marks and notes next to them. "
                "Your own runs stay as they are.",
            ):
                try:
                    close_bundle(queries.store(), bundle.digest)
                except RunError as error:
                    st.error(plain(str(error)))
                    return
                st.rerun()


def _draw_differences(bundle: ReadBundle) -> None:
    if not bundle.differences:
        return
    with st.expander(f"What came out otherwise ({len(bundle.differences)})"):
        st.markdown("\n".join(f"- {plain(each)}" for each in bundle.differences[:_MOST_NAMED]))
        if len(bundle.differences) > _MOST_NAMED:
            st.caption(
                f"And {len(bundle.differences) - _MOST_NAMED:,} more; `biaslab reproduce` tells."
            )


def _version(bundle: ReadBundle) -> str:
    return bundle.versions.get("biaslab", "of no named version")[:40]


def _outcome(bundle: ReadBundle) -> str:
    if bundle.differences:
        return "We recomputed it here and not everything agrees: read on before you rely on it."
    return "We recomputed it here: pairs, prompts, readings and effects all agree."


_REREAD = "told of rereading"

_READ_BY = {"published": "Read them by the first number, as published"}


def draw_run(run: RunRecord) -> None:
    """Everything about a run."""
    st.header(plain(run_label(run)), anchor=False)
    st.caption(plain(run_when(run, st.context.timezone)))
    if run.bundle is None:
        progress_bar(run)
        _draw_actions(run)
    else:
        draw_provenance(run)
    counts(run)
    draw_record(run)
    if run.items_done:
        with st.container(horizontal=True):
            link(EFFECTS, "See the effects", {"runs": run.id})
            link(ITEMS, "Look at the items", {"run": run.id})
            _link_to_page(run)
    if run.bundle is None:
        _draw_rereading(run)
    facts_list(run_facts(run, st.context.timezone))
    st.caption(next(k.explanation for kind, k in KINDS.items() if str(kind) == run.model_kind))
    example_prompt(run)
    with st.container(horizontal=True):
        link(COMPOSE, "Make another run with this design", address_of(run.design))
        link(RUNS, "Link to this run", {"run": run.id}, icon=LINK)


def _link_to_page(run: RunRecord) -> None:
    """Draws a link to the page on which the run's study shows its results, if it has one."""
    study = experiments().get(run.study)
    page = None if study is None else study.results_page
    if page is not None:
        link(screen_at(page.page), page.label, {**page.parameters, "runs": run.id})


def _draw_actions(run: RunRecord) -> None:
    if (run.status is not RunStatus.FINISHED or run.failed) and visitor.refused(May.RUN):
        return
    if run.status is RunStatus.RUNNING:
        if st.button("Stop", icon=":material/stop_circle:", key=f"stop {run.id}"):
            stop(queries.store(), run.id)
            st.rerun()
        return
    if run.status is RunStatus.STOPPING:
        st.button("Stopping …", disabled=True, key=f"stopping {run.id}")
        return
    if run.status not in RESUMABLE and not run.failed:
        return
    reachable = has_key(run.options.access, run.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.status in RESUMABLE:
            word = "Start" if run.status is RunStatus.READY else "Resume"
            if st.button(
                word,
                icon=":material/play_arrow:",
                type="primary",
                key=f"resume {run.id}",
                disabled=not reachable,
            ):
                go_on(run)
        if run.failed:
            draw_retry(run, reachable=reachable)
    if run.status in RESUMABLE:
        draw_limits_of(run, go_on, reachable=reachable)


def draw_retry(run: RunRecord, *, reachable: bool) -> None:
    """Draws a button that asks what failed, alone."""
    what = "failed problem" if run.options.samples == 1 else "failed answer"
    alone = "" if run.status is RunStatus.FINISHED else " alone"
    if st.button(
        f"Retry {count(run.failed, what)}{alone}",
        icon=":material/refresh:",
        type="primary" if run.status is RunStatus.FINISHED else "secondary",
        key=f"retry {run.id}",
        disabled=not reachable or run.status in ACTIVE,
    ):
        go_on(run, only_failed=True)


def go_on(run: RunRecord, *, only_failed: bool = False) -> None:
    """Starts the run's worker again and draws the page anew."""
    access = run.options.access
    launch(
        queries.store().path, run.id, environment=environment_for(access), only_failed=only_failed
    )
    st.rerun()


def _draw_rereading(run: RunRecord) -> None:
    """Draws what else could read the answers, and every earlier rereading."""
    store = queries.store()
    _draw_reread_buttons(run)
    if st.session_state.get(_REREAD, ("", ""))[0] == run.id:
        st.success(plain(st.session_state.pop(_REREAD)[1]))
    for past in rereadings(store, run.id):
        st.caption(
            plain(
                f"Read again on {moment(past.reread, st.context.timezone)} by "
                f"“{past.reader_after}” (before: {past.reader_before or 'an earlier reader'}): "
                f"{past.changed:,} of {count(past.answers, 'answer')} changed. What was read "
                "before is saved in the file."
            )
        )


def _draw_reread_buttons(run: RunRecord) -> None:
    """Draws a button for each reader that would read the run otherwise than it is read now."""
    if run.status in ACTIVE or not run.answered + run.invalid or not visitor.may(May.RUN):
        return
    try:
        study = study_in(queries.store(), run.study)
        present = study.reader_of(run.reader)
    except ProblemError:
        return  # The study is gone; the run can be looked at all the same.
    for reader in (study.reader, *study.further_readers):
        if reader == run.reader:
            continue
        label = _READ_BY.get(reader.partition(" ")[0], "Read them in BiasLab's way")
        if st.button(
            "Read the stored answers again" if reader == present else label,
            icon=":material/menu_book:",
            key=f"reread {run.id} {reader}",
            help=f"By the reader “{reader}”. No request is sent; earlier readings are saved.",
        ):
            try:
                found = reread(queries.store(), run.id, reader=reader)
            except RunError as error:
                st.error(plain(str(error)))
                return
            st.session_state[_REREAD] = (run.id, found.sentence)
            st.rerun()
