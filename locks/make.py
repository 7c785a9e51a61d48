"""Writes the lock files of this folder from requirements*.txt: `make locks`, which needs uv.

Every file that the public index has for a version is allowed by its hash, so a lock serves Linux,
macOS and Windows on every processor. Only torch for Linux stands apart: the public index has it as
a build for CUDA, which needs NVIDIA's libraries (torch-cuda.txt); the build without CUDA is to be
had elsewhere, and its hashes are written by hand (torch-cpu.txt).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parent
LOCKS = {
    "test.txt": "requirements-dev.txt",
    "app.txt": "requirements.txt",
    "app-small.txt": "requirements-small.txt",
    "host.txt": "requirements-host.txt",
}
"""What each is made from. The first has everything; the others keep its versions."""

HEAD = "# Made by `make locks` from {source}: change that, not this."
CUDA = re.compile(r"(nvidia|cuda|triton)\b")
"""The packages that only torch's build for CUDA needs."""

ELSEWHERE, LINUX = " ; sys_platform != 'linux'", " ; sys_platform == 'linux'"


def resolved(uv: str, source: str) -> list[str]:
    """A requirement with its hashes for each package, at the locked version where that will do."""
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-annotate", "--no-header", source]
    before = [FOLDER / name for name in ("test.txt", "torch-cuda.txt")]
    with TemporaryDirectory() as folder:
        output = Path(folder) / "lock.txt"
        output.write_text("".join(path.read_text() for path in before if path.is_file()))
        subprocess.run([*command, "--output-file", str(output)], check=True)
        return re.split(r"\n(?=\S)", output.read_text().strip())


def main(uv: str = "uv") -> None:
    """Writes all lock files."""
    for lock, source in LOCKS.items():
        kept, linux = [], []
        for each in resolved(uv, source):
            name, version = each.split()[0].split("==")
            if name == "torch":
                each = re.sub(r" ;[^\\]*", "", each)
                kept.append(each.replace(version, version + ELSEWHERE, 1))
                linux.append(each.replace(version, version + LINUX, 1))
                if f"torch=={version}+cpu" not in (FOLDER / "torch-cpu.txt").read_text():
                    sys.exit(f"torch is {version}: write its CPU builds' hashes to torch-cpu.txt.")
            else:
                (linux if CUDA.match(name) else kept).append(each)
        write(FOLDER / lock, source, kept)
        if lock == "test.txt":
            write(FOLDER / "torch-cuda.txt", source, linux)


def write(path: Path, source: str, requirements: list[str]) -> None:
    """Writes one lock file."""
    path.write_text("\n".join([HEAD.format(source=source), *requirements, ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
