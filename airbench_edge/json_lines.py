"""Files of one JSON object a line, as a user may hand them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from airbench_edge.errors import InputError

Line = TypeVar("Line", bound=msgspec.Struct)


def read_lines(content: bytes, form: type[Line], refusal: Callable[[int, Exception], str]) -> Iterator[Line]:
    """Decode every line that is not blank; a byte-order mark in front and any kind of line end are taken.

    Args:
        content: The file.
        form: What each line must be.
        refusal: Sentence for a line of another form, from its number and what is wrong with it.

    Raises:
        InputError: With that sentence.
    """
    decoder = msgspec.json.Decoder(form)
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not raw.strip():
            continue
        try:
            yield decoder.decode(raw)
        except msgspec.MsgspecError as error:
            raise InputError(refusal(number, error)) from error
