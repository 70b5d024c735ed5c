"""``report``: what a run folder says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.report.as_json import report_json
from airbench_edge.report.build import build_report
from airbench_edge.report.terminal import print_report
from airbench_edge.run.folder import load_run


def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder, finished or not.")],
    json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
) -> None:
    """Show the scores of a run under both sets of rules, with every denominator.

    For example:

    airbench-edge report runs/qwen

    airbench-edge report runs/qwen --json > qwen.json
    """
    show(run_folder, json)


def show(run_folder: Path, json: bool) -> None:
    """Print the report of a run folder to standard output."""
    model = build_report(load_run(run_folder))
    if json:
        sys.stdout.write(report_json(model))
    else:
        print_report(model, sys.stdout)
