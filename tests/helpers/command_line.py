"""The command line in this process: arguments in, exit code and both outputs out."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import NamedTuple
from unittest import mock

from airbench_edge.cli.main import main


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def airbench_edge(*arguments: object) -> Ended:
    """Run the program as its entry point does."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["airbench-edge", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 1
    return Ended(code, out.getvalue(), err.getvalue())
