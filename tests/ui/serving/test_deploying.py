"""Hosting for others: health, the log, copies, the container and the proxy in front of it."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path
from socket import create_connection
from ssl import CERT_NONE, create_default_context
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
import yaml
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from biaslab.cli import main
from biaslab.runs import open_store
from biaslab.ui.serving import routes
from biaslab.ui.serving.log import MOST_ALIKE, LogMiddleware, RateLimitFilter
from tests.browser.conftest import TOKEN, Server, start
from tests.conftest import DEADLINE, free_port, wait_for

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
ELSEWHERE = "Your own address is shown by “biaslab addresses”: where nobody else looks."
KEPT_APART = r"COPY (?!--from)(.+) \S+$"


class TestHealth:
    def test_an_app_with_a_file_and_room_on_the_disk_is_ready(self, tmp_path: Path) -> None:
        assert routes.not_ready(tmp_path / "runs.db") == ""

    def test_a_file_that_is_no_file_of_runs_is_told_without_its_name(self, tmp_path: Path) -> None:
        path = tmp_path / "secret-name.db"
        path.write_bytes(b"no database" * 100)
        assert routes.not_ready(path) == "the file of runs cannot be opened"

    def test_a_disk_without_room_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("biaslab.runs.store.connection.LEAST_FREE", 2**80)
        assert routes.not_ready(tmp_path / "runs.db") == "the disk is nearly full"

    def test_what_is_not_ready_answers_503_and_lives(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
        (tmp_path / "runs.db").write_bytes(b"no database" * 100)
        app = TestClient(
            Starlette(routes=[Route(routes.ALIVE, routes.alive), Route(routes.READY, routes.ready)])
        )
        assert app.get(routes.ALIVE).status_code == 200
        answer = app.get(routes.READY)
        assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")
        assert str(tmp_path) not in answer.text


class TestLog:
    @staticmethod
    def lines(*addresses: str) -> list[dict[str, object]]:
        async def found(_: object) -> PlainTextResponse:
            return PlainTextResponse("here")

        async def broken(_: object) -> PlainTextResponse:
            raise RuntimeError("secret")

        written = StringIO()
        app = Starlette(routes=[Route("/r/{code}", found), Route("/broken", broken)])
        asked = TestClient(LogMiddleware(app, written), raise_server_exceptions=False)
        for address in addresses:
            asked.get(address, headers={"Cookie": "secret=1"})
        assert "secret" not in written.getvalue()
        return [json.loads(line) for line in written.getvalue().splitlines()]

    def test_a_request_is_a_line_without_codes_queries_and_cookies(self) -> None:
        (line,) = self.lines("/r/SECRET?token=secret")
        assert line["path"] == "/r"
        assert (line["method"], line["status"], line["what"]) == ("GET", 200, "http")
        assert set(line) == {"at", "what", "method", "path", "status", "ms"}

    def test_what_breaks_and_what_is_not_there_is_told_by_its_status(self) -> None:
        assert [each["status"] for each in self.lines("/broken", "/nothing")] == [500, 404]

    def test_files_of_screens_are_told_where_they_are_refused_alone(self) -> None:
        assert [each["status"] for each in self.lines("/static/none.js")] == [404]
        assert self.lines(routes.ALIVE)[0]["status"] == 404

    def test_a_long_path_is_cut(self) -> None:
        (line,) = self.lines("/" + "x" * 5_000)
        assert len(str(line["path"])) < 50


class TestBoundedLog:
    def test_a_place_writes_so_many_lines_a_minute_and_then_how_many_it_left_out(self) -> None:
        minutes = [0.0]
        logger = logging.Logger("a library")
        logger.addFilter(RateLimitFilter(lambda: 60.0 * minutes[-1]))
        written = StringIO()
        logger.addHandler(logging.StreamHandler(written))
        for minute in (0.0, 0.5, 1.5, 2.6):
            minutes.append(minute)
            for number in range(100):
                logger.warning("no %s", number)
            logger.warning("something else")
        lines = written.getvalue().splitlines()
        assert lines.count("something else") == 4
        assert len(lines) == 3 * MOST_ALIKE + 4
        assert [each for each in lines if "left out" in each] == [
            "no 0 (180 lines like this were left out)", "no 0 (80 lines like this were left out)",
        ]  # fmt: skip

    def test_every_logger_of_the_process_is_bounded_also_one_that_comes_later(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", _TALKATIVE], capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert len(done.stderr.splitlines()) == 3 * MOST_ALIKE


_TALKATIVE = """
import logging
before = logging.getLogger("before")
from biaslab.ui.serving.log import bound
bound()
for name in ("asyncio", "before", "uvicorn.error.later"):
    for _ in range(1000):
        logging.getLogger(name).error("no")
"""


class TestBackup:
    def test_a_copy_made_while_somebody_writes_is_whole(self, tmp_path: Path) -> None:
        database = tmp_path / "runs.db"
        ended = threading.Event()
        with open_store(database) as store:
            with store.writing():
                pass

            def write() -> None:
                while not ended.is_set():
                    with store.writing():
                        pass

            writer = threading.Thread(target=write)
            writer.start()
            try:
                done = CliRunner().invoke(
                    main, ["backup", str(tmp_path / "kept"), "--db", str(database)]
                )
            finally:
                ended.set()
                writer.join()
        assert done.exit_code == 0, done.output
        copy = Path(done.output.strip())
        assert [each.name for each in (tmp_path / "kept").iterdir()] == [copy.name]
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        with open_store(copy) as store:
            assert store.change_counter() > 0

    def test_where_there_is_no_file_a_sentence_says_so(self, tmp_path: Path) -> None:
        missing = tmp_path / "none.db"
        done = CliRunner().invoke(main, ["backup", str(tmp_path), "--db", str(missing)])
        assert done.exit_code == 1
        assert "there is no file of runs here" in done.output
        assert not missing.exists()

    def test_a_damaged_file_is_not_kept_as_a_copy(self, tmp_path: Path) -> None:
        database = tmp_path / "runs.db"
        open_store(database).close()
        content = bytearray(database.read_bytes())
        content[5000:9000] = b"\xff" * 4000
        database.write_bytes(content)
        done = CliRunner().invoke(main, ["backup", str(tmp_path / "kept"), "--db", str(database)])
        assert done.exit_code == 1
        assert "Traceback" not in done.output
        assert not list((tmp_path / "kept").glob("*.db*"))


def test_a_certificate_without_its_key_is_no_https(tmp_path: Path) -> None:
    file = tmp_path / "cert.pem"
    file.touch()
    done = CliRunner().invoke(main, ["host", "--cert", str(file)])
    assert done.exit_code == 2
    assert "both --cert and --key" in done.output


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """``biaslab host --room`` on a free port: its port, and what it writes."""
    port = free_port()
    log = tmp_path / "host.log"
    environment = {**os.environ, "BIASLAB_DB": str(tmp_path / "runs.db"), "BIASLAB_TOKEN": TOKEN}
    environment |= {"STREAMLIT_SERVER_HEADLESS": "true", "BIASLAB_LOG": "json"}
    command = [sys.executable, "-m", "biaslab", "host", "--room", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        wait_for(lambda: "█" in log.read_text() or process.poll() is not None)
        yield port, log
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=DEADLINE)


def test_a_room_sees_the_code_alone_and_its_host_is_shown_the_addresses_elsewhere(
    hosted: tuple[int, Path],
) -> None:
    port, log = hosted
    seen = log.read_text()
    (everybodys,) = re.findall(r"http://\S+", seen)
    assert "token" not in seen
    assert TOKEN not in seen
    lines = [line for line in seen.splitlines() if line and not set(line) <= set(" █▀▄")]
    assert lines == [f"  {everybodys}", f"  {ELSEWHERE}"]
    with urlopen(f"{everybodys}{routes.READY}", timeout=DEADLINE) as answer:
        assert answer.read() == b"ready\n"
    assert "{" not in log.read_text()  # health is quiet

    database = log.with_name("runs.db")
    shown = CliRunner().invoke(main, ["addresses", "--db", str(database)])
    assert shown.exit_code == 0, shown.output
    own, hosts, *_ = re.findall(r"http://\S+", shown.output)
    assert own == f"http://localhost:{port}/start?token={TOKEN}&page=room"
    assert hosts.startswith(f"{everybodys}/start?token=")
    with pytest.raises(HTTPError) as answered:
        _without_redirect(Request(own))
    assert answered.value.code == 303
    assert (log.parent / f"opened-{port}.json").stat().st_mode & 0o077 == 0


def test_the_addresses_go_with_the_app_and_without_one_a_sentence_says_so(tmp_path: Path) -> None:
    process, server = start(tmp_path / "data" / "runs.db", tmp_path / "log")
    ask = ["addresses", "--db", str(server.database)]
    kept = server.database.with_name(f"opened-{server.address.rpartition(':')[2]}.json")
    assert server.start in CliRunner().invoke(main, ask).output
    assert server.database.parent.stat().st_mode & 0o777 == 0o700
    process.terminate()
    process.wait(timeout=DEADLINE)
    assert not kept.exists()
    ended = CliRunner().invoke(main, ask)
    assert ended.exit_code == 1
    assert "BiasLab is not open with" in ended.output

    # One that was killed takes nothing back.
    process, server = start(tmp_path / "data" / "runs.db", tmp_path / "log")
    process.kill()
    process.wait(timeout=DEADLINE)
    assert CliRunner().invoke(main, ask).exit_code == 1


def test_no_token_is_written_to_a_log_and_no_token_of_use_to_a_command_line(
    tmp_path: Path,
) -> None:
    """However the app is started, what it writes and what it has the browser open are checked."""
    browser, told = tmp_path / "browser", tmp_path / "told"
    browser.write_text(f'#!/bin/sh\necho "$@" >> "{told}"\n')
    browser.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    for name in ("xdg-open", "open"):
        (tmp_path / name).symlink_to(browser)
    tokens = {
        "BIASLAB_HOST_TOKEN": "a-token-for-hosts-alone",
        "BROWSER": str(browser),
        "PATH": path,
    }
    for options in ((), ("--server.address", "0.0.0.0"), ("--server.headless", "false")):
        log = tmp_path / "log"
        process, _ = start(tmp_path / "runs.db", log, *options, **tokens)
        try:
            wait_for(lambda: ELSEWHERE in log.read_text())  # noqa: B023
            if "false" in options:
                wait_for(lambda: told.exists() and "token=" in told.read_text())
                (ticket,) = re.findall(r"http://\S+", told.read_text())
                with pytest.raises(HTTPError) as first:
                    _without_redirect(Request(ticket))
                assert first.value.code == 303
                assert "biaslab-" in first.value.headers["set-cookie"]
                with pytest.raises(HTTPError) as second:
                    _without_redirect(Request(ticket))
                assert second.value.code == 403
            held = log.read_text() + (told.read_text() if told.exists() else "")
            wrong = [each for each in (TOKEN, tokens["BIASLAB_HOST_TOKEN"]) if each in held]
            assert wrong == [], options
        finally:
            process.terminate()
            process.wait(timeout=DEADLINE)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_whoever_starts_it_for_themselves_in_a_terminal_sees_their_address(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    port = free_port()
    environment = {**os.environ, "BIASLAB_DB": str(tmp_path / "runs.db"), "BIASLAB_TOKEN": TOKEN}
    environment |= {"STREAMLIT_SERVER_HEADLESS": "true"}
    process = subprocess.Popen(
        [sys.executable, "-m", "biaslab", "app", "--port", str(port)],
        cwd=ROOT, env=environment, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    try:
        os.close(theirs)
        seen = ""
        with suppress(OSError):  # of a terminal at whose other end nobody is any more
            while "keep it to yourself" not in seen:
                seen += os.read(ours, 4096).decode()
        assert f"http://localhost:{port}/start?token={TOKEN}" in seen
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=DEADLINE)
        os.close(ours)


@pytest.mark.parametrize("page", ["room", "your_class"])
def test_the_address_of_the_start_leads_to_pages_of_the_app_alone(
    page: str, hosted: tuple[int, Path]
) -> None:
    port, _ = hosted
    for given, leads in [(page, f"/{page}"), ("//evil.example", "/"), ("../x", "/"), ("A", "/")]:
        asked = Request(f"http://localhost:{port}/start?token={TOKEN}&page={given}", method="GET")
        with pytest.raises(HTTPError) as answered:
            _without_redirect(asked)
        assert answered.value.headers["location"] == leads


def _without_redirect(asked: Request) -> None:
    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    build_opener(Stay()).open(asked, timeout=DEADLINE)


class TestContainer:
    """What can be seen without building it; `test_the_image_builds` needs a container runtime."""

    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))

    def test_all_that_is_copied_is_there_and_sent_to_the_builder(self) -> None:
        sent = {
            line[1:]
            for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
            if line.startswith("!")
        }
        copied = {
            name
            for line in self.lines
            for found in re.findall(KEPT_APART, line)
            for name in found.split()
        }
        assert copied == sent
        for name in copied:
            assert list(ROOT.glob(name)), name

    def test_it_does_not_run_as_root_and_asks_for_its_health(self) -> None:
        (user,) = [line for line in self.lines if line.startswith("USER")]
        assert user == "USER biaslab"
        assert self.lines.index(user) < next(
            at for at, line in enumerate(self.lines) if line.startswith("CMD")
        )
        assert any("HEALTHCHECK" in line and routes.READY in line for line in self.lines)

    def test_every_locked_set_of_packages_is_there(self) -> None:
        for name in ("app-small", "app", "torch-cpu"):
            assert (ROOT / "locks" / f"{name}.txt").is_file()

    def test_the_proxy_alone_is_reached_from_outside(self) -> None:
        app, proxy = self.compose["services"]["app"], self.compose["services"]["proxy"]
        assert "ports" not in app
        assert proxy["ports"] == ["80:80", "443:443"]
        assert self.compose["networks"]["inside"] == {"internal": True}
        assert app["read_only"]
        assert app["cap_drop"] == ["ALL"]

    def test_no_secret_is_in_a_file_that_is_shared(self) -> None:
        example = (DEPLOY / "example.env").read_text()
        everything = [each.read_text() for each in DEPLOY.iterdir()]
        assert not any(re.search("TOKEN|SECRET|PASSWORD", each) for each in everything)
        named = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
        assert named == set(re.findall(r"^(\w+)=", example, re.MULTILINE))
        assert self.compose["services"]["app"]["environment"]["BIASLAB_HOSTS"].startswith("https")
        assert any("--mode=700 /data" in line for line in self.lines)
        assert "deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()

    def test_the_image_builds(self) -> None:
        docker = shutil.which("docker") or shutil.which("podman")
        if docker is None or subprocess.run([docker, "info"], capture_output=True).returncode:
            pytest.skip("no container runtime runs here")
        subprocess.run(
            [docker, "build", "--file", "deploy/Dockerfile", "--tag", "biaslab-test", "."],
            cwd=ROOT, check=True, env={**os.environ, "DOCKER_BUILDKIT": "1"},
        )  # fmt: skip


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
class TestProxy:
    """The shipped Caddyfile in front of the app; the certificate is the proxy's own."""

    @pytest.fixture
    def behind(self, tmp_path: Path) -> Iterator[tuple[Server, int]]:
        process, server = start(
            tmp_path / "runs.db", tmp_path / "app.log", BIASLAB_HOSTS="localhost"
        )
        port = free_port()
        config = (DEPLOY / "Caddyfile").read_text().replace("encode", "tls internal\n\tencode")
        (tmp_path / "Caddyfile").write_text("{\n\tskip_install_trust\n\tadmin off\n}\n" + config)
        environment = {
            **os.environ, "HOME": str(tmp_path), "BIASLAB_NAME": f"https://localhost:{port}",
            "BIASLAB_APP": server.address.removeprefix("http://"),
        }  # fmt: skip
        proxy = subprocess.Popen(
            ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"],
            cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

        def answers() -> bool:
            try:
                create_connection(("localhost", port), timeout=DEADLINE).close()
            except OSError:
                return False
            return True

        try:
            wait_for(answers)
            yield server, port
        finally:
            proxy.terminate()
            process.terminate()
            proxy.wait(timeout=DEADLINE)
            process.wait(timeout=DEADLINE)

    def test_pages_are_served_and_sockets_of_other_sites_are_not(
        self, behind: tuple[Server, int]
    ) -> None:
        _, port = behind
        trusting = create_default_context()
        trusting.check_hostname = False
        trusting.verify_mode = CERT_NONE
        with urlopen(
            f"https://localhost:{port}{routes.READY}", context=trusting, timeout=DEADLINE
        ) as answer:
            assert answer.read() == b"ready\n"
        stream = f"wss://localhost:{port}/_stcore/stream"
        own, other = Origin(f"https://localhost:{port}"), Origin("https://evil.example")
        with connect(stream, ssl=trusting, origin=own, open_timeout=DEADLINE):
            pass
        with pytest.raises(InvalidStatus):
            connect(stream, ssl=trusting, origin=other)
