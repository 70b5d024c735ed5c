"""Single fields of a metadata record: text, or a reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from airbench_edge.benchmark.notes import Unusable

Record: TypeAlias = Mapping[str, Any]

_TYPES = {
    type(None): "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}


def type_name(value: object) -> str:
    """The JSON type of a value in words."""
    return _TYPES.get(type(value), "text")


def required_text(record: Record, field: str, kind: str) -> str:
    """Text of a field that must be text, unchanged.

    Raises:
        Unusable: Of the given kind: the field is missing, null, blank or of another type.
    """
    value = record.get(field)
    if is_blank(value):
        raise Unusable(kind, f"{field} is {_absence(record, field)}.")
    if not isinstance(value, str):
        raise Unusable(kind, f"{field} is {type_name(value)}, not text.")
    return _sendable(value, field)


def scalar_text(record: Record, field: str, kind: str) -> str | None:
    """Text of a field that may hold a number or truth value instead; None where it is missing, null, NaN or blank.

    Raises:
        Unusable: Of the given kind: the field holds a list or an object.
    """
    value = record.get(field)
    if is_blank(value):
        return None
    if isinstance(value, str | int | float):
        return _sendable(str(value), field)
    raise Unusable(kind, f"{field} is {type_name(value)}, not text.")


def is_blank(value: object) -> bool:
    """Whether a value stands for nothing."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _absence(record: Record, field: str) -> str:
    if field not in record:
        return "missing"
    return "blank" if isinstance(record[field], str) else "null"


def _sendable(text: str, field: str) -> str:
    """JSON can spell half a surrogate pair, which no file, model or judge can be given."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Unusable("broken_text", f"{field} holds half a character (a lone surrogate).") from None
    return text
