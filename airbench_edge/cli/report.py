"""``report``: what a run folder says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.builtin import resolve
from airbench_edge.report.as_json import report_json
from airbench_edge.report.build import build_report
from airbench_edge.report.html import NO_SOUNDS, AudioMode, find_sounds, write_html
from airbench_edge.report.terminal import print_report
from airbench_edge.run.folder import load_run


def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder, finished or not.")],
    json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with every item instead.")] = None,
    audio: Annotated[AudioMode | None, typer.Option(help="Let the page play the clips of --data.")] = None,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data set of the run, for --audio.")] = None,
) -> None:
    """Show the scores of a run under both sets of rules, with every denominator.

    For example:

    airbench-edge report runs/qwen

    airbench-edge report runs/qwen --json > qwen.json

    airbench-edge report runs/qwen --html qwen.html --audio link --data AIR-Bench/
    """
    if html:
        _write_page(run_folder, html, audio, data)
    elif audio or data:
        raise typer.BadParameter("--audio and --data belong to a page: give --html too.")
    else:
        show(run_folder, json)


def show(run_folder: Path, json: bool) -> None:
    """Print the report of a run folder to standard output."""
    model = build_report(load_run(run_folder))
    if json:
        sys.stdout.write(report_json(model))
    else:
        print_report(model, sys.stdout)


def _write_page(run_folder: Path, page: Path, audio: AudioMode | None, data: str | None) -> None:
    if (audio is None) != (data is None):
        raise typer.BadParameter("--audio and --data go together: how to play the clips, and where they are.")
    run = load_run(run_folder)
    sounds = find_sounds(run, audio, resolve(data), page) if audio and data else NO_SOUNDS
    write_html(page, run, build_report(run), sounds)
    print(f"{page} is written: open it in any browser.", file=sys.stderr)
