"""Whether the data set is there, and whether its run would fit on the disk."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from airbench_edge.benchmark.dataset import DataSet, Presence, load_dataset
from airbench_edge.benchmark.items import Track
from airbench_edge.builtin import resolve
from airbench_edge.errors import InputError
from airbench_edge.run.doctor.finding import Finding, Level, problem
from airbench_edge.run.doctor.memory import gib

_TOPIC = "Data set"

# A question, its response and its verdicts take 370 bytes in a run of short answers; long ones and their replies more.
_BYTES_AN_ITEM = 4096
_LEAST = 1 << 26


def check_data(spec: str, needs_sound: bool) -> tuple[Finding, int]:
    """Read the metadata and, if sound is needed, look for the clips; gives the finding and the number of items."""
    try:
        data = load_dataset(resolve(spec))
    except InputError as error:
        return problem(_TOPIC, error), 0
    found = f"{data.root}: {_counts(data)}"
    remedy = f"airbench-edge data check {spec} lists what is missing."
    if not data.items:
        return Finding(_TOPIC, Level.PROBLEM, found, remedy), 0
    if not needs_sound:
        return Finding(_TOPIC, Level.OK, found), len(data.items)
    there = sum(data.clip(item).presence is Presence.FOUND for item in data.items)
    level = Level.OK if there == len(data.items) else Level.WARNING if there else Level.PROBLEM
    found = f"{found}, {there:,} of {len(data.items):,} with a clip"
    return Finding(_TOPIC, level, found, "" if level is Level.OK else remedy), len(data.items)


def check_disk(folder: Path, items: int) -> Finding:
    """Compare what a run folder takes with what is free where it would be.

    Args:
        folder: The run folder, or the nearest place to it that there is.
        items: Items of the run.
    """
    place = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    need, free = _LEAST + items * _BYTES_AN_ITEM, shutil.disk_usage(place).free
    found = f"{gib(need)} needed for a run, {gib(free)} free at {place}"
    if need <= free:
        return Finding("Disk", Level.OK, found)
    return Finding("Disk", Level.PROBLEM, found, "Free some space, or choose another --out.")


def _counts(data: DataSet) -> str:
    tracks = Counter(item.key.track for item in data.items)
    return " and ".join(f"{tracks[track]:,} {track} items" for track in Track if tracks[track]) or "no usable item"
