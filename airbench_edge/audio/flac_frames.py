"""Frames of a FLAC stream: where each starts and which samples it holds.

Source: RFC 9639, section 9.1 (frame header).
"""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

_SIZES = {1: 192, **{code: 576 << (code - 2) for code in range(2, 6)}, **{code: 1 << code for code in range(8, 16)}}
_EXTRA_BYTES = {12: 1, 13: 2, 14: 2}  # rate codes that are followed by the rate itself


class FlacFrame(NamedTuple):
    """One frame.

    Attributes:
        start: Offset of its header.
        position: Number of its first sample in every channel.
        samples: Samples in every channel.
    """

    start: int
    position: int
    samples: int

    @property
    def stop(self) -> int:
        """Number of the first sample behind it."""
        return self.position + self.samples


def scan_frames(data: bytes, start: int, end: int, block_size: int) -> list[FlacFrame]:
    """All frames between two offsets, in order; ``block_size`` is that of a stream of equal blocks, in samples.

    A header is believed if its checksum holds and it continues the frame before, or the next one continues it.
    """
    found: list[FlacFrame] = []
    at = data.find(b"\xff", start, end)
    while at >= 0:
        if frame := _read_header(data, at, block_size):
            found.append(frame)
        at = data.find(b"\xff", at + 1, end)
    kept: list[FlacFrame] = []
    for frame, after in zip_longest(found, found[1:]):
        reached = kept[-1].stop if kept else 0
        continued = after is not None and after.position == frame.stop
        if frame.position == reached or (continued and frame.position > reached):
            kept.append(frame)
    return kept


def _read_header(data: bytes, at: int, block_size: int) -> FlacFrame | None:
    head = data[at : at + 16]
    if len(head) < 6 or head[1] & 0xFE != 0xF8 or head[3] & 1:
        return None
    number, length = _coded_number(head[4:])
    size_code, rate_code = head[2] >> 4, head[2] & 15
    place = 4 + length
    size_bytes = {6: 1, 7: 2}.get(size_code, 0)
    size = 1 + int.from_bytes(head[place : place + size_bytes]) if size_bytes else _SIZES.get(size_code, 0)
    place += size_bytes + _EXTRA_BYTES.get(rate_code, 0)
    if not length or not size or rate_code == 15 or place >= len(head) or _crc8(head[:place]) != head[place]:
        return None
    return FlacFrame(at, number if head[1] & 1 else number * block_size, size)


def _coded_number(coded: bytes) -> tuple[int, int]:
    """A number in the longer form of UTF-8, and how many bytes it takes: 0 if it is none."""
    if coded[0] < 0x80:
        return coded[0], 1
    length = f"{coded[0]:08b}".find("0")
    rest = coded[1:length]
    if length < 2 or len(rest) < length - 1 or any(byte & 0xC0 != 0x80 for byte in rest):
        return 0, 0
    number = coded[0] & (0x7F >> length)
    for byte in rest:
        number = number << 6 | byte & 0x3F
    return number, length


def _crc8(head: bytes) -> int:
    crc = 0
    for byte in head:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1) ^ 0x107 if crc & 0x80 else crc << 1
    return crc
