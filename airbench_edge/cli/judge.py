"""``judge``: ask judges about a run, and ask about the judges."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
import typer

from airbench_edge.cli.default_command import DefaultCommand
from airbench_edge.cli.judge_options import (
    JudgeCheck,
    JudgeLimit,
    JudgeRetries,
    JudgeSpecs,
    ReportJson,
    RunFolder,
)
from airbench_edge.cli.judge_settings import takes_judge_settings
from airbench_edge.cli.judging import keep_cards, opened_judges, resumable, seeded
from airbench_edge.cli.report import show
from airbench_edge.judges.health.check import check as check_judge
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.plan import QUICK_PROBES, full_plan, quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.judges.health.store import store
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.report.live import LiveProgress, counting
from airbench_edge.report.terminal.health import print_health
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
    judge_check: JudgeCheck = True,
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
    ):
        keep_cards(opened, judges, judge_check and not settings.batch)
        with LiveProgress() as progress:
            for one in judges:
                judge_chat(opened, one, judge_limit, progress, judge_retries)
    show(run_folder, json)


@app.command()
@takes_judge_settings
def check(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="llama:FILE.gguf or openai:MODEL.")],
    settings: JudgeSettings,
    probes: Annotated[
        int, typer.Option(min=1, max=len(all_probes()), help="Probes to ask about, six verdicts each.")
    ] = QUICK_PROBES,
    full: Annotated[bool, typer.Option("--full", help="Every answer of every probe, in both orders.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The card as JSON.")] = False,
) -> None:
    """Check whether a judge can judge: on answers of which everybody knows what they are worth.

    The card is kept for this very judge and goes into every run that it judges. Exit code 1: the judge fails.

    For example:

    airbench-edge judge check llama:judge.gguf

    airbench-edge judge check openai:gpt-4o --full --max-cost 10
    """
    plan = full_plan(all_probes()) if full else quick_plan(all_probes(), probes)
    with opened_judges([judge], settings) as (opened,), counting("checking") as advanced:
        checked = check_judge(opened, plan, advanced)
    store(checked)
    if json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(checked)).decode() + "\n")
    else:
        print_health(checked, sys.stdout)
    if checked.card.verdict is Finding.FAIL:
        raise typer.Exit(1)
