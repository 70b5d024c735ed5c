"""Reader of GGUF headers: metadata and tensor table, versions 2 and 3.

Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import mmap
import struct
import sys
from pathlib import Path
from typing import TypeAlias

import msgspec

MAGIC = b"GGUF"
VERSIONS = (2, 3)

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_DIMENSIONS = 4

# Bytes of a block of each tensor type, by elements in the block (ggml.h, ggml-common.h).
_BLOCK_BYTES = {
    1: {0: 4, 1: 2, 24: 1, 25: 2, 26: 4, 27: 8, 28: 8, 30: 2},
    32: {2: 18, 3: 20, 6: 22, 7: 24, 8: 34, 9: 36, 20: 18, 39: 17},
    256: {10: 84, 11: 110, 12: 144, 13: 176, 14: 210, 15: 292, 16: 66, 17: 74, 18: 98, 19: 50}
    | {21: 110, 22: 82, 23: 136, 29: 56, 34: 54, 35: 66},
}
_BLOCKS = {kind: (elements, size) for elements, sizes in _BLOCK_BYTES.items() for kind, size in sizes.items()}

Value: TypeAlias = int | float | bool | str


class Damaged(Exception):
    """The header says something impossible or ends early; the message says what."""


class Header(msgspec.Struct, frozen=True):
    """What a GGUF file announces.

    Attributes:
        metadata: Key to value; strings are decoded as UTF-8 with replacement, arrays are left out.
        tensors: Number of tensors in this file.
        size: Bytes that the file must have for all its tensors to be there.
    """

    metadata: dict[str, Value]
    tensors: int
    size: int


def read_header(path: Path) -> Header:
    """Read metadata and tensor table of a native-endian GGUF file.

    Raises:
        Damaged: The header is cut or impossible; also a version or byte order that is not read here.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return _Reader(data).header()


class _Reader:
    """A cursor over the bytes of a file."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = len(MAGIC)

    def header(self) -> Header:
        """Read everything before the tensors' data."""
        version = self._number("I")
        if version not in VERSIONS:
            swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
            if swapped in VERSIONS:
                raise Damaged(f"its byte order is not that of this machine ({sys.byteorder}-endian)")
            raise Damaged(f"its GGUF version is {version}, and versions 2 and 3 are known")
        tensors, pairs = self._number("Q"), self._number("Q")
        metadata: dict[str, Value] = {}
        for _ in range(pairs):
            key, kind = self._string(), self._number("I")
            if kind == _ARRAY:
                self._skip_array()
            else:
                metadata[key] = self._value(kind)
        ends = [self._tensor_end() for _ in range(tensors)]
        alignment = metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1:
            raise Damaged(f"its alignment is {alignment}")
        start = -(-self._at // alignment) * alignment
        return Header(metadata, tensors, start + max(ends, default=0))

    def _number(self, code: str) -> int:
        return int(self._unpack(code))

    def _unpack(self, code: str) -> int | float | bool:
        try:
            (value,) = struct.unpack_from("=" + code, self._data, self._at)
        except struct.error:
            raise Damaged("its header is cut") from None
        self._at += struct.calcsize("=" + code)
        return value  # type: ignore[no-any-return]

    def _skip(self, length: int) -> int:
        """Move on and return where the cursor was."""
        start, self._at = self._at, self._at + length
        if self._at > len(self._data):
            raise Damaged("its header is cut")
        return start

    def _string(self) -> str:
        length = self._number("Q")
        start = self._skip(length)
        return self._data[start : start + length].decode("utf-8", "replace")

    def _skip_array(self) -> None:
        kind, length = self._number("I"), self._number("Q")
        if kind == _STRING:
            for _ in range(length):
                self._skip(self._number("Q"))
        elif kind in _SCALARS:
            self._skip(length * struct.calcsize("=" + _SCALARS[kind]))
        else:
            raise Damaged(f"its metadata holds an array of unknown type {kind}")

    def _value(self, kind: int) -> Value:
        if kind == _STRING:
            return self._string()
        if kind not in _SCALARS:
            raise Damaged(f"its metadata holds a value of unknown type {kind}")
        return self._unpack(_SCALARS[kind])

    def _tensor_end(self) -> int:
        """Read one row of the tensor table; where its data end, counted from the start of all data."""
        self._string()
        dimensions = self._number("I")
        if dimensions > _MAX_DIMENSIONS:
            raise Damaged(f"a tensor has {dimensions} dimensions")
        elements = 1
        for _ in range(dimensions):
            elements *= self._number("Q")
        kind, offset = self._number("I"), self._number("Q")
        per_block, size = _BLOCKS.get(kind, (1, 0))  # of a newer type only the place is checked
        return offset + -(-elements // per_block) * size
