"""Where the report is printed to, and how much room there is."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TextIO

from rich.console import Console
from rich.text import Text

# Wide enough that nothing is ever wrapped or cut; tables are no wider than what they hold.
_ENDLESS = 100_000
# Control characters, separators that some programs take for line ends, and overrides of the writing direction.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_HASH = re.compile(r"\b[0-9a-f]{32,}\b")


_PLAIN = dict(zip("—–·•×“”━─┿┼", '--.*x""=-++', strict=True)) | {
    "→": "->",
    "…": "...",
    "±": "+-",
    "≥": ">=",
    "≤": "<=",
    "κ": "kappa",
    "ρ": "rho",
    "τ": "tau",
}
"""What stands for our own letters where the encoding of the terminal lacks them."""

_PLAIN_ERRORS = "airbench_edge.plain"


def _plain(error: UnicodeError) -> tuple[str, int]:
    """A name in the data that the encoding of the terminal lacks must not end the report."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    escaped = (_PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in lacking)
    return "".join(escaped), error.end


codecs.register_error(_PLAIN_ERRORS, _plain)


class Room(IntEnum):
    """How many columns fit on a line; whole is a file or a pipe, where nothing may be left out.

    What needs more room than there is gives way, so that every name stays whole.
    """

    NARROW = 80
    MEDIUM = 100
    WIDE = 120
    HUGE = 140
    WHOLE = _ENDLESS


def open_console(file: TextIO) -> Console:
    """A console that takes text literally and, unless ``file`` is a terminal, neither cuts lines nor colours them."""
    if isinstance(file, io.TextIOWrapper):
        file.reconfigure(errors=_PLAIN_ERRORS)
    console = Console(file=file, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, Room.NARROW) if file.isatty() else Room.WHOLE
    return console


@contextmanager
def printing(file: TextIO) -> Iterator[Console]:
    """A console for the block; what it prints goes to ``file`` without blanks at line ends, unless that is a terminal.

    Tables pad their lines to one length, which is of use on a terminal only.
    """
    console = open_console(file)
    if file.isatty():
        yield console
        return
    with console.capture() as capture:
        yield console
    file.writelines(f"{line.rstrip()}\n" for line in capture.get().removesuffix("\n").split("\n"))


def room_of(console: Console) -> Room:
    """The largest room that fits."""
    return max(room for room in Room if room <= console.width)


def literal(text: str) -> str:
    """Text from data or models, its control characters made visible."""
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def short_hashes(console: Console, text: str) -> str:
    """The text with its hashes cut to twelve digits, unless there is room for everything."""
    return text if room_of(console) is Room.WHOLE else _HASH.sub(lambda match: f"{match.group()[:12]}…", text)


def heading(console: Console, title: str, remark: str = "") -> None:
    """Begin a part of the report."""
    console.print()
    console.print(Text.assemble((title, "bold magenta"), (f"   {remark}" if remark else "", "dim")))
    console.print()


def print_remarks(console: Console, remarks: Iterable[str]) -> None:
    """Print what belongs below a table."""
    for place, remark in enumerate(remarks):
        if not place:
            console.print()
        console.print(remark, style="dim")
