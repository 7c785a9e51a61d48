"""Writes a directory of tasks for lm-evaluation-harness: a file for each study and form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from biaslab.models import GenerationRequest, ModelForm
from biaslab.runs.errors import ToolError
from biaslab.runs.tools.lm_eval.functions import AGGREGATED, only_request
from biaslab.runs.tools.questions import ToolDesign, make_asking
from biaslab.studies import experiments
from biaslab.studies.study import Request
from schoolmath.problems import ProblemError

FUNCTIONS = '''"""The functions that the task files of this folder name; they are BiasLab's own."""

from biaslab.runs.tools.lm_eval.functions import (  # noqa: F401
    answer, cate, choices, clusters, data, high, low, pairs, prompt, read, right_choice, unread,
)
'''


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """A directory of tasks.

    Attributes:
        files: their contents by name.
        tasks: names of the tasks.
        left_out: why a study or strategy is not among them, a sentence each.
    """

    files: Mapping[str, str]
    tasks: tuple[str, ...]
    left_out: tuple[str, ...]


class _Function(str):
    """The name of a function beside the task file."""


class _Dumper(yaml.SafeDumper):
    pass


_Dumper.add_representer(
    _Function, lambda dumper, name: dumper.represent_scalar("!function", str(name))
)


def task_files(study: str | None, n: int, seed: int, settings: Mapping[str, object]) -> TaskFiles:
    """Tasks for every strategy of one request, for models that take turns and for base models.

    A task is called ``biaslab_STUDY_STRATEGY``, with ``_base`` for models that continue a text.

    Args:
        study: its name; None: all that have pairs of their own, with the default settings.
        n: number of pairs.
        seed: of the design.
        settings: of the study, by name.

    Raises:
        DesignError: such pairs do not exist.
        ToolError: no strategy of the study can be asked there.
    """
    files = {"functions.py": FUNCTIONS}
    left_out: list[str] = []
    for name in [study] if study else list(experiments()):
        try:
            for task, content in _tasks(name, n, seed, settings, left_out):
                files[f"{task}.yaml"] = content
        except ProblemError as error:
            if study:
                raise
            left_out.append(f"{name}: {error}")
    tasks = tuple(file.removesuffix(".yaml") for file in files if file.endswith(".yaml"))
    if not tasks:
        raise ToolError(" ".join(left_out))
    return TaskFiles(files, tasks, tuple(dict.fromkeys(left_out)))


def _tasks(
    study: str, n: int, seed: int, settings: Mapping[str, object], left_out: list[str]
) -> Iterator[tuple[str, str]]:
    for way in make_asking(study, n, seed, settings).study.strategies:
        for form in (ModelForm.CHAT, ModelForm.BASE):
            try:
                asking = make_asking(study, n, seed, settings, way.name, form)
                request = _first(asking)
            except ToolError as error:
                left_out.append(str(error))
                continue
            # A strategy whose prompts are always turns, or always text, is one task.
            if (request.messages[0].role == "text") != (form is ModelForm.BASE):
                continue
            end = "_base" if form is ModelForm.BASE else ""
            task = f"biaslab_{study}_{way.name}{end}".replace("-", "_")
            yield task, _yaml(task, asking, request)


def _first(asking: ToolDesign) -> Request:
    return only_request(asking, asking.questions()[0])


def _yaml(task: str, asking: ToolDesign, request: Request) -> str:
    fields: dict[str, Any] = {
        "task": task,
        "tag": "biaslab",
        "custom_dataset": _Function("functions.data"),
        "test_split": "test",
        "doc_to_text": _Function("functions.prompt"),
        "num_fewshot": 0,
        "target_delimiter": "",
        "process_results": _Function("functions.read"),
    }
    if isinstance(request, GenerationRequest):
        fields |= {
            "output_type": "generate_until",
            "doc_to_target": _Function("functions.answer"),
            "generation_kwargs": {
                "until": list(request.sampling.stop),
                "max_gen_toks": request.sampling.max_new_tokens,
                "do_sample": False,
                "temperature": 0.0,
            },
        }
    else:
        fields |= {
            "output_type": "multiple_choice",
            "doc_to_target": _Function("functions.right_choice"),
            "doc_to_choice": _Function("functions.choices"),
        }
    fields["metric_list"] = [
        {
            "metric": name,
            "aggregation": _Function(f"functions.{'pairs' if name == 'n' else name}"),
            "higher_is_better": False,
        }
        for name in AGGREGATED
    ]
    fields["metadata"] = {"version": 1, "biaslab": asking.as_json()}
    head = f"# Made by `biaslab tasks lm-eval`: {asking.study.title}. {asking.study.question}\n"
    return head + yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True)
