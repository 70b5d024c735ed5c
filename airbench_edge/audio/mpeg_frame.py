"""Header of one frame of MPEG audio.

Source: ISO/IEC 11172-3 and 13818-3, section 2.4.2.3; the half rates of "MPEG 2.5" are a common extension.
"""

from __future__ import annotations

from typing import NamedTuple

_V1_RATES = (44100, 48000, 32000)
_V1_KBPS = {
    1: (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    2: (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    3: (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
}
_V2_KBPS = {
    1: (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    2: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    3: (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}


class Frame(NamedTuple):
    """Header of one frame; what must not change within a stream is in ``stream``.

    Attributes:
        length: Bytes, header included.
        stream: Divisor of the rates (1, 2, 4 for MPEG 1, 2, 2.5), layer, sample rate in Hz, channels.
    """

    length: int
    stream: tuple[int, int, int, int]


def read_frame(data: bytes, at: int) -> Frame | None:
    """The frame header at an offset; None if there is none."""
    if len(data) < at + 4 or data[at] != 0xFF or data[at + 1] & 0xE0 != 0xE0:
        return None
    divisor = {0: 4, 2: 2, 3: 1}.get(data[at + 1] >> 3 & 3)
    layer = 4 - (data[at + 1] >> 1 & 3)
    kbps_index, rate_index = data[at + 2] >> 4, data[at + 2] >> 2 & 3
    if divisor is None or layer == 4 or kbps_index in (0, 15) or rate_index == 3:
        return None
    rate = _V1_RATES[rate_index] // divisor
    bits_a_second = 1000 * (_V1_KBPS if divisor == 1 else _V2_KBPS)[layer][kbps_index - 1]
    padding = data[at + 2] >> 1 & 1
    if layer == 1:
        length = (12 * bits_a_second // rate + padding) * 4
    else:
        length = (72 if layer == 3 and divisor > 1 else 144) * bits_a_second // rate + padding
    return Frame(length, (divisor, layer, rate, 1 if data[at + 3] >> 6 == 3 else 2))
