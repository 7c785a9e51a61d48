"""What is installed: locked, known by hashes, and enough without torch for all but local models."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {
    "app.txt": ("requirements-small.txt", "requirements-local.txt"),
    "app-small.txt": ("requirements-small.txt",),
    "host.txt": ("requirements-small.txt", "requirements-host.txt"),
    "test.txt": ("requirements-small.txt", "requirements-local.txt", "requirements-dev.txt"),
}
PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([^\s;]+)", re.MULTILINE)

WITHOUT_TORCH = """
import runpy, sys
class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
sys.argv[0] = "biaslab"
runpy.run_module("biaslab", run_name="__main__")
"""


def pins(path: Path) -> set[tuple[str, str]]:
    """The packages that a file names, with their versions."""
    found = PIN.findall(path.read_text())
    return {(re.sub(r"[._-]+", "-", name).lower(), version) for name, version in found}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_every_requirement_at_its_version(lock: str) -> None:
    for source in LOCKS[lock]:
        assert pins(ROOT / source) <= pins(ROOT / "locks" / lock)


def test_the_locks_agree() -> None:
    everything = pins(ROOT / "locks" / "test.txt")
    assert pins(ROOT / "locks" / "app-small.txt") <= pins(ROOT / "locks" / "app.txt") <= everything
    assert pins(ROOT / "locks" / "app-small.txt") <= pins(ROOT / "locks" / "host.txt") <= everything


@pytest.mark.parametrize("lock", [*LOCKS, "torch-cpu.txt", "torch-cuda.txt"])
def test_every_locked_package_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / "locks" / lock).read_text()
    assert "://" not in text
    assert "index" not in re.sub(r"(?m)^#.*", "", text)
    for requirement in re.split(r"\n(?=[^\s#])", text)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", requirement), requirement


def test_the_small_app_needs_neither_torch_nor_transformers() -> None:
    names = {name for name, _ in pins(ROOT / "locks" / "app-small.txt")}
    assert not names & {"torch", "transformers"}
    assert not [name for name in names if name.startswith(("nvidia", "cuda", "triton"))]


def test_the_locks_leave_out_what_only_a_build_for_cuda_needs() -> None:
    companions = {name for name, _ in pins(ROOT / "locks" / "torch-cuda.txt")} - {"torch"}
    assert "nvidia-cublas" in companions
    for lock in LOCKS:
        assert not companions & {name for name, _ in pins(ROOT / "locks" / lock)}


@pytest.mark.parametrize("lock", ["app.txt", "test.txt"])
def test_torch_is_the_same_version_everywhere_and_apart_for_linux(lock: str) -> None:
    version = dict(pins(ROOT / "requirements-local.txt"))["torch"]
    text = (ROOT / "locks" / lock).read_text()
    assert f"torch=={version} ; sys_platform != 'linux'" in text
    cuda = (ROOT / "locks" / "torch-cuda.txt").read_text()
    assert f"torch=={version} ; sys_platform == 'linux'" in cuda
    builds = (ROOT / "locks" / "torch-cpu.txt").read_text()
    assert f"torch=={version}+cpu ; sys_platform == 'linux'" in builds


def test_the_licence_is_the_one_that_the_package_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")


def biaslab(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process that has neither torch nor transformers."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_learner_is_asked_without_torch(tmp_path: Path) -> None:
    database = str(tmp_path / "runs.db")
    done = biaslab("run", "consistency", "--n", "3", "--model", "learner:keyword", "--db", database)
    assert done.returncode == 0, done.stderr
    rows = biaslab("effects", "--db", database, "--format", "json")
    assert rows.returncode == 0, rows.stderr
    assert [row["n"] for row in json.loads(rows.stdout)] == [3]


def test_a_tiny_model_says_in_a_sentence_what_to_add(tmp_path: Path) -> None:
    database = str(tmp_path / "runs.db")
    done = biaslab("run", "consistency", "--n", "3", "--model", "tiny", "--db", database)
    assert done.returncode != 0
    said = done.stderr + done.stdout
    assert "needs the packages torch and transformers" in said
    assert "make app" in said
    assert "Traceback" not in said
