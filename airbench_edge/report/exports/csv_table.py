"""Rows as CSV (RFC 4180, UTF-8), safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = str | float | bool | None
Row: TypeAlias = Mapping[str, Value]

# What a spreadsheet takes for a formula or may jump over to find one (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_JUMPED_OVER = ("\t", "\r", "\n")

# What a terminal may act upon or a database choke on; line ends and tabs are text.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def csv_table(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Write rows below a line of column names.

    Numbers have all their digits, a share of 1 is 1.0, yes and no are 1 and 0, and what is unknown is empty. A text
    that would begin a formula gets an apostrophe in front; control characters, except tabs and line ends, are written
    out as escapes.

    Raises:
        ValueError: A row has a value for a column that there is not.
    """
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return file.getvalue()


def _cell(value: Value) -> str | float | None:
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return value
    text = _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", value)
    return f"'{text}" if text.startswith(_JUMPED_OVER) or text.lstrip().startswith(_FORMULA) else text
