"""An append-only file of records, one JSON object a line, that survives being killed at any moment.

A record is handed to the system as soon as it is appended, so that a killed process loses none, and synced to the disk
about once a second, so that a power failure loses few. What a kill can leave is one torn line at the end, without its
newline, and a power failure one with holes of NUL: it is ignored on reading and cut off on opening for writing. Any
other damage is named instead of skipped, since an older record of the same key could win by it unseen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.json_lines import BYTE_ORDER_MARK, decode

Record = TypeVar("Record", bound=msgspec.Struct)

SYNC_AFTER_S = 1.0
_BLANK = b" \t\r\n\0"


class Scan(NamedTuple, Generic[Record]):
    """What a journal file holds.

    Attributes:
        records: Every whole record in file order; of two with one key the later counts.
        end: Bytes up to the end of the last whole record.
        torn: Bytes behind it, left by a killed writer.
    """

    records: list[Record]
    end: int
    torn: int


def read_journal(path: Path, kind: type[Record]) -> Scan[Record]:
    """Read all whole records; a missing file holds none.

    Raises:
        InputError: The file cannot be read, or a line is damaged (but for a torn one at the end) or no such record.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Scan([], 0, 0)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    records: list[Record] = []
    start = end = torn = 0
    for number, line in enumerate(content.split(b"\n"), 1):
        after = min(start + len(line) + 1, len(content))
        text = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if text.strip(_BLANK):
            if torn:
                raise _damaged(path, torn)
            try:
                records.append(decode(text, kind))
                end = after
            except msgspec.ValidationError as error:
                raise InputError(
                    f"Line {number} of {path} is not a record of this version ({error}): if a newer version wrote it, "
                    "use that one; if it is damaged, delete that line and run the same command again, which does its "
                    "item anew."
                ) from error
            except msgspec.DecodeError as error:
                has_newline = start + len(line) < len(content)
                if has_newline and b"\0" not in line:
                    raise _damaged(path, number) from error
                torn = number
        start = after
    return Scan(records, end, len(content) - end)


def _damaged(path: Path, number: int) -> InputError:
    return InputError(
        f"Line {number} of {path} is damaged: delete that line and run the same command again, "
        "which does its item anew."
    )


class Journal(Generic[Record]):
    """A journal open for appending; use it as a context manager, by one process at a time.

    Args:
        path: The file, made if missing; a torn last line is cut off.
        kind: Type of its records.

    Attributes:
        records: What it held on opening, in file order.

    Raises:
        InputError: The file is damaged or cannot be written.
    """

    def __init__(self, path: Path, kind: type[Record]) -> None:
        self.records, self._end, torn = read_journal(path, kind)
        self._path = path
        self._encoder = msgspec.json.Encoder()
        self._synced = time.monotonic()
        with self._disk_errors():
            self._file = path.open("a+b", buffering=0)
            if torn:
                self._file.truncate(self._end)
            elif self._end:
                self._end_last_line()

    def append(self, record: Record) -> None:
        """Write one record; it is in the file whole, or not at all.

        Raises:
            InputError: The disk is full or gone; the records before this one are safe.
        """
        with self._disk_errors():
            self._write(self._encoder.encode(record) + b"\n")
            if time.monotonic() - self._synced >= SYNC_AFTER_S:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def __enter__(self) -> Journal[Record]:
        return self

    def __exit__(self, *_: object) -> None:
        with self._disk_errors(), self._file:
            os.fsync(self._file.fileno())

    def _end_last_line(self) -> None:
        self._file.seek(-1, os.SEEK_END)
        if self._file.read(1) != b"\n":
            self._write(b"\n")

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            self._end += len(line)
        except BaseException:
            self._file.truncate(self._end)
            raise

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"{self._path} cannot be written ({error.strerror}): free some space or choose another folder, "
                "then run the same command again."
            ) from error
