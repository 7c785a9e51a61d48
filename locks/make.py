"""Writes the lock files of this folder from requirements*.txt: `make locks`, which needs uv.

Every file that the public index has for a version is allowed by its hash, so a lock serves Linux,
macOS and Windows on every processor. What torch's build for CUDA needs besides stands in cuda.txt:
only who gets that build installs it. torch-cpu.txt has the hashes of the builds without CUDA, which
the public index doesn't have.
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
}
"""What each is made from. The first has everything; the others keep its versions."""

HEAD = "# Made by `make locks` from {source}: change that, not this.\n"
CUDA = re.compile(r"(nvidia|cuda|triton)\b")


def resolved(uv: str, source: str) -> list[str]:
    """A requirement with its hashes for each package, at the locked version where that will do."""
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-annotate", "--no-header", source]
    before = [FOLDER / name for name in ("test.txt", "cuda.txt")]
    with TemporaryDirectory() as folder:
        output = Path(folder) / "lock.txt"
        output.write_text("".join(path.read_text() for path in before if path.is_file()))
        subprocess.run([*command, "--output-file", str(output)], check=True)
        return re.split(r"\n(?=\S)", output.read_text().strip())


def with_cpu_builds(requirement: str) -> str:
    """The requirement of torch with the hashes of its CPU builds as well; any other as it is."""
    if not requirement.startswith("torch=="):
        return requirement
    version = requirement.split("==")[1].split()[0]
    lines = (FOLDER / "torch-cpu.txt").read_text().splitlines()
    builds = [line.split() for line in lines if not line.startswith("#")]
    if strange := [name for _, name in builds if not name.startswith(f"torch-{version}+cpu-")]:
        sys.exit(f"torch-cpu.txt has {strange[0]}, but torch is {version}: get the new hashes.")
    new = [digest for digest, _ in builds if digest not in requirement]
    return " \\\n    ".join([requirement, *(f"--hash=sha256:{digest}" for digest in new)])


def main(uv: str = "uv") -> None:
    """Writes all lock files."""
    for lock, source in LOCKS.items():
        all_of_it = resolved(uv, source)
        kept = [with_cpu_builds(each) for each in all_of_it if not CUDA.match(each)]
        (FOLDER / lock).write_text(HEAD.format(source=source) + "\n".join(kept) + "\n")
        if lock == "test.txt":
            companions = [each for each in all_of_it if CUDA.match(each)]
            (FOLDER / "cuda.txt").write_text(
                "# Made by `make locks`: what torch's build for CUDA needs besides, on Linux.\n"
                + "\n".join(companions) + "\n"
            )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
