"""``estimate``: what a run would take."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.cli.idle_options import refuse_device
from airbench_edge.cli.judge_options import JudgeLimit, JudgeSpecs
from airbench_edge.cli.judge_settings import takes_judge_settings
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.report.as_json import as_json
from airbench_edge.report.live import counting
from airbench_edge.report.terminal.print_estimate import print_estimate
from airbench_edge.run.estimate import Wanted
from airbench_edge.run.estimate import estimate as work_out
from airbench_edge.run.selection import Selection


@takes_judge_settings
def estimate(
    model: Annotated[str, typer.Option(help="The model of the run, as for run.")],
    data: Annotated[str, typer.Option(help="The data set of the run.")],
    settings: JudgeSettings,
    judge: JudgeSpecs = [],  # noqa: B006
    track: Annotated[list[Track], typer.Option(help="Only this track.")] = [],  # noqa: B006
    tasks: Annotated[list[str], typer.Option("--task", "--tasks", help="Only this task or folder, as for run.")] = [],  # noqa: B006
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many items, spread over the folders.")] = None,
    seed: Annotated[int, typer.Option(help="Decides what limits and the warm-up draw.")] = 0,
    prompt: Annotated[RulesName, typer.Option(help="Wording of the foundation prompt.")] = "official",
    device: Annotated[str, typer.Option(help="Where the model runs: auto, cpu, cuda or tensorrt.")] = "auto",
    dtype: Annotated[str | None, typer.Option(help="Which graphs of the model folder.")] = None,
    judge_limit: JudgeLimit = None,
    warm_up: Annotated[
        int, typer.Option(min=0, help="Items to answer, and prompts to judge, to measure the time; 0 for none.")
    ] = 10,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Say what a run would take, before anything is spent: items, hours of sound, tokens, hours here, and the price.

    Nothing is written and no API is called.

    For example:

    airbench-edge estimate --model qwen2-audio/ --data AIR-Bench/ --judge llama:judge.gguf

    airbench-edge estimate --model recorded:old.jsonl --data AIR-Bench/ --judge openai:gpt-4o-2024-11-20 --batch
    """
    refuse_device(model, device, dtype)
    wanted = Wanted(
        model=model,
        data=data,
        selection=Selection.of(track or Track, tasks, limit, seed),
        judges=tuple(judge),
        settings=settings,
        prompt=prompt,
        device=device,
        dtype=dtype,
        judge_limit=judge_limit,
        warm_up=warm_up,
    )
    result = work_out(wanted, counting)
    if json:
        sys.stdout.write(as_json(result))
    else:
        print_estimate(result, sys.stdout)
