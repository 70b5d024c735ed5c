"""What the commands that ask judges have in common."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import typer

from airbench_edge.judges.contract import Judge
from airbench_edge.judges.open import JudgeSettings, open_judge
from airbench_edge.run.open_run import OpenRun


@contextmanager
def opened_judges(specs: Sequence[str], settings: JudgeSettings) -> Iterator[list[Judge]]:
    """Open all judges before anything is done, so that a wrong one costs nothing."""
    judges: list[Judge] = []
    try:
        judges += [open_judge(spec, settings) for spec in specs]
        yield judges
    finally:
        for opened in judges:
            opened.close()


def seeded(settings: JudgeSettings, run: OpenRun) -> JudgeSettings:
    """Let sampling follow the seed of the run, so that a judge is the same instrument in every command."""
    return msgspec.structs.replace(settings, seed=run.manifest.selection.seed)


@contextmanager
def resumable(out: Path) -> Iterator[None]:
    """Turn Ctrl-C into exit code 130 and a word on how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        again = shlex.join(["airbench-edge", *sys.argv[1:]])
        print(f"Stopped; everything so far is in {out}. To go on: {again}", file=sys.stderr)
        raise typer.Exit(130) from None
