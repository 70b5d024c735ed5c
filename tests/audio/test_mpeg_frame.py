from __future__ import annotations

import pytest

from airbench_edge.audio.mpeg_frame import read_frame


@pytest.mark.parametrize(
    ("head", "length", "stream"),
    [
        # MPEG 1 layer III, 128 kbit/s: 144 * 128000 / 44100 = 417.96
        ("fffb9064", 417, (1, 3, 44100, 2)),
        ("fffb9264", 418, (1, 3, 44100, 2)),  # padded
        # MPEG 2 layer III, 64 kbit/s at 22050 Hz, mono: 72 * 64000 / 22050 = 208.98
        ("fff380c4", 208, (2, 3, 22050, 1)),
        # MPEG 2.5 layer III, 8 kbit/s at 8000 Hz: 72 * 8000 / 8000 = 72
        ("ffe318c4", 72, (4, 3, 8000, 1)),
        # MPEG 1 layer II, 192 kbit/s at 48000 Hz: 144 * 192000 / 48000 = 576
        ("fffda404", 576, (1, 2, 48000, 2)),
        # MPEG 1 layer I, 32 kbit/s at 32000 Hz: (12 * 32000 / 32000) * 4 = 48
        ("ffff1804", 48, (1, 1, 32000, 2)),
    ],
)
def test_frame_header(head: str, length: int, stream: tuple[int, int, int, int]) -> None:
    assert read_frame(bytes.fromhex(head), 0) == (length, stream)


@pytest.mark.parametrize("head", ["fffb0064", "fffbf064", "fffb9c64", "ffeb9064", "fff99064", "00fb9064", "fffb"])
def test_no_frame_header(head: str) -> None:
    assert read_frame(bytes.fromhex(head), 0) is None
