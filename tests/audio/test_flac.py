"""FLAC: wrong totals and checksums, damaged and missing frames, files copied together."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.audio_recipes import Heard, heard, recipes, rms

from airbench_edge.audio import read_clip
from airbench_edge.audio.flac_frames import scan_frames

r = recipes


def flac(seconds: float, subtype: str = "PCM_16") -> bytes:
    data: bytes = r.sf_bytes(r.tone(440, seconds, 16000), 16000, "FLAC", subtype)
    return data


FOUR = flac(4.0)  # 64000 samples, 16 frames of 4096 of which the last is short
OK = Heard(4.0, 440, 0.35)
UNSET = bytes(16)
NOISE = bytes(range(256)) * 20


def total(samples: int, md5: bytes | None = None) -> bytes:
    data: bytes = r.flac_patch(FOUR, md5=md5, total=samples)
    return data


def bare(data: bytes) -> bytes:
    return data[:4] + b"\x80" + data[5:42] + data[86:]


def told(*kinds: str) -> Heard:
    return OK._replace(kinds=kinds)


CASES: dict[str, tuple[bytes, Heard | str]] = {
    "8 bit": (flac(4.0, "PCM_S8"), OK),
    "24 bit": (flac(4.0, "PCM_24"), OK),
    "total not known": (total(0), OK),
    "total and MD5 not known": (total(0, UNSET), OK),
    "total too small": (total(16000), told("bad_header")),
    "total too small, MD5 not known": (total(16000, UNSET), told("bad_header")),
    "total too large": (total(640000), told("truncated")),
    "total as large as can be": (total(2**36 - 1), told("truncated")),
    "MD5 wrong": (r.flac_patch(FOUR, md5=b"\x5a" * 16), told("checksum")),
    "MD5 wrong, total not known": (total(0, b"\x5a" * 16), told("checksum")),
    "MD5 not known": (r.flac_patch(FOUR, md5=UNSET), OK),
    "noise behind": (FOUR + NOISE, OK),
    "noise behind, MD5 not known": (r.flac_patch(FOUR, md5=UNSET) + NOISE, OK),
    "ID3v1 behind": (FOUR + b"TAG" + b"x" * 125, OK),
    "ID3v2 in front": (r.id3v2(r.apic(r.fake_jpeg())) + FOUR, OK),
    "two files": (flac(2.0) * 2, OK),
    "two files without comments": (bare(flac(2.0)) * 2, OK),
    "two files, total of the first not known": (r.flac_patch(flac(2.0), total=0) + flac(2.0), OK),
    "two files, the second cut inside its header": (FOUR + flac(2.0)[:60], told("truncated_header")),
    "two files, the second cut inside its first frame": (FOUR + flac(2.0)[:300], told("truncated")),
    "cut inside the stream information": (FOUR[:30], "truncated_header"),
    "cut inside a comment": (FOUR[:60], "truncated_header"),
    "cut behind the header": (FOUR[:86], "no_samples"),
    "cut inside the first frame": (FOUR[:300], "truncated"),
}


@pytest.mark.parametrize("name", CASES)
def test_flac(name: str, tmp_path: Path) -> None:
    data, wanted = CASES[name]
    assert heard(tmp_path, data) == wanted


@pytest.mark.parametrize("samples", [64000, 0], ids=["total known", "total not known"])
def test_cut_in_the_middle_keeps_whole_frames_only(samples: int, tmp_path: Path) -> None:
    found = heard(tmp_path, total(samples)[: len(FOUR) // 2])
    # 7 whole frames: 7 * 4096 / 16000 = 1.79 s
    assert found == Heard(1.79, 440, 0.35, ("truncated",))


def test_damaged_frame_becomes_silence_in_its_place(tmp_path: Path) -> None:
    broken = bytearray(FOUR)
    broken[len(FOUR) // 2] ^= 0xFF
    path = tmp_path / "clip.flac"
    path.write_bytes(broken)
    clip = read_clip(path)
    assert [warning.split(":")[0] for warning in clip.warnings] == ["damaged"]
    assert len(clip.waveform) == 64000
    # the middle byte lies in the eighth frame: samples 28672 to 32767, and nowhere else
    assert not clip.waveform[7 * 4096 : 8 * 4096].any()
    assert rms(clip.waveform[: 7 * 4096]) == pytest.approx(0.3535, abs=0.001)
    assert rms(clip.waveform[8 * 4096 :]) == pytest.approx(0.3535, abs=0.001)


def test_lost_start_becomes_silence_if_the_length_is_known(tmp_path: Path) -> None:
    start = scan_frames(FOUR, 86, len(FOUR), 4096)[3].start
    # 3 * 4096 / 16000 = 0.77 s are missing
    assert heard(tmp_path, FOUR[:86] + FOUR[start:]) == Heard(4.0, 440, 0.3, ("damaged",))
    broadcast = r.flac_patch(FOUR, total=0, md5=UNSET)
    assert heard(tmp_path, broadcast[:86] + broadcast[start:]) == Heard(3.23, 440, 0.35)


def test_overwritten_stretch_becomes_silence(tmp_path: Path) -> None:
    broken = bytearray(FOUR)
    broken[len(FOUR) // 2 : len(FOUR) // 2 + 9000] = bytes(9000)
    found = heard(tmp_path, bytes(broken))
    assert isinstance(found, Heard)
    assert (found.seconds, found.hz, found.kinds) == (4.0, 440, ("damaged",))
