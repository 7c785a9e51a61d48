"""A chat template of a stranger's file, rendered apart first, within bounds of time and memory.

A template is a program. In the sandbox it can touch nothing, but it can take all memory there is,
so before a model is opened its template writes a short conversation in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from biaslab.models.requests import BrokenModel

_MEMORY, _SECONDS, _MOST_WRITTEN = 512 << 20, 10, 1 << 20
_BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from biaslab.system.confined import begin; begin(*sys.argv[2:])"
)
_TURNS = (
    {"role": "user", "content": "How many apples are left?"},
    {"role": "assistant", "content": "Seven."},
    {"role": "user", "content": "And then?"},
)


def check_template(template: str, file: str) -> None:
    """Refuses a template that takes too much; what it refuses is asked, or told, later.

    Raises:
        BrokenModel: it takes more time or memory than any conversation needs.
    """
    if not template:
        return
    package = str(Path(__file__).resolve().parents[4])
    given = [_BEGIN, package, __name__, str(_MEMORY), str(_SECONDS)]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", "-c", *given],
            input=template.encode(),
            timeout=6 * _SECONDS,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        ).returncode
    except subprocess.TimeoutExpired:
        done = 1
    if done:
        raise BrokenModel(
            f"The chat template in {file} takes more than {_SECONDS} seconds or "
            f"{_MEMORY >> 20} MB for three short turns, so it is not used: get another file."
        )


def main() -> None:
    """Writes the conversation, in the process apart; ends badly where it becomes too long."""
    from jinja2 import TemplateError
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )

    def refuse(message: str) -> None:
        raise TemplateError(message)

    environment.globals |= {"raise_exception": refuse, "strftime_now": lambda _: "1 January"}
    try:
        written = environment.from_string(sys.stdin.buffer.read().decode()).generate(
            messages=_TURNS, add_generation_prompt=True, bos_token="<s>", eos_token="</s>"
        )
        if sum(map(len, written)) > _MOST_WRITTEN:
            sys.exit(1)
    except (TemplateError, TypeError, ValueError, LookupError, AttributeError):
        return  # what it does with real messages is said when it is asked
