"""Verdicts that were made elsewhere: lines ``{uniq_id, order, text}``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from airbench_edge.benchmark.items import UniqId
from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.json_lines import read_lines
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.naming import slug


class _Line(msgspec.Struct, frozen=True):
    uniq_id: UniqId
    order: Order
    text: str | None


class RecordedJudge:
    """Looks replies up in a JSONL file; the last line with a text counts, and id 12 is id "12".

    Args:
        path: The file.

    Attributes:
        contradicted: Lines that say otherwise than an earlier one about the same item and order.

    Raises:
        InputError: The file is missing or a line is not of that form.
    """

    def __init__(self, path: Path) -> None:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"The recorded judge {path} cannot be read ({error.strerror}): give a JSONL file."
            ) from error
        self._texts: dict[tuple[str, Order], str | None] = {}
        self.contradicted = 0
        for line in _lines(path, content):
            key = str(line.uniq_id), line.order
            before = self._texts.get(key)
            self.contradicted += before is not None and line.text is not None and line.text != before
            if line.text is not None or before is None:
                self._texts[key] = line.text
        if not self._texts:
            raise InputError(f"The recorded judge {path} holds no line: expected {{uniq_id, order, text}} a line.")
        self._identity = JudgeIdentity("recorded", slug(path.stem), {"sha256": hashlib.sha256(content).hexdigest()})

    @property
    def identity(self) -> JudgeIdentity:
        """File name and hash."""
        return self._identity

    @property
    def keys(self) -> frozenset[tuple[str, Order]]:
        """Items, ids as text, and orders that have a line."""
        return frozenset(self._texts)

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Yield the recorded reply of each request; ``not_recorded`` where there is none."""
        for request in requests:
            text = self._texts.get((str(request.uniq_id), request.order)) if request.order else None
            yield request, JudgeReply(text=text, failure="" if text is not None else "not_recorded")

    def close(self) -> None:
        """Nothing to free."""


def _lines(path: Path, content: bytes) -> Iterator[_Line]:
    return read_lines(
        content,
        _Line,
        lambda number, why: (
            f"Line {number} of {path} is no recorded verdict ({why}): expected "
            '{"uniq_id": ..., "order": "reference_first" or "model_first", "text": ...}.'
        ),
    )
