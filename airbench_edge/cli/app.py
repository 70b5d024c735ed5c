"""The commands, gathered."""

from __future__ import annotations

from typing import Annotated

import typer

from airbench_edge import __version__
from airbench_edge.cli import audio, compare, data, doctor, estimate, export, judge, report, rules, run
from airbench_edge.cli.plain_words import PlainWords

app = typer.Typer(
    name="airbench-edge",
    cls=PlainWords,
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
app.add_typer(export.app, name="export")
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
