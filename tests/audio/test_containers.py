"""Files that are no sound, or sound of a kind that is not supported, are named for what they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes

from airbench_edge.audio import AudioError, read_clip

r = recipes

REFUSED = {
    "noise": (np.random.default_rng(0).bytes(200_000), "not_audio", "no audio file"),
    "text": (b"not found\n", "not_audio", "no audio file"),
    "one byte": (b"\xff", "not_audio", "no audio file"),
    "zeros": (bytes(1000), "not_audio", "no audio file"),
    "JSON after a mark and spaces": (b'\xef\xbb\xbf\n {"detail": "rate limited"}', "not_audio", "JSON"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\n", "not_audio", "git lfs pull"),
    "MP4": (b"\0\0\0\x20ftypM4A " + bytes(100), "unsupported_codec", "M4A"),
    "WebM": (b"\x1a\x45\xdf\xa3" + bytes(100), "unsupported_codec", "WebM"),
    "AAC": (b"\xff\xf1\x50\x80\x02\x1f\xfc" + bytes(100), "unsupported_codec", "AAC"),
    "AMR": (b"#!AMR\n" + bytes(100), "unsupported_codec", "AMR"),
    "MIDI": (b"MThd" + bytes(100), "unsupported_codec", "MIDI"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    data, kind, word = REFUSED[name]
    path = tmp_path / "clip.wav"
    path.write_bytes(data)
    with pytest.raises(AudioError, match=word) as caught:
        read_clip(path, 16000)
    assert caught.value.kind == kind


def test_tag_in_front_of_any_format(tmp_path: Path) -> None:
    tag = r.id3v2(r.apic(r.fake_jpeg()))
    assert heard(tmp_path, tag + r.plain(r.tone(440, 1, 16000), 16000)) == Heard(1.0, 440, 0.35)
