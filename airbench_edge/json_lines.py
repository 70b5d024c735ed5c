"""Files of one JSON object a line, as a user may hand them in."""

from __future__ import annotations

import json
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
        except msgspec.ValidationError as error:
            raise InputError(refusal(number, error)) from error
        except msgspec.DecodeError as error:
            whole = _without_lone_surrogates(raw)
            if whole is None:
                raise InputError(refusal(number, error)) from error
            yield decoder.decode(whole)


def _without_lone_surrogates(raw: bytes) -> bytes | None:
    """The line with U+FFFD for halves of characters, which Python writes and msgspec refuses; None if it is no JSON."""
    try:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
    except ValueError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
