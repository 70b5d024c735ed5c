from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.tiny_cascade import CLASSES, write_tagger
from helpers.waveforms import chirp

from airbench_edge.audiolm.cascade.patches import log_mel_patches
from airbench_edge.audiolm.cascade.tagger import Tagger
from airbench_edge.errors import InputError


@pytest.fixture
def tagger(tmp_path: Path) -> Tagger:
    write_tagger(tmp_path / "tagger")
    return Tagger(tmp_path / "tagger" / "tagger.onnx", tmp_path / "tagger" / "classes.csv", "cpu")


@pytest.mark.parametrize(
    ("samples", "patches"),
    [
        (1, 1),
        (15_600, 1),  # 95 hops of 160 and a window of 400: exactly one patch
        (15_601, 2),  # one sample more begins the next, 0.48 s later
        (15_600 + 7_680, 2),
        (160_000, 20),  # 144 400 samples further: 18.8 hops of 7 680
    ],
)
def test_patches_overlap_by_half_and_cover_the_clip(samples: int, patches: int) -> None:
    assert log_mel_patches(np.zeros(samples, np.float32)).shape == (patches, 96, 64)


def test_silence_is_the_offset_alone() -> None:
    np.testing.assert_allclose(log_mel_patches(np.zeros(16_000, np.float32)), np.log(0.001), rtol=1e-6)


@pytest.mark.parametrize("hz", [300.0, 1000.0, 5000.0])
def test_a_tone_lies_in_its_band(hz: float) -> None:
    tone = np.sin(2 * np.pi * hz * np.arange(16_000) / 16_000).astype(np.float32)
    # 66 edges from 125 to 7500 Hz, equal steps in mel = 1127 ln(1 + f / 700); band n is centred at edge n + 1.
    low, high, mel = (1127 * np.log1p(f / 700) for f in (125.0, 7500.0, hz))
    wanted = (mel - low) / (high - low) * 65 - 1
    assert abs(int(log_mel_patches(tone)[0, 40].argmax()) - wanted) <= 1


def test_the_second_patch_is_the_second_half_of_the_first() -> None:
    patches = log_mel_patches(chirp(2.0))
    np.testing.assert_array_equal(patches[0, 48:], patches[1, :48])


def test_tags_are_means_and_the_voice_is_the_loudest_moment(tagger: Tagger) -> None:
    quiet = tagger.listen(np.zeros(48_000, np.float32))
    assert quiet.tags[0].name == "Silence"
    half = tagger.listen(np.concatenate([np.zeros(32_000, np.float32), chirp(1.0, 2000.0)]))
    speech = next(tag.probability for tag in half.tags if tag.name == "Speech")
    assert half.voice > speech > quiet.voice
    assert [tag.probability for tag in half.tags] == sorted((tag.probability for tag in half.tags), reverse=True)


def test_graph_and_classes_must_fit(tmp_path: Path, tagger: Tagger) -> None:
    graph, classes = tmp_path / "tagger" / "tagger.onnx", tmp_path / "tagger" / "classes.csv"
    assert tagger.provider == "CPUExecutionProvider"
    classes.write_text("index,mid,display_name\n0,/m/0,Speech\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"gives {len(CLASSES)} classes; wanted are .* the 1 classes of"):
        Tagger(graph, classes, "cpu")
    classes.write_text("index,name\n0,Speech\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot be read \(KeyError\('display_name'\)\)"):
        Tagger(graph, classes, "cpu")
