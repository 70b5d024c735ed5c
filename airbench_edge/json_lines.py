"""Files of one JSON object a line, as a user may hand them in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

import msgspec

from airbench_edge.errors import InputError

Form = TypeVar("Form")
Line = TypeVar("Line", bound=msgspec.Struct)

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode(raw: bytes, form: type[Form]) -> Form:
    """Decode one JSON value; halves of characters, which Python writes and msgspec refuses, become U+FFFD.

    Raises:
        msgspec.DecodeError: It is no JSON, or nested too deeply; a ValidationError where it is JSON of another form.
    """
    try:
        try:
            return msgspec.json.decode(raw, type=form)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            if (whole := _without_lone_surrogates(raw)) is None:
                raise
        return msgspec.json.decode(whole, type=form)
    except RecursionError as error:
        raise msgspec.DecodeError("JSON is nested too deeply") from error


def read_lines(content: bytes, form: type[Line], refusal: Callable[[int, Exception], str]) -> Iterator[Line]:
    """Decode every line that is not blank; a byte-order mark in front and any kind of line end are taken.

    Args:
        content: The file.
        form: What each line must be.
        refusal: Sentence for a line of another form, from its number and what is wrong with it.

    Raises:
        InputError: With that sentence.
    """
    for number, raw in enumerate(content.removeprefix(BYTE_ORDER_MARK).splitlines(), 1):
        if not raw.strip():
            continue
        try:
            yield decode(raw, form)
        except msgspec.DecodeError as error:
            raise InputError(refusal(number, error)) from error


def _without_lone_surrogates(raw: bytes) -> bytes | None:
    """The value with U+FFFD for halves of characters; None if it is no JSON all the same."""
    try:
        text = json.dumps(json.loads(raw.decode(), parse_constant=_refuse), ensure_ascii=False)
    except ValueError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
