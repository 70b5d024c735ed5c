"""``judge``: ask judges about a run, and ask about the judges."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

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
from airbench_edge.cli.judging import (
    exit_for_silent,
    is_silent,
    keep_cards,
    opened_judges,
    resumable,
    seeded,
    seeded_alike,
)
from airbench_edge.cli.report import show
from airbench_edge.judges.health.check import check as check_judge
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.plan import QUICK_PROBES, full_plan, quick_plan
from airbench_edge.judges.health.probes import all_probes
from airbench_edge.judges.health.store import store
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.report.agreement import compare_judges
from airbench_edge.report.as_json import as_json
from airbench_edge.report.calibration import calibrate as calibrate_scores
from airbench_edge.report.calibration import refuse_one_judge
from airbench_edge.report.choose_judge import choose_judge, judged_by, two_judges
from airbench_edge.report.html import write_agreement
from airbench_edge.report.judge_diff import judge_diff
from airbench_edge.report.live import LiveProgress, counting
from airbench_edge.report.target import plain_target
from airbench_edge.report.terminal.agreement import print_agreement
from airbench_edge.report.terminal.calibration import print_calibration
from airbench_edge.report.terminal.health import print_health
from airbench_edge.report.terminal.judge_diff import print_judge_diff
from airbench_edge.run.folder import load_run
from airbench_edge.run.judge import judge_chat, judge_together
from airbench_edge.run.open_run import reopen
from airbench_edge.run.sample import judge_sample

JudgedTogether = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Run folders; several are judged together.")
]
RunFolders = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders that both have judged.")]
TwoJudges = Annotated[
    str, typer.Option("--judges", metavar="A,B", help="Names of two verdict files of the run, or their beginnings.")
]

app = typer.Typer(
    cls=DefaultCommand,
    help="Judge a run, and check, compare and calibrate judges. `judge RUN` is short for `judge run RUN`.",
    no_args_is_help=True,
)


@app.command()
@takes_judge_settings
def run(
    run_folders: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders; several are judged together.")
    ],
    judge: JudgeSpecs,
    settings: JudgeSettings,
    judge_limit: JudgeLimit = None,
    judge_retries: JudgeRetries = 0,
    judge_check: JudgeCheck = True,
    json: ReportJson = False,
) -> None:
    """Judge the chat answers of a run, anywhere: neither model nor sound is needed.

    Several runs are judged together: a local judge then reads what their prompts share only once.

    For example:

    airbench-edge judge runs/qwen --judge llama:judge.gguf

    airbench-edge judge runs/qwen --judge openai:gpt-4-0125-preview --judge-temperature official

    airbench-edge judge runs/qwen runs/salmonn runs/whisper --judge llama:judge.gguf --judge-prompt edge
    """
    if json and len(run_folders) > 1:
        raise typer.BadParameter("--json ends in one report: judge one run, or show each with airbench-edge report.")
    with ExitStack() as stack:
        opened = [stack.enter_context(reopen(folder)) for folder in dict.fromkeys(run_folders)]
        judges = stack.enter_context(opened_judges(judge, seeded_alike(settings, opened)))
        stack.enter_context(resumable(run_folders[0]))
        keep_cards(opened, judges, judge_check and not settings.batch)
        with LiveProgress() as progress:
            silent = [
                one.identity.name
                for one in judges
                if is_silent(judge_together(opened, one, judge_limit, progress, judge_retries))
            ]
    for folder in dict.fromkeys(run_folders):
        show(folder, json)
    exit_for_silent(silent)


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
        sys.stdout.write(as_json(checked))
    else:
        print_health(checked, sys.stdout)
    if checked.card.verdict is Finding.FAIL:
        raise typer.Exit(1)


@app.command()
def compare(
    runs: RunFolders,
    judges: TwoJudges,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON, with every answer that differs.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with figures and answers.")] = None,
) -> None:
    """Compare two judges on the answers that both have scored: how far they agree, and where they do not.

    With several runs also whether they rank the models alike.

    For example:

    airbench-edge judge compare runs/qwen --judges qwen2.5-7b-instruct-q4_k_m,gpt-4-0125-preview

    airbench-edge judge compare runs/qwen runs/salmonn --judges qwen2.5,gpt-4 --html judges.html
    """
    if html and json:
        raise typer.BadParameter("--json shows the comparison and --html writes a page: give one or the other.")
    if html:
        for run in runs:
            plain_target(html, run)
    model = compare_judges([load_run(run) for run in runs], two_judges(judges))
    if html:
        write_agreement(html.resolve(), model)
        print(f"{html} is written: open it in any browser.", file=sys.stderr)
    elif json:
        sys.stdout.write(as_json(model))
    else:
        print_agreement(model, sys.stdout)


@app.command()
@takes_judge_settings
def calibrate(
    run_folder: RunFolder,
    cheap: Annotated[str, typer.Option(help="Judge of all items: llama:, openai: or recorded:.")],
    reference: Annotated[str, typer.Option(help="Judge of a sample: llama:, openai: or recorded:.")],
    settings: JudgeSettings,
    items: Annotated[int, typer.Option(min=2, help="Size of the sample; --max-cost may make it smaller.")] = 200,
    judge_check: JudgeCheck = True,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Judge all items with a cheap judge and a sample with a reference judge, and correct the scores of the cheap one.

    The sample is drawn evenly over the folders by the seed of the run. What is judged already is not judged again.

    For example:

    airbench-edge judge calibrate runs/qwen --cheap llama:judge.gguf --reference openai:gpt-4-0125-preview --items 200
    """
    with (
        reopen(run_folder) as opened,
        opened_judges([cheap, reference], seeded(settings, opened)) as (cheap_judge, reference_judge),
        resumable(run_folder),
    ):
        refuse_one_judge(cheap_judge.identity, reference_judge.identity)
        keep_cards([opened], [cheap_judge, reference_judge], judge_check and not settings.batch)
        with LiveProgress() as progress:
            judge_chat(opened, cheap_judge, progress=progress)
            capped = settings.max_cost is not None and not settings.batch
            sample = judge_sample(opened, reference_judge, items, progress, capped)
    run = load_run(run_folder)
    first, second = (judged_by(run, one.identity) for one in (cheap_judge, reference_judge))
    model = calibrate_scores(run, first, second, sample)
    if json:
        sys.stdout.write(as_json(model))
    else:
        print_calibration(model, sys.stdout)


@app.command()
def diff(
    run_folder: RunFolder,
    judges: TwoJudges,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """List the verdicts that moved between two judges, such as one model in two builds of its engine.

    For example: airbench-edge judge diff runs/qwen --judges judge,judge-3f9a1c22d0b4
    """
    run = load_run(run_folder)
    model = judge_diff(run, *(choose_judge(run, name) for name in two_judges(judges)))
    if json:
        sys.stdout.write(as_json(model))
    else:
        print_judge_diff(model, sys.stdout)
