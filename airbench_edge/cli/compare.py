"""``compare``: several runs of the same questions, item by item."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.report.as_json import as_json
from airbench_edge.report.compare import compare_runs
from airbench_edge.report.html import write_comparison
from airbench_edge.report.target import plain_target
from airbench_edge.report.terminal.print_comparison import print_comparison
from airbench_edge.run.folder import load_run


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Run folders, finished or not.")],
    rules: Annotated[RulesName, typer.Option("--rules", help="Rules that say which items count and are right.")] = (
        "strict"
    ),
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON, with every item that moved.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with every item that moved.")] = None,
) -> None:
    """Compare runs with the first one, on the items that both have answered.

    Shows for each task the change with its interval and test, which items came out otherwise, and how many responses
    are the very same. Scores of two different judges are never compared.

    For example:

    airbench-edge compare runs/qwen-fp16 runs/qwen-int8

    airbench-edge compare runs/old runs/new --rules official --json

    airbench-edge compare runs/a runs/b runs/c --html abc.html
    """
    if len(runs) < 2:
        raise typer.BadParameter("give at least two run folders.")
    if html and json:
        raise typer.BadParameter("--json shows the comparison and --html writes a page: give one or the other.")
    if html:
        for run in runs:
            plain_target(html, run)
    loaded = [load_run(run) for run in runs]
    model = compare_runs(loaded, rules)
    if html:
        write_comparison(html.resolve(), loaded[0], model)
        print(f"{html} is written: open it in any browser.", file=sys.stderr)
    elif json:
        sys.stdout.write(as_json(model))
    else:
        print_comparison(model, sys.stdout)
