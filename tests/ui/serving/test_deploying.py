"""Hosting for others: health, the log, copies, the container and the proxy in front of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from socket import create_connection, socket
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
from biaslab.runs.store import space
from biaslab.ui.serving import health
from biaslab.ui.serving.log import Logged
from tests.browser.conftest import TOKEN, Server, start
from tests.conftest import DEADLINE, wait_for

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
KEPT_APART = r"COPY (?!--from)(.+) \S+$"


class TestHealth:
    def test_an_app_with_a_file_and_room_on_the_disk_is_ready(self, tmp_path: Path) -> None:
        assert health.not_ready(tmp_path / "runs.db") == ""

    def test_a_file_that_is_no_file_of_runs_is_told_without_its_name(self, tmp_path: Path) -> None:
        path = tmp_path / "secret-name.db"
        path.write_bytes(b"no database" * 100)
        assert health.not_ready(path) == "the file of runs cannot be opened"

    def test_a_disk_without_room_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(space, "LEAST_FREE", 2**80)
        assert health.not_ready(tmp_path / "runs.db") == "the disk is nearly full"

    def test_what_is_not_ready_answers_503_and_lives(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))
        (tmp_path / "runs.db").write_bytes(b"no database" * 100)
        app = TestClient(
            Starlette(routes=[Route(health.ALIVE, health.alive), Route(health.READY, health.ready)])
        )
        assert app.get(health.ALIVE).status_code == 200
        answer = app.get(health.READY)
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
        asked = TestClient(Logged(app, written), raise_server_exceptions=False)
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
        assert self.lines(health.ALIVE)[0]["status"] == 404

    def test_a_long_path_is_cut(self) -> None:
        (line,) = self.lines("/" + "x" * 5_000)
        assert len(str(line["path"])) < 50


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
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
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


def test_a_host_gets_an_address_of_their_own_and_a_code_for_everybody(
    hosted: tuple[int, Path],
) -> None:
    port, log = hosted
    own, others, *_ = re.findall(r"http://\S+", log.read_text())
    assert own == f"http://localhost:{port}/start?token={TOKEN}&page=room"
    assert TOKEN not in log.read_text().split("Others on your network see what is shown at")[1]
    with urlopen(f"{others}{health.READY}", timeout=DEADLINE) as answer:
        assert answer.read() == b"ready\n"
    told = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    assert told == []  # health is quiet


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
        assert any("HEALTHCHECK" in line and health.READY in line for line in self.lines)

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
        assert re.search(r"^BIASLAB_TOKEN=$", example, re.MULTILINE)
        named = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
        assert named == set(re.findall(r"^(\w+)=", example, re.MULTILINE))
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
        with socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
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
            f"https://localhost:{port}{health.READY}", context=trusting, timeout=DEADLINE
        ) as answer:
            assert answer.read() == b"ready\n"
        stream = f"wss://localhost:{port}/_stcore/stream"
        own, other = Origin(f"https://localhost:{port}"), Origin("https://evil.example")
        with connect(stream, ssl=trusting, origin=own, open_timeout=DEADLINE):
            pass
        with pytest.raises(InvalidStatus):
            connect(stream, ssl=trusting, origin=other)
