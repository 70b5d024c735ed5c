"""``report``: what a run folder says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from airbench_edge.builtin import resolve
from airbench_edge.errors import InputError
from airbench_edge.report import exports
from airbench_edge.report.as_json import as_json
from airbench_edge.report.build import build_report
from airbench_edge.report.html import NO_SOUNDS, AudioMode, find_sounds, write_html
from airbench_edge.report.model import ReportModel
from airbench_edge.report.target import plain_target
from airbench_edge.report.terminal import print_report
from airbench_edge.run.atomic import write_atomically
from airbench_edge.run.folder import RunData, load_run


def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="The run folder, finished or not.")],
    json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with every item.")] = None,
    audio: Annotated[AudioMode | None, typer.Option(help="Let the page play the clips of --data.")] = None,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The data set of the run, for --audio.")] = None,
    csv_tasks: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every figure as CSV.")] = None,
    csv_items: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every item as CSV.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tables as Markdown.")] = None,
    model_card: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the figures as model-index of a model card (YAML).")
    ] = None,
    official: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the files that the released scoring scripts read.")
    ] = None,
) -> None:
    """Show the scores of a run under both sets of rules, with every denominator.

    Options that name a FILE or DIR write there instead; several may be given at once.

    For example:

    airbench-edge report runs/qwen

    airbench-edge report runs/qwen --json > qwen.json

    airbench-edge report runs/qwen --html qwen.html --audio link --data AIR-Bench/

    airbench-edge report runs/qwen --csv-items items.csv --markdown table.md --official official/
    """
    if (audio or data) and not html:
        raise typer.BadParameter("--audio and --data belong to a page: give --html too.")
    if not (html or csv_tasks or csv_items or markdown or model_card or official):
        show(run_folder, json)
        return
    if json:
        raise typer.BadParameter("--json shows the report and the other options write files: give one or the other.")
    run = load_run(run_folder)
    targets: list[Path] = []
    for given in (html, csv_tasks, csv_items, markdown, model_card):
        if given:
            targets.append(plain_target(given, run_folder, targets))
    if official and official.resolve().is_relative_to(run_folder.resolve()):
        raise InputError(
            f"{official} lies inside the run folder: choose another folder for the released scripts' files."
        )
    model = build_report(run)
    if html:
        _write_page(run, model, html, audio, data)
    if csv_tasks:
        _write(csv_tasks, exports.tasks_csv(model))
    if csv_items:
        _write(csv_items, exports.items_csv(run))
    if markdown:
        _write(markdown, exports.markdown(model))
    if model_card:
        _write(model_card, exports.model_card(model))
    if official:
        _write_official(official, run)


def show(run_folder: Path, json: bool) -> None:
    """Print the report of a run folder to standard output."""
    model = build_report(load_run(run_folder))
    if json:
        sys.stdout.write(as_json(model))
    else:
        print_report(model, sys.stdout)


def _write_page(run: RunData, model: ReportModel, page: Path, audio: AudioMode | None, data: str | None) -> None:
    if (audio is None) != (data is None):
        raise typer.BadParameter("--audio and --data go together: how to play the clips, and where they are.")
    sounds = find_sounds(run, audio, resolve(data), page) if audio and data else NO_SOUNDS
    write_html(page.resolve(), run, model, sounds)
    print(f"{page} is written: open it in any browser.", file=sys.stderr)


def _write(path: Path, text: str) -> None:
    write_atomically(path.resolve(), text.encode())
    print(f"{path} is written.", file=sys.stderr)


def _write_official(folder: Path, run: RunData) -> None:
    written = exports.official_files(run)
    for name, content in written.files.items():
        place = folder / name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{place.parent} cannot be made ({error.strerror}): choose another folder.") from error
        write_atomically(place, content)
    for remark in written.remarks:
        print(remark, file=sys.stderr)
    print(f"{folder} holds {len(written.files)} files for the released scripts.", file=sys.stderr)
