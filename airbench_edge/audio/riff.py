"""Chunks of a RIFF/WAVE file (also RIFX, RF64, BW64), found even where lengths or padding are wrong.

Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (RIFF); EBU Tech 3306 (RF64).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from airbench_edge.audio.faults import AudioError, Fault

_KNOWN = (
    *(b"fmt ", b"data", b"fact", b"LIST", b"ds64", b"bext", b"cue ", b"smpl", b"inst", b"plst", b"PEAK", b"iXML"),
    *(b"id3 ", b"ID3 ", b"JUNK", b"junk", b"PAD ", b"FLLR", b"cart", b"_PMX", b"afsp", b"DISP", b"minf", b"elm1"),
)
_ENDLESS = 0x7FFFF000  # encoders that write to a pipe announce a length with all these bits
_TAIL = 1 << 16  # bytes at the end of the file where tags may hide behind samples of unknown length
_SHARE_OF_SOUND = 8  # unannounced bytes are taken for sound if they are at least 1/8 of the announced ones


class Chunk(NamedTuple):
    """A chunk as its header announces it: name, length in bytes, and where its body starts."""

    name: bytes
    announced: int
    start: int


class Wave(NamedTuple):
    """The two chunks that matter.

    Attributes:
        fmt: Body of the ``fmt`` chunk, at least 16 bytes.
        start: Where the samples start.
        length: Bytes of samples that are really there.
        announced: Bytes that the header announces; equal to ``length`` where it says nothing of use.
        big_endian: True for RIFX.
        warnings: What was wrong with the chunks.
    """

    fmt: bytes
    start: int
    length: int
    announced: int
    big_endian: bool
    warnings: list[str]


def read_wave(data: bytes) -> Wave:
    """Find format and samples.

    Raises:
        AudioError: The file is another kind of RIFF file, or one of the two chunks is not there.
    """
    if len(data) < 12:
        raise AudioError(Fault.TRUNCATED_HEADER, f"The WAV header is cut off after {len(data)} bytes.")
    if data[8:12] != b"WAVE":
        raise AudioError(Fault.NOT_AUDIO, f"This is a RIFF file of the kind {data[8:12]!r}, not WAVE.")
    walk = _Walk(data)
    fmt = walk.find_format()
    chunk, length = walk.find_samples()
    announced = chunk.announced if chunk.announced > length and not walk.is_endless(chunk) else length
    return Wave(fmt, chunk.start, length, announced, walk.order == ">", walk.warnings)


class _Walk:
    """One pass over the chunks."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.order = ">" if data[:4] == b"RIFX" else "<"
        self.warnings: list[str] = []
        self._long = 0  # length of the samples according to RF64
        self._chunks = list(self._walk())

    def find_format(self) -> bytes:
        """Body of the ``fmt`` chunk."""
        chunk = next((chunk for chunk in self._chunks if chunk.name == b"fmt "), None) or self._search(b"fmt ")
        body = self.data[chunk.start : chunk.start + max(16, min(chunk.announced, 64))] if chunk else b""
        if len(body) < 16:
            raise AudioError(Fault.TRUNCATED_HEADER, "The WAV header is cut off inside the description of its format.")
        return body

    def find_samples(self) -> tuple[Chunk, int]:
        """The first ``data`` chunk with something in it, and its true length."""
        found = [(chunk, self._length(chunk)) for chunk in self._chunks if chunk.name == b"data"]
        if not found and (lost := self._search(b"data")):
            found = [(lost, self._length(lost))]
        if not found:
            raise AudioError(Fault.TRUNCATED_HEADER, "The WAV header ends before any samples are announced.")
        filled = [pair for pair in found if pair[1]] or found
        chunk, length = filled[0]
        end = chunk.start + length
        if filled[1:]:
            self._say(Fault.EXTRA_DATA, f"a second data chunk of {filled[1][1]} bytes was left out.")
        elif any(self.data[end:]) and not self._chunk_at(end) and not self._chunk_at(end + 1):
            self._say(Fault.EXTRA_DATA, f"{len(self.data) - end} bytes behind the samples were left out.")
        if chunk.announced < length:
            self._say(Fault.BAD_HEADER, f"the header announces {chunk.announced} bytes of samples, {length} are there.")
        return chunk, length

    def is_endless(self, chunk: Chunk) -> bool:
        """Whether the length stands for "not known when the header was written"."""
        return chunk.announced & _ENDLESS == _ENDLESS and not self._long

    def _walk(self) -> Iterator[Chunk]:
        at = 12
        while self._named(at):
            name, size = struct.unpack_from(self.order + "4sI", self.data, at)
            if name == b"ds64" and size >= 16 and at + 24 <= len(self.data):
                self._long = struct.unpack_from("<Q", self.data, at + 16)[0]
            chunk = Chunk(name, self._long or size if name == b"data" and size == 0xFFFFFFFF else size, at + 8)
            yield chunk
            end = chunk.start + (self._length(chunk) if name == b"data" else size)
            at = self._after(end, size % 2)

    def _after(self, end: int, padding: int) -> int:
        """Start of the next chunk: an odd one is followed by a byte of padding, which some writers forget."""
        forgotten = padding and self._known(end) and not self._known(end + 1)
        return end if forgotten else end + padding

    def _length(self, chunk: Chunk) -> int:
        """Bytes of samples in a ``data`` chunk, whatever its header says."""
        end, there = chunk.start + chunk.announced, len(self.data) - chunk.start
        if chunk.announced > there:
            return self._tags(chunk.start) - chunk.start
        if chunk.announced + 1 >= there or self._chunk_at(end) or self._chunk_at(end + 1):
            return chunk.announced
        rest = there - chunk.announced
        vouched = abs(8 + struct.unpack_from(self.order + "I", self.data, 4)[0] - len(self.data)) <= 1
        is_sound = vouched and rest * _SHARE_OF_SOUND >= chunk.announced and any(self.data[end:])
        return self._tags(end) - chunk.start if chunk.announced == 0 or is_sound else chunk.announced

    def _tags(self, start: int) -> int:
        """Where chunks begin that fill the file exactly to its end; the end of the file if there are none."""
        tail = self.data[max(start, len(self.data) - _TAIL) :]
        offset = len(self.data) - len(tail)
        places = sorted(offset + at for name in _KNOWN if (at := tail.find(name)) >= 0)
        return next((at for at in places if self._fills(at)), len(self.data))

    def _fills(self, at: int) -> bool:
        while self._named(at):
            size: int = struct.unpack_from(self.order + "I", self.data, at + 4)[0]
            at = self._after(at + 8 + size, size % 2)
        return len(self.data) <= at <= len(self.data) + 1

    def _chunk_at(self, at: int) -> bool:
        """Whether what stands here is a chunk, known or at least of a length that fits."""
        if self._known(at):
            return True
        if self.data[at : at + 4] == self.data[:4]:
            return False  # another file was copied behind this one
        return self._named(at) and at + 8 + struct.unpack_from(self.order + "I", self.data, at + 4)[0] <= len(self.data)

    def _known(self, at: int) -> bool:
        return self.data[at : at + 4] in _KNOWN

    def _named(self, at: int) -> bool:
        name = self.data[at : at + 4]
        return at + 8 <= len(self.data) and all(32 <= byte < 127 for byte in name)

    def _search(self, name: bytes) -> Chunk | None:
        """A chunk that the walk could not reach because a length before it is wrong."""
        found = []
        at = self.data.find(name, 12)
        while 0 <= at <= len(self.data) - 8:
            found.append(Chunk(name, struct.unpack_from(self.order + "I", self.data, at + 4)[0], at + 8))
            at = self.data.find(name, at + 1)
        if not found:
            return None
        self._say(
            Fault.BAD_HEADER, f"a wrong length hides the {name.decode().strip()} chunk; it was found by searching."
        )
        return next((chunk for chunk in found if self._ends_well(chunk.start + chunk.announced)), found[0])

    def _ends_well(self, end: int) -> bool:
        return 0 <= len(self.data) - end <= 1 or self._known(end) or self._known(end + 1)

    def _say(self, fault: Fault, sentence: str) -> None:
        self.warnings.append(fault.says(sentence))
