"""ID3v2 tags in front of MPEG or FLAC streams.

Source: id3.org, ID3v2.3.0 and ID3v2.4.0, section 3.1.
"""

from __future__ import annotations


def skip_id3(data: bytes, at: int = 0) -> int:
    """Offset behind all ID3v2 tags that start at ``at``; behind the end of the file if the last one is cut off."""
    while data[at : at + 3] == b"ID3" and len(data) >= at + 10:
        at += 10 + _length(data, at)
    return at


def _length(data: bytes, at: int) -> int:
    digits = data[at + 6 : at + 10]
    if any(digit > 0x7F for digit in digits):
        return int.from_bytes(digits)  # some writers forget that only seven bits of a byte count
    footer = 10 if data[at + 5] & 0x10 else 0
    return sum(digit << shift for digit, shift in zip(digits, (21, 14, 7, 0), strict=True)) + footer
