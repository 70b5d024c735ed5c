"""Responses that were made elsewhere: only scoring is left to do, and no audio is needed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from airbench_edge.audiolm.contract import Answer, Identity, Prompted
from airbench_edge.benchmark.items import ItemKey, Track, UniqId
from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path
from airbench_edge.json_lines import BYTE_ORDER_MARK, decode


class _Line(msgspec.Struct, frozen=True):
    """What counts in a record of the official result format, or in a bare ``{uniq_id, response}``."""

    uniq_id: UniqId
    response: str | None
    track: Track | None = None
    choice_a: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    meta_info: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class RecordedAudioLM:
    """Looks responses up; implements ``audiolm.contract.AudioLM``.

    Files are JSON lines or one JSON array, with or without byte-order mark. The track of a record is its ``track``,
    else told by its fields (``choice_a``: foundation, ``meta_info``: chat), else by the place of its file when two are
    given. Id 12 and id "12" are one. Of several records for an item the last that has a response counts; a last line
    that was cut off before its line end does not.

    Args:
        spec: ``FILE``, or ``FOUNDATION_FILE,CHAT_FILE``, of which one may be left empty.

    Raises:
        InputError: A file is missing, a record is broken, or its track is unclear.
    """

    def __init__(self, spec: str) -> None:
        self._texts: dict[ItemKey, str | None] = {}
        hashes = {}
        files = _files(spec)
        for path, place in files:
            content = _content(path)
            hashes[f"sha256.{path.name}"] = hashlib.sha256(content).hexdigest()
            for where, line in _lines(path, content):
                key = ItemKey(_track(line, place, where), str(line.uniq_id))
                if line.response is not None or key not in self._texts:
                    self._texts[key] = line.response
        if not self._texts:
            raise InputError(f"recorded:{spec} holds no response: expected {{uniq_id, response}} a line.")
        self._identity = Identity("recorded", "+".join(path.stem for path, _ in files), hashes)

    @property
    def identity(self) -> Identity:
        """File names and hashes."""
        return self._identity

    @property
    def sample_rate(self) -> None:
        """No audio is needed."""
        return

    @property
    def providers(self) -> dict[str, str]:
        """No session is open."""
        return {}

    @property
    def keys(self) -> frozenset[ItemKey]:
        """Items that have a record, ids as text, so that a caller can count those that the data set does not know."""
        return frozenset(self._texts)

    def answer(self, item: Prompted) -> Answer:
        """The recorded response; its text is None where there is none."""
        text = self._texts.get(ItemKey(item.key.track, str(item.key.uniq_id)))
        return Answer(text, "unknown", None)


def _files(spec: str) -> list[tuple[Path, Track | None]]:
    whole = given_path(spec)
    if "," not in spec or whole.exists():
        return [(whole, None)]
    first, second = spec.split(",", 1)
    named = ((first, Track.FOUNDATION), (second, Track.CHAT))
    return [(given_path(name), track) for name, track in named if name]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes().removeprefix(BYTE_ORDER_MARK)
    except OSError as error:
        raise InputError(
            f"The recorded responses {path} cannot be read ({error.strerror}): give a JSONL file."
        ) from error


def _lines(path: Path, content: bytes) -> Iterator[tuple[str, _Line]]:
    """Yield the records of a file with where they stand."""
    if content.lstrip().startswith(b"["):
        try:
            records = decode(content, list[_Line])
        except msgspec.DecodeError as error:
            raise InputError(_broken(str(path), error)) from error
        yield from ((f"Record {number} of {path}", record) for number, record in enumerate(records, 1))
        return
    rows = content.split(b"\n")
    for number, row in enumerate(rows, 1):
        if not row.strip(b" \t\r\x00"):
            continue
        where = f"Line {number} of {path}"
        try:
            yield where, decode(row, _Line)
        except msgspec.DecodeError as error:
            if number == len(rows) and not isinstance(error, msgspec.ValidationError):
                return  # the writer was killed in the middle of its last line
            raise InputError(_broken(where, error)) from error


def _broken(where: str, error: Exception) -> str:
    return f'{where} is no recorded response ({error}): expected {{"uniq_id": ..., "response": "..."}}.'


def _track(line: _Line, place: Track | None, where: str) -> Track:
    if line.track is not None:
        return line.track
    has_choices, has_meta = line.choice_a is not msgspec.UNSET, line.meta_info is not msgspec.UNSET
    if has_choices != has_meta:
        return Track.FOUNDATION if has_choices else Track.CHAT
    if place is not None:
        return place
    raise InputError(
        f'{where} does not tell its track: add "track": "foundation" or "chat" to the records, '
        "or give recorded:FOUNDATION_FILE,CHAT_FILE (one may be left empty)."
    )
