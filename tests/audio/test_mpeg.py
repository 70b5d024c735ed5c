"""MPEG audio: tags, pictures, rubbish and lying headers around and between the frames."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

from airbench_edge.audio.mpeg import find_run
from airbench_edge.audio.mpeg_frame import read_frame

r = recipes


def mp3(seconds: float, rate: int = 44100) -> bytes:
    data: bytes = r.sf_bytes(r.tone(440, seconds, rate), rate, "MP3")
    return data


THREE = mp3(3.0)
TAG = r.id3v2(r.apic(r.fake_jpeg()))  # a picture made of 95 frames of silence: 2.5 s for a careless reader
NOISE = np.random.default_rng(0).bytes(9000)
OK = Heard(3.0, 440, 0.35)
FIRST = read_frame(THREE, 0)
assert FIRST is not None
BARE = THREE[FIRST.length :]  # without the Xing header, so without the encoder's delay to be cut off either


def announces(frames: int) -> bytes:
    at = THREE.index(b"Xing") + 8
    return THREE[:at] + struct.pack(">I", frames) + THREE[at + 4 :]


def told(*kinds: str) -> Heard:
    return OK._replace(kinds=kinds)


# 3 s and the encoder's padding fill 116 frames of 1152 samples; without the Xing header only the decoder's own delay of
# 529 samples is cut off: (116 * 1152 - 529) / 44100
UNTRIMMED = 3.02

CASES: dict[str, tuple[bytes, Heard | str]] = {
    "plain": (THREE, OK),
    "ID3v2.4 with a picture": (r.id3v2(r.apic(r.fake_jpeg()), 4) + THREE, OK),
    "two tags": (TAG + TAG + THREE, OK),
    "length of the tag not in sevens": (b"ID3\3\0\0" + struct.pack(">I", len(TAG) - 10) + TAG[10:] + THREE, OK),
    "ID3v1 behind": (THREE + b"TAG" + b"x" * 125, OK),
    "APE tag behind": (THREE + b"APETAGEX" + b"x" * 200, OK),
    "zeros in front": (bytes(9000) + THREE, OK),
    "noise in front": (NOISE + THREE, told("damaged")),
    "noise behind": (THREE + NOISE, told("extra_data")),
    "no Xing header": (BARE, OK._replace(seconds=UNTRIMMED)),
    "header announces too much": (announces(99999), OK._replace(seconds=UNTRIMMED, kinds=("truncated",))),
    "header announces too little": (announces(20), OK._replace(seconds=UNTRIMMED)),
    "header damaged": (THREE[:10] + b"\1" + THREE[11:], OK._replace(seconds=UNTRIMMED)),
    "header says nothing": (THREE.replace(b"Xing\0\0\0\x0f", b"Xing\0\0\0\0", 1), OK._replace(seconds=UNTRIMMED)),
    "frame header, then noise": (THREE[:4] + NOISE, "not_audio"),
    "cut inside a tag behind": ((THREE + TAG)[:-1000], told("truncated")),
    "cut in the first frame": (THREE[:100], "truncated"),
    "cut inside the picture": ((TAG + THREE)[:20000], "truncated"),
    "nothing but a tag": (TAG, "no_samples"),
    "a tag, then noise": (TAG + NOISE, "damaged"),
}


@pytest.mark.parametrize("name", CASES)
def test_mpeg(name: str, tmp_path: Path) -> None:
    data, wanted = CASES[name]
    assert heard(tmp_path, data) == wanted


def test_cut_in_the_middle_keeps_the_first_half(tmp_path: Path) -> None:
    found = heard(tmp_path, THREE[: len(THREE) // 2])
    assert isinstance(found, Heard)
    assert (found.hz, found.kinds) == (440, ("truncated", "truncated"))  # the announced frames, and the last one
    assert 1.2 < found.seconds < 1.6


def test_hole_in_the_middle_is_told(tmp_path: Path) -> None:
    found = heard(tmp_path, THREE[:6000] + bytes(2000) + THREE[8000:])
    assert isinstance(found, Heard)
    assert (found.hz, found.kinds) == (440, ("truncated", "damaged"))
    assert 2.2 < found.seconds < 2.9


@pytest.mark.parametrize("between", [b"", TAG], ids=["nothing", "a tag"])
def test_files_copied_behind_one_another_are_heard_whole(between: bytes, tmp_path: Path) -> None:
    found = heard(tmp_path, mp3(2.0) + between + mp3(2.0))
    assert isinstance(found, Heard)
    assert (found.hz, found.kinds) == (440, ())
    assert 3.95 < found.seconds < 4.2  # encoder delay and padding of each, at most 0.1 s


def test_rate_may_change_between_files(tmp_path: Path) -> None:
    found = heard(tmp_path, mp3(2.0) + mp3(2.0, 22050))
    assert isinstance(found, Heard)
    assert found.hz == 440
    assert abs(found.seconds - 4.0) < 0.1


def test_noise_is_no_run_of_frames() -> None:
    assert find_run(np.random.default_rng(1).bytes(300_000), 0) is None
