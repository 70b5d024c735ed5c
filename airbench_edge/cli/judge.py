"""``judge``: ask judges about a run, and ask about the judges."""

from __future__ import annotations

import typer

from airbench_edge.cli.default_command import DefaultCommand
from airbench_edge.cli.judge_options import (
    JudgeLimit,
    JudgeRetries,
    JudgeSpecs,
    ReportJson,
    RunFolder,
)
from airbench_edge.cli.judge_settings import takes_judge_settings
from airbench_edge.cli.judging import opened_judges, resumable, seeded
from airbench_edge.cli.report import show
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.report.live import LiveProgress
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import reopen

app = typer.Typer(
    cls=DefaultCommand,
    help="Judge a run, and check, compare and calibrate judges. `judge RUN` is short for `judge run RUN`.",
    no_args_is_help=True,
)


@app.command()
@takes_judge_settings
def run(
    run_folder: RunFolder,
    judge: JudgeSpecs,
    settings: JudgeSettings,
    judge_limit: JudgeLimit = None,
    judge_retries: JudgeRetries = 0,
    json: ReportJson = False,
) -> None:
    """Judge the chat answers of a run, anywhere: neither model nor sound is needed.

    For example:

    airbench-edge judge runs/qwen --judge llama:judge.gguf

    airbench-edge judge runs/qwen --judge openai:gpt-4-0125-preview --judge-temperature official
    """
    with (
        reopen(run_folder) as opened,
        opened_judges(judge, seeded(settings, opened)) as judges,
        resumable(run_folder),
        LiveProgress() as progress,
    ):
        for one in judges:
            judge_chat(opened, one, judge_limit, progress, judge_retries)
    show(run_folder, json)
