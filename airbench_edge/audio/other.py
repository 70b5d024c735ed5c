"""Containers that libsndfile reads by itself, and where such a file should end, which it does not check.

Source: the formats' own descriptions (Apple AIFF 1.3 and CAF, NeXT/Sun .au, Sony Wave64, NIST Sphere).
"""

from __future__ import annotations

import re
import struct

from airbench_edge.audio.faults import Fault
from airbench_edge.audio.piece import Piece, Sound

OTHER_MARKS = (b"FORM", b".snd", b"dns.", b"caff", b"riff\x2e\x91\xcf\x11", b"NIST_1A")
_HEADER = 64  # bytes; a file that ends before holds nothing but a part of its header
_UNKNOWN = 0xFFFFFFFF


def take_other(data: bytes) -> Sound:
    """Take an AIFF, AU, CAF, Wave64 or NIST Sphere file as far as its header says; tell if that is not its end."""
    try:
        end = _announced_end(data) or len(data)
    except struct.error:
        end = _HEADER
    sound = Sound([Piece((memoryview(data)[:end],))])
    if end > len(data):
        kind = Fault.TRUNCATED_HEADER if len(data) < _HEADER else Fault.TRUNCATED
        sound.warnings.append(kind.says(f"the header announces a file of {end} bytes, {len(data)} are there."))
    elif any(data[end + 1 :]):
        sound.warnings.append(Fault.EXTRA_DATA.says(f"{len(data) - end} bytes behind the announced end were left out."))
    return sound


def _announced_end(data: bytes) -> int | None:
    """Length that the file should have according to its header; None if it does not say."""
    if data.startswith(b"FORM"):
        return 8 + int(struct.unpack_from(">I", data, 4)[0])
    if data.startswith((b".snd", b"dns.")):
        order = ">" if data.startswith(b".") else "<"
        start, size = (int(field) for field in struct.unpack_from(order + "II", data, 4))
        return None if size == _UNKNOWN else start + size
    if data.startswith(b"riff"):
        return int(struct.unpack_from("<Q", data, 16)[0])
    if data.startswith(b"caff"):
        return _caf_end(data)
    return _nist_end(data) if data.startswith(b"NIST") else None


def _caf_end(data: bytes) -> int | None:
    """End of the samples if they are cut off; what may follow them has no announced end."""
    at = 8
    while at + 12 <= len(data):
        name, size = data[at : at + 4], int(struct.unpack_from(">q", data, at + 4)[0])
        if size < 0 or (name == b"data" and at + 12 + size <= len(data)):
            return None
        at += 12 + size
    return max(at, len(data) + 1)


def _nist_end(data: bytes) -> int | None:
    fields = dict(re.findall(rb"(\w+) -(?:i|s\d+) (\d+)", data[:1024]))
    sizes = [int(fields.get(name, 0)) for name in (b"sample_count", b"channel_count", b"sample_n_bytes")]
    return 1024 + sizes[0] * sizes[1] * sizes[2]
