"""``doctor``: will it run here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from airbench_edge.errors import InputError
from airbench_edge.report.as_json import as_json


def doctor(
    model: Annotated[str | None, typer.Option(help="The model of the run, as for run.")] = None,
    judge: Annotated[list[str], typer.Option("--judge", help="A judge of the run; may be repeated.")] = [],  # noqa: B006
    data: Annotated[str | None, typer.Option(help="The data set of the run.")] = None,
    out: Annotated[Path, typer.Option(help="Where the run folder would be.")] = Path(),
    device: Annotated[
        Literal["auto", "cpu", "cuda", "tensorrt"], typer.Option(help="Where the model is to run.")
    ] = "auto",
    dtype: Annotated[str | None, typer.Option(help="Which graphs of the model folder.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Address of an OpenAI-compatible server.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Look at this machine, and at what a run would need, without running or calling anything.

    Exits with 1 if something keeps the run from working; each such line says what to do.

    For example:

    airbench-edge doctor

    airbench-edge doctor --model qwen2-audio/ --judge llama:judge.gguf --data AIR-Bench/ --device cuda
    """
    try:
        # Loaded only where it is needed: onnxruntime takes its time.
        from airbench_edge.report.terminal.print_diagnosis import print_diagnosis
        from airbench_edge.run.doctor import Plan, diagnose
    except ImportError as error:
        raise InputError(f"A library does not load ({error}): install airbench-edge anew.") from error
    diagnosis = diagnose(Plan(model, dtype, device, tuple(judge), base_url, data, out))
    if json:
        sys.stdout.write(as_json(diagnosis))
    else:
        print_diagnosis(diagnosis, sys.stdout)
    raise typer.Exit(0 if diagnosis.healthy else 1)
