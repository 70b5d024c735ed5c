"""How much sound the items have, from a few clips of each folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from airbench_edge.audio import AudioError, read_clip
from airbench_edge.benchmark.dataset import DataSet, Presence
from airbench_edge.benchmark.items import Item
from airbench_edge.run.estimate.figures import Sound
from airbench_edge.run.read_ahead import read_ahead
from airbench_edge.run.selection import spread

_CLIPS_A_FOLDER = 8
"""Clips of a folder are of one kind and mostly of one length."""


def measure_sound(items: Sequence[Item], data: DataSet, seed: int, seen: Callable[[int, int], None]) -> Sound:
    """Decode up to eight clips of each folder, drawn by the seed; headers are not trusted, as they may lie.

    Args:
        items: The items.
        data: Knows where their clips are.
        seed: Decides which clips are measured.
        seen: Told (clips decoded, clips to decode) after each clip.
    """
    folders: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        if data.clip(item).presence is Presence.FOUND:
            folders[f"{item.key.track}/{item.folder}"].append(item)
    drawn = {folder: spread(members, _CLIPS_A_FOLDER, seed) for folder, members in folders.items()}
    places = list(dict.fromkeys(data.clip(item).path for members in drawn.values() for item in members))
    lengths: dict[Path, float | None] = {}
    for path, length in zip(places, read_ahead(_length, places), strict=True):
        lengths[path] = length
        seen(len(lengths), len(places))
    seconds = 0.0
    for folder, members in drawn.items():
        known = [length for item in members if (length := lengths[data.clip(item).path]) is not None]
        if known:
            seconds += len(folders[folder]) * sum(known) / len(known)
    measured = sum(length is not None for length in lengths.values())
    return Sound(sum(map(len, folders.values())), measured, seconds / 3600)


def _length(path: Path) -> float | None:
    """Seconds of a clip; None for one that is no sound."""
    try:
        return read_clip(path).duration_s
    except AudioError:
        return None
