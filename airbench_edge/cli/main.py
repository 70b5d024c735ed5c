"""The program's entry: turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 a check found something, or the model gave no answer or a judge no verdict at all, 2 the input
cannot be used, 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

from airbench_edge.errors import InputError


def main() -> None:
    """Run the command line."""
    if sys.stdout is None:
        print("airbench-edge: standard output is closed: send it somewhere, such as > report.txt.", file=sys.stderr)
        sys.exit(2)
    try:
        # The imports take about a second, in which a person may think better of it.
        from airbench_edge.cli.app import app

        try:
            app()
        finally:
            sys.stdout.flush()
    except InputError as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader (head, less) has gone; a second error while Python flushes at exit would only be noise.
        _drop_output()
        sys.exit(1)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            where = f" to {error.filename}" if error.filename else ""
            _drop_output()
            _fail(f"The output cannot be written{where} ({error.strerror}): free some space.")
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG) and error.filename:
            _fail(f"{_start(error.filename)} cannot be used: {error.strerror}.")
        raise


def _fail(sentence: str) -> NoReturn:
    # Names of files and graphs, and texts of servers, may hold what a terminal would obey.
    from airbench_edge.report.terminal.console import literal

    print(f"airbench-edge: {literal(sentence)}", file=sys.stderr)
    sys.exit(2)


def _start(path: str) -> str:
    return path if len(path) <= 200 else f"{path[:200]}..."


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
