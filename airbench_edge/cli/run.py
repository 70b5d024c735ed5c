"""``run`` and ``align``: the commands that write responses and letters into a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from airbench_edge.audiolm.open import open_audiolm
from airbench_edge.benchmark.dataset import load_dataset
from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.builtin import resolve
from airbench_edge.cli.idle_options import refuse_aligner, refuse_device
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
)
from airbench_edge.cli.report import show
from airbench_edge.judges.contract import Judge
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.report.live import LiveProgress
from airbench_edge.run.align import AlignWhich
from airbench_edge.run.align import align as align_stage
from airbench_edge.run.answer import answer
from airbench_edge.run.data_source import describe
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.manifest import FORMAT, Manifest
from airbench_edge.run.open_run import OpenRun, create_or_open, reopen
from airbench_edge.run.selection import Selection, select

Device = Annotated[str, typer.Option(help="Where the model runs: auto, cpu, cuda or tensorrt.")]


@takes_judge_settings
def run(
    model: Annotated[
        str, typer.Option(help="Model folder, 'nano' (built in), cascade:FOLDER, or recorded:FILE.jsonl[,FILE.jsonl].")
    ],
    data: Annotated[str, typer.Option(help="Folder that holds Foundation/ and Chat/, or 'small' (built in).")],
    out: Annotated[Path, typer.Option(help="Run folder; one that exists is continued.")],
    settings: JudgeSettings,
    judge: JudgeSpecs = [],  # noqa: B006
    track: Annotated[list[Track], typer.Option(help="Only this track.")] = [],  # noqa: B006
    tasks: Annotated[
        list[str],
        typer.Option("--task", "--tasks", help="Only this task or folder; may be repeated or comma-separated."),
    ] = [],  # noqa: B006
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many items, spread over the folders.")] = None,
    seed: Annotated[int, typer.Option(help="Decides what --limit and --judge-limit draw.")] = 0,
    prompt: Annotated[RulesName, typer.Option(help="Wording of the foundation prompt.")] = "official",
    device: Device = "auto",
    dtype: Annotated[
        str | None, typer.Option(help="Which graphs of the model folder: fp32, fp16, int8, q4, ...")
    ] = None,
    align: Annotated[AlignWhich | None, typer.Option(help="Let the judge name the letter of these responses.")] = None,
    judge_limit: JudgeLimit = None,
    judge_retries: JudgeRetries = 0,
    judge_check: JudgeCheck = True,
    json: ReportJson = False,
) -> None:
    """Evaluate an audio-LM: answer every item, judge the chat answers, show the report.

    The same command goes on where a stopped run ended.

    For example:

    airbench-edge run --model nano --data small --out runs/first

    airbench-edge run --model qwen2-audio/ --data AIR-Bench/ --limit 200 --judge llama:judge.gguf --out runs/qwen

    airbench-edge run --model recorded:old.jsonl --data AIR-Bench/ --judge openai:gpt-4-0125-preview --out runs/old
    """
    if align is not None and not judge:
        raise typer.BadParameter("--align needs a --judge to name the letters.")
    if align is not None:
        refuse_aligner(judge)
    refuse_device(model, device, dtype)
    root = resolve(data)
    selection = Selection.of(track or Track, tasks, limit, seed)
    dataset = load_dataset(root, selection.tracks)
    items = select(dataset.items, selection)
    with opened_judges(judge, msgspec.structs.replace(settings, seed=seed)) as judges, resumable(out):
        audiolm = open_audiolm(model, device, dtype)
        manifest = Manifest(FORMAT, audiolm.identity, describe(root, dataset), selection, prompt)
        with create_or_open(out, manifest, items, dataset.notes) as opened:
            with LiveProgress() as progress:
                unanswered = is_silent([answer(opened, audiolm, dataset, progress)])
            keep_cards([opened], judges, judge_check and not settings.batch)
            with LiveProgress() as progress:
                silent = _ask(opened, judges, align, judge_limit, judge_retries, progress)
    show(out, json)
    exit_for_silent(silent, audiolm.identity.name if unanswered else None)


@takes_judge_settings
def align(
    run_folder: RunFolder,
    judge: JudgeSpecs,
    settings: JudgeSettings,
    which: Annotated[AlignWhich, typer.Option(help="Which responses.")] = AlignWhich.UNDECIDED,
    json: ReportJson = False,
) -> None:
    """Let a language model name the letter that foundation responses chose, where the rules cannot tell.

    For example: airbench-edge align runs/qwen --judge llama:judge.gguf --which all
    """
    refuse_aligner(judge)
    with (
        reopen(run_folder) as opened,
        opened_judges(judge, seeded(settings, opened)) as judges,
        resumable(run_folder),
        LiveProgress() as progress,
    ):
        for aligner in judges:
            align_stage(opened, aligner, which, progress)
    show(run_folder, json)


def _ask(
    opened: OpenRun,
    judges: Sequence[Judge],
    which: AlignWhich | None,
    limit: int | None,
    retries: int,
    progress: LiveProgress,
) -> list[str]:
    """Ask all judges; gives the names of those that gave no verdict."""
    silent = []
    for one in judges:
        if which is not None:
            align_stage(opened, one, which, progress)
        if opened.chat and is_silent([judge_chat(opened, one, limit, progress, retries)]):
            silent.append(one.identity.name)
    return silent
