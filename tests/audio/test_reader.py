"""Reading as a whole: what is handed out, what is refused before decoding, and that damage is never heard as sound."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.audio_recipes import Heard, heard, recipes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from airbench_edge.audio import AudioError, Fault, read_clip
from airbench_edge.errors import InputError

r = recipes
TONE = r.tone(440, 0.3, 16000)
WELL_KNOWN = [
    r.plain(TONE, 16000),
    r.wav(r.s16(TONE), r.fmt_ext(r.PCM, 2, 16000, 16), before=r.chunk(b"LIST", b"INFO")),
    r.sf_bytes(TONE, 16000, "FLAC", "PCM_16"),
    r.sf_bytes(TONE, 16000, "MP3"),
    r.sf_bytes(TONE, 16000, "OGG", "VORBIS"),
    r.sf_bytes(TONE, 16000, "AIFF", "PCM_16"),
]


def test_stored_rate_is_kept_unless_another_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(r.plain(r.tone(440, 1, 44100), 44100))
    assert len(read_clip(path).waveform) == 44100
    clip = read_clip(path, 16000)
    assert (len(clip.waveform), clip.sample_rate, clip.channels, clip.duration_s) == (16000, 44100, 1, 1.0)


def test_error_names_the_file_only_when_shown(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    path.touch()
    with pytest.raises(InputError) as caught:
        read_clip(path)
    assert isinstance(caught.value, AudioError)
    assert caught.value.kind is Fault.EMPTY_FILE
    assert caught.value.message == "The file is empty: 0 bytes."
    assert str(caught.value) == f"{path}: The file is empty: 0 bytes."


@pytest.mark.parametrize("name", ["gone.wav", "gone/too.wav", "nul\0.wav"])
def test_missing(name: str, tmp_path: Path) -> None:
    with pytest.raises(AudioError) as caught:
        read_clip(tmp_path / name)
    assert caught.value.kind == "missing"


def test_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    with path.open("wb") as file:
        file.write(r.wav(b"", r.fmt(r.PCM, 1, 16000, 16), data_size=0xFFFFFFFF))
        file.truncate(4 << 30)  # sparse: takes no room on the disk
    with pytest.raises(AudioError) as caught:
        read_clip(path)
    assert caught.value.kind == "too_long"


def test_more_hours_than_a_clip_has_are_refused(tmp_path: Path) -> None:
    # 8-bit at 1000 Hz: 6 h are 21.6 million bytes
    assert heard(tmp_path, r.wav(bytes(21_700_000), r.fmt(r.PCM, 1, 1000, 8))) == "too_long"


def test_announced_length_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    before = r.chunk(b"ds64", (1 << 40).to_bytes(8, "little") * 2 + bytes(12))
    path.write_bytes(r.wav(r.s16(TONE), r.fmt(r.PCM, 1, 16000, 16), magic=b"RF64", before=before, data_size=0xFFFFFFFF))
    script = """
import pathlib, sys
from airbench_edge.audio import read_clip
print(read_clip(pathlib.Path(sys.argv[1])).duration_s)
"""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, preexec_fn=limit
    )
    assert done.stdout.strip() == "0.3"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_gets_through_as_anything_but_finite_sound_or_a_named_fault(
    data: st.DataObject, tmp_path: Path
) -> None:
    clip = bytearray(data.draw(st.sampled_from(WELL_KNOWN)))
    for _ in range(data.draw(st.integers(1, 4))):
        # headers are where damage does most
        at = data.draw(st.one_of(st.integers(0, 99), st.integers(0, len(clip))))
        clip[at : at + data.draw(st.integers(0, 300))] = data.draw(st.binary(max_size=12))
    found = heard(tmp_path, bytes(clip))
    assert isinstance(found, Heard) or found in {str(fault) for fault in Fault}


def test_stereo_is_averaged_over_channels(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    left, right = np.full(1000, 0.5), np.full(1000, -0.25)
    path.write_bytes(r.plain(r.cols(left, right), 16000, r.f32, r.FLOAT, 32))
    assert np.array_equal(read_clip(path).waveform, np.full(1000, 0.125, dtype=np.float32))
