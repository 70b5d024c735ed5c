"""Compare what the reader makes of a file with the entry of the manifest that describes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from helpers.audio_recipes import rms, strongest_hz

from airbench_edge.audio import AudioError, Clip, read_clip


def complaints(folder: Path, row: dict[str, Any]) -> list[str]:
    """What differs from the manifest; empty if all is as it says."""
    path = folder / row["file"]
    try:
        clip, heard = read_clip(path), read_clip(path, 16000)
    except AudioError as error:
        allowed = row["expect"] in ("error", "either")
        return [] if allowed and error.kind == row.get("error_kind") else [f"refused: {error.kind}: {error}"]
    if row["expect"] == "error":
        return [f"read, {clip.duration_s} s, though {row['error_kind']} was expected"]
    return [*_stored(clip, row), *_heard(clip, heard, row)]


def _stored(clip: Clip, row: dict[str, Any]) -> list[str]:
    said = []
    if (clip.sample_rate, clip.channels) != (row["sample_rate"], row["channels"]):
        said.append(f"{clip.channels} channels at {clip.sample_rate} Hz")
    lengths = (clip.duration_s, len(clip.waveform) / clip.sample_rate)
    said += [f"{found} s" for found in lengths if abs(found - row["duration_s"]) > row["duration_tol_s"] + 1e-9]
    if row.get("warn") and not clip.warnings:
        said.append("no warning")
    if "tone_hz" in row and abs(strongest_hz(clip.waveform, clip.sample_rate) - row["tone_hz"]) > 5:
        said.append(f"tone {strongest_hz(clip.waveform, clip.sample_rate)}")
    if "mono_rms" in row and abs(rms(clip.waveform) - row["mono_rms"]) > row["mono_rms_tol"]:
        said.append(f"rms {rms(clip.waveform)}")
    return said


def _heard(clip: Clip, heard: Clip, row: dict[str, Any]) -> list[str]:
    said = []
    if not np.isfinite(heard.waveform).all() or heard.waveform.dtype != np.float32:
        said.append("not finite float32")
    if abs(len(heard.waveform) / 16000 - clip.duration_s) > 0.002:
        said.append(f"{len(heard.waveform) / 16000} s at 16 kHz")
    wanted = row.get("after_16k", row)
    if "tone_hz" in wanted and abs(strongest_hz(heard.waveform, 16000) - wanted["tone_hz"]) > 5:
        said.append(f"tone at 16 kHz {strongest_hz(heard.waveform, 16000)}")
    if "mono_rms" in wanted and abs(rms(heard.waveform) - wanted["mono_rms"]) > wanted["mono_rms_tol"]:
        said.append(f"rms at 16 kHz {rms(heard.waveform)}")
    for part in row.get("segments", ()):
        sound = heard.waveform[int(part["start_s"] * 16000) : int(part["end_s"] * 16000)]
        if abs(strongest_hz(sound, 16000) - part["tone_hz"]) > 5:
            said.append(f"segment {part['start_s']}: {strongest_hz(sound, 16000)} Hz")
    return said
