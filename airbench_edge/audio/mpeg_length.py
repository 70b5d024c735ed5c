"""The frame without sound that encoders put first to announce the length of an MP3 stream.

Source: Xing Inc., VBR header SDK (1998): flags, frames and bytes, behind the side information of an empty frame.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from airbench_edge.audio.mpeg_frame import Frame, read_frame

_HAS_FRAMES, _HAS_SIZE = 1, 2
_HIGHEST_RATE = 0xE0  # the longest frame, so that the header fits in


class LengthHeader(NamedTuple):
    """What is announced: frames and bytes that follow; 0 where the header is damaged or does not say."""

    frames: int
    size: int


def read_length_header(frame: bytes) -> LengthHeader | None:
    """The header in a stream's first frame; None if that frame holds sound."""
    at = max(frame.find(b"Xing", 0, 64), frame.find(b"Info", 0, 64))
    parsed = read_frame(frame, 0)
    if at < 0 or parsed is None:
        return None
    flags, frames, size = struct.unpack_from(">III", frame.ljust(80, b"\0"), at + 4)
    says_both = flags & _HAS_FRAMES and flags & _HAS_SIZE
    # the decoder sees the header only where it belongs and behind empty side information
    is_seen = at == 4 + _side_bytes(parsed) and not any(frame[4:at])
    return LengthHeader(frames, size) if says_both and is_seen else LengthHeader(0, 0)


def make_length_header(head: bytes, frames: int) -> bytes:
    """A header for a stream whose frames start with the four bytes ``head``; nothing but layer III has one."""
    head = bytes((head[0], head[1] | 1, head[2] & 0x0D | _HIGHEST_RATE, head[3]))
    frame = read_frame(head, 0)
    if frame is None or frame.stream[1] != 3:
        return b""
    body = head + bytes(_side_bytes(frame)) + b"Xing" + struct.pack(">II", _HAS_FRAMES, frames)
    return body.ljust(frame.length, b"\0")


def _side_bytes(frame: Frame) -> int:
    divisor, _, _, channels = frame.stream
    if divisor == 1:
        return 17 if channels == 1 else 32
    return 9 if channels == 1 else 17
