"""The program's entry: gathers the commands and turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 a check found something, 2 the input cannot be used, 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer

from airbench_edge import __version__
from airbench_edge.cli import audio, compare, data, doctor, estimate, export, judge, report, rules, run
from airbench_edge.errors import InputError

app = typer.Typer(
    name="airbench-edge",
    help="AIR-Bench on one workstation, offline: an ONNX audio-LM, a pluggable judge, a report.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("align")(run.align)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("doctor")(doctor.doctor)
app.command("estimate")(estimate.estimate)
app.command("export")(export.export)
app.add_typer(judge.app, name="judge")
app.add_typer(data.app, name="data")
app.add_typer(rules.app, name="rules")
app.add_typer(audio.app, name="audio")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"airbench-edge {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """AIR-Bench on one workstation, offline: an ONNX audio-LM, a pluggable judge, a report."""


def main() -> None:
    """Run the command line."""
    if sys.stdout is None:
        print("airbench-edge: standard output is closed: send it somewhere, such as > report.txt.", file=sys.stderr)
        sys.exit(2)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except InputError as error:
        print(f"airbench-edge: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has gone; a second error while Python flushes at exit would only be noise.
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        print(f"airbench-edge: the output cannot be written ({error.strerror}): free some space.", file=sys.stderr)
        _drop_output()
        sys.exit(2)


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
