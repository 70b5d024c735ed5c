"""``data``: look at a data set before a run."""

from __future__ import annotations

import sys
from typing import Annotated

import msgspec
import typer

from airbench_edge.benchmark.dataset import DataSet, load_dataset
from airbench_edge.benchmark.metadata_file import MetadataError
from airbench_edge.builtin import resolve
from airbench_edge.report.as_json import as_json
from airbench_edge.report.live import counting
from airbench_edge.report.terminal.print_data_check import print_data_check
from airbench_edge.run.data_check import check_data

app = typer.Typer(help="Look at data sets.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Look at data sets."""


@app.command()
def check(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Folder that holds Foundation/ and Chat/, or 'small'.")],
    decode: Annotated[
        bool, typer.Option("--decode/--no-decode", help="Decode every clip, or only look for it.")
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="The whole result as JSON.")] = False,
) -> None:
    """Count records and clips by folder, beside the published counts, and name everything that is missing or broken.

    Exits with 1 if anything is.

    For example: airbench-edge data check /data/AIR-Bench
    """
    data = _load(folder, json)
    with counting("decoding") as seen:
        result = check_data(data, decode, seen)
    if json:
        sys.stdout.write(as_json(result))
    else:
        print_data_check(result, sys.stdout)
    raise typer.Exit(0 if result.complete else 1)


def _load(folder: str, json: bool) -> DataSet:
    try:
        return load_dataset(resolve(folder))
    except MetadataError as error:
        if json:
            sys.stdout.write(msgspec.json.encode({"error_kind": error.kind, "message": str(error)}).decode() + "\n")
        raise
