"""The report for programs."""

from __future__ import annotations

import msgspec


def as_json(model: msgspec.Struct) -> str:
    """Everything in the report, indented; equal reports give equal bytes."""
    return msgspec.json.format(msgspec.json.encode(model), indent=2).decode() + "\n"
