"""The sound of every item, decoded ahead of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from airbench_edge.audio import AudioError, Clip, read_clip
from airbench_edge.benchmark.dataset import DataSet, Presence
from airbench_edge.benchmark.items import Item, Track
from airbench_edge.benchmark.records import State
from airbench_edge.run.read_ahead import read_ahead


class NoSound(NamedTuple):
    """Why an item has no sound: a named state and a sentence."""

    state: State
    reason: str


Sound: TypeAlias = Clip | NoSound

_ABSENT = {Presence.MISSING: State.MISSING_AUDIO, Presence.REFUSED: State.REFUSED_PATH}


def with_sounds(items: Sequence[Item], data: DataSet, sample_rate: int) -> Iterator[tuple[Item, Sound]]:
    """Give each item with its sound, foundation first; items that share a clip come in a row and it is read once."""
    groups = [list(group) for _, group in groupby(sorted(items, key=_clip), key=_clip)]
    sounds = read_ahead(lambda group: _sound(group[0], data, sample_rate), groups)
    for group, sound in zip(groups, sounds, strict=True):
        yield from ((item, sound) for item in group)


def _clip(item: Item) -> tuple[bool, str, str]:
    return item.key.track is Track.CHAT, item.folder, item.path


def _sound(item: Item, data: DataSet, sample_rate: int) -> Sound:
    place = data.clip(item)
    if place.presence is not Presence.FOUND:
        return NoSound(_ABSENT[place.presence], place.message)
    try:
        return read_clip(place.path, sample_rate)
    except AudioError as error:
        return NoSound(State.UNDECODABLE_AUDIO, f"{error.kind}: {error.message}")
