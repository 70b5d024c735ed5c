"""Ogg: pages damaged, lost or cut, streams chained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

from airbench_edge.audio.ogg import ogg_crc

r = recipes
FOUR = r.sf_bytes(r.tone(440, 4.0, 16000), 16000, "OGG", "VORBIS")  # all its sound in one page
LONG = r.sf_bytes(  # 10 s with some noise in it, so that it fills many pages
    r.tone(440, 10.0, 44100) + 0.05 * np.random.default_rng(0).standard_normal(441000), 44100, "OGG", "VORBIS"
)
OPUS = r.sf_bytes(r.tone(440, 4.0, 48000), 48000, "OGG", "OPUS")
PAGES = [at for at in range(len(LONG)) if LONG[at : at + 4] == b"OggS"]
OK = Heard(4.0, 440, 0.35)

CASES: dict[str, tuple[bytes, Heard | str]] = {
    "Vorbis": (FOUR, OK),
    "Opus": (OPUS, OK),
    "chained": (FOUR + FOUR, OK._replace(seconds=8.0)),
    "chained, two codecs and rates": (FOUR + OPUS, OK._replace(seconds=8.0)),
    "noise behind": (FOUR + np.random.default_rng(0).bytes(5000), OK._replace(kinds=("extra_data",))),
    "cut inside the only page of sound": (FOUR[: len(FOUR) - 100], "truncated"),
    "cut behind the first page": (FOUR[:58], "truncated"),
    "cut inside the first page": (FOUR[:40], "truncated_header"),
    "Speex": (FOUR[:28] + b"Speex   " + FOUR[36:], "unsupported_codec"),
}


@pytest.mark.parametrize("name", CASES)
def test_ogg(name: str, tmp_path: Path) -> None:
    data, wanted = CASES[name]
    assert heard(tmp_path, data) == wanted


def test_cut_in_the_middle_keeps_whole_pages(tmp_path: Path) -> None:
    found = heard(tmp_path, LONG[: len(LONG) // 2])
    assert isinstance(found, Heard)
    assert (found.hz, found.kinds) == (440, ("truncated",))
    assert 4.0 < found.seconds < 5.5


@pytest.mark.parametrize("fault", ["damaged", "lost"])
def test_fault_in_a_page_is_told(fault: str, tmp_path: Path) -> None:
    start, end = PAGES[8], PAGES[9]
    page = bytes(byte ^ 1 for byte in LONG[start + 300 : end]) if fault == "damaged" else b""
    found = heard(tmp_path, LONG[: start + 300 * bool(page)] + page + LONG[end:])
    assert isinstance(found, Heard)
    assert (found.hz, found.kinds) == (440, ("damaged",))
    assert found.seconds > 9.0


def test_checksum_of_real_pages() -> None:
    page = bytearray(LONG[PAGES[3] : PAGES[4]])
    stored = int.from_bytes(page[22:26], "little")
    page[22:26] = bytes(4)
    assert ogg_crc(bytes(page)) == stored
    page[100] ^= 1
    assert ogg_crc(bytes(page)) != stored
