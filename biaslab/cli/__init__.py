"""The command line: the same jobs as the screens, with a progress bar.

Every command is a thin call of the library. Errors are one sentence on standard error and
exit status 1; wrong usage is status 2.
"""

from __future__ import annotations

from importlib import import_module

import click

from biaslab import __version__

__all__ = ["main"]

_WHERE = {
    "app": "hosting:app_command",
    "host": "hosting:host_command",
    "addresses": "hosting:addresses_command",
    "backup": "hosting:backup_command",
    "studies": "designs:studies_command",
    "models": "models:models_command",
    "fetch-model": "models:fetch_model_command",
    "train": "train:train_command",
    "probe": "models:probe_command",
    "plan": "results:plan_command",
    "pairs": "designs:pairs_command",
    "compose": "word_problems:compose_command",
    "items": "items:items_command",
    "correct": "word_problems:correct_command",
    "score": "models:score_command",
    "find-design": "running:find_design_command",
    "prompt": "reports:prompt_command",
    "replicate": "reports:replicate_command",
    "run": "running:run_command",
    "matrix": "matrix:matrix_command",
    "runs": "running:runs_command",
    "reread": "results:reread_command",
    "effects": "results:effects_command",
    "interval": "results:interval_command",
    "compare": "results:compare_command",
    "paper": "reports:paper_command",
    "report": "reports:report_command",
    "reproduce": "reports:reproduce_command",
    "open": "reports:open_command",
    "close": "reports:close_command",
    "import": "imports:import_command",
    "export": "imports:export_command",
    "import-log": "imports:import_log_command",
    "tasks": "reports:tasks_command",
    "data-set": "reports:data_set_command",
    "datasette": "reports:datasette_command",
    "decisions": "decisions:decisions_command",
    "diagnose": "problems:diagnose_command",
    "solve": "problems:solve_command",
    "read": "problems:read_command",
    "audit": "problems:audit_command",
    "biases": "decisions:biases_command",
    "check-bias": "decisions:check_bias_command",
    "check-tutor": "matrix:check_tutor_command",
    "write-scenes": "decisions:write_scenes_command",
}
"""The module of this package in which a command is, and its name there."""


class _LazyGroup(click.Group):
    """Reads the module of a command when it is called, and all of them when all are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in order of the alphabet."""
        return sorted({*super().list_commands(ctx), *_WHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or none."""
        if cmd_name in _WHERE and cmd_name not in self.commands:
            module, name = _WHERE[cmd_name].split(":")
            self.add_command(getattr(import_module(f"{__name__}.{module}"), name))
        return super().get_command(ctx, cmd_name)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="biaslab")
def main() -> None:
    """See how language models go wrong at school mathematics in the ways that people do."""
