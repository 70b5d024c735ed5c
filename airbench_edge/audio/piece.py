"""What a format reader hands to the decoder: the bytes to decode, in order, and what was wrong with them."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Bytes: TypeAlias = bytes | memoryview


class Layout(NamedTuple):
    """How bare samples are stored: no header is left, so the decoder must be told.

    Attributes:
        subtype: libsndfile's name, such as ``PCM_16``.
        big_endian: Byte order.
        channels: Interleaved channels.
        sample_rate: In Hz.
    """

    subtype: str
    big_endian: bool
    channels: int
    sample_rate: int


class Piece(NamedTuple):
    """A run of sound.

    Attributes:
        parts: Bytes of one stream, to be read one after the other.
        layout: Set where the parts are bare samples.
        silence: Frames of lost sound before this piece, for which silence stands.
    """

    parts: tuple[Bytes, ...]
    layout: Layout | None = None
    silence: int = 0


@dataclass
class Sound:
    """A file taken apart.

    Attributes:
        pieces: In the order of time.
        warnings: What had to be mended or left out.
    """

    pieces: list[Piece]
    warnings: list[str] = field(default_factory=list)


class Joined(io.RawIOBase):
    """Several byte strings as one read-only file, without copying them."""

    def __init__(self, parts: Sequence[Bytes]) -> None:
        self._parts = [memoryview(part) for part in parts]
        self._ends = list(accumulate(len(part) for part in parts))
        self._at = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move; places before the start or behind the end are moved to it."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = min(max(0, base + offset), self._size)
        return self._at

    def tell(self) -> int:
        """Place of the next byte."""
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill the buffer, less only at the end."""
        view = memoryview(buffer)
        done = 0
        while done < len(view) and self._at < self._size:
            index = bisect_right(self._ends, self._at)
            part = self._parts[index]
            start = self._at - (self._ends[index] - len(part))
            taken = part[start : start + len(view) - done]
            view[done : done + len(taken)] = taken
            done += len(taken)
            self._at += len(taken)
        return done

    @property
    def _size(self) -> int:
        return self._ends[-1] if self._ends else 0
