"""Clips to compare PyTorch and ONNX on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from airbench_edge.audio import AudioError, Waveform, read_clip
from airbench_edge.errors import InputError

SECONDS = (0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 35.0)
"""Lengths of the built-in clips: shorter than a word, up to longer than the window of most encoders."""

Clips = dict[str, Callable[[int], Waveform]]


def built_in() -> Clips:
    """Rising tones with bursts of noise, the same on every machine."""
    return {f"{seconds:g} s": partial(_tones, seconds) for seconds in SECONDS}


def from_folder(folder: Path) -> Clips:
    """Every sound file below a folder, by name.

    Raises:
        InputError: There is none. One that cannot be decoded is an ``InputError`` when it is read.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: give a folder of sound files.")
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if not files:
        raise InputError(f"There is no file in {folder}: give a folder of sound files.")
    return {str(path.relative_to(folder)): partial(_read, path) for path in files}


def _tones(seconds: float, rate: int) -> Waveform:
    time = np.arange(round(seconds * rate)) / rate
    phase = 2 * np.pi * (180 + 300 * seconds + 40 * time) * time
    noise = np.random.default_rng(0).uniform(-1, 1, len(time)) * (np.sin(2 * np.pi * 1.5 * time) > 0.8)
    tone: Waveform = (0.3 * np.sin(phase) + 0.1 * np.sin(3 * phase) + 0.2 * noise).astype(np.float32)
    return tone


def _read(path: Path, rate: int) -> Waveform:
    try:
        return read_clip(path, rate).waveform
    except AudioError as error:
        raise InputError(f"{error}") from error
