"""How long the audio-LM takes here, from a few items of each track."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from airbench_edge.audiolm.contract import AudioLM
from airbench_edge.benchmark.dataset import DataSet, Presence
from airbench_edge.benchmark.items import ChatItem, Item, ItemKey, Track
from airbench_edge.benchmark.records import State
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.run.answer import respond
from airbench_edge.run.estimate.figures import Answering
from airbench_edge.run.selection import spread
from airbench_edge.run.sounds import with_sounds
from airbench_edge.statistics.mean_interval import mean_of


def measure_answers(
    model: AudioLM,
    items: Sequence[Item],
    data: DataSet,
    rules: RulesName,
    warm_up: int,
    seed: int,
    seen: Callable[[int, int], None],
) -> tuple[tuple[Answering, ...], dict[ItemKey, str]]:
    """Answer a few items, spread over the folders, and throw the time of the first of each track away.

    Args:
        model: An audio-LM that hears.
        items: All items of the run.
        data: Knows where their clips are.
        rules: Wording of the foundation prompt.
        warm_up: Items to measure, shared by the tracks.
        seed: Decides which.
        seen: Told (items answered, items to answer) after each item.

    Returns:
        The time by track, and what the model said.
    """
    rate = model.sample_rate
    assert rate is not None, "a model without ears takes no time worth measuring"
    there = {
        track: [item for item in items if item.key.track is track and data.clip(item).presence is Presence.FOUND]
        for track in Track
    }
    tracks = [track for track in Track if there[track]]
    drawn = {track: spread(there[track], max(1, warm_up // len(tracks)) + 1, seed) for track in tracks}
    total, done = sum(map(len, drawn.values())), 0
    measured, said = [], {}
    for track in tracks:
        seconds: list[float] = []
        began = time.perf_counter()
        for item, sound in with_sounds(drawn[track], data, rate):
            response = respond(model, item, sound, rules)
            ended = time.perf_counter()
            if response.state in (State.ANSWERED, State.FAILED):
                seconds.append(ended - began)
            if response.text is not None:
                said[item.key] = response.text
            began, done = ended, done + 1
            seen(done, total)
        if len(seconds) > 1:
            measured.append(_answering(track, len(there[track]), seconds[1:]))
    return tuple(measured), said


def recorded(model: AudioLM, items: Sequence[ChatItem]) -> dict[ItemKey, str]:
    """What a model that needs no audio says to the items; those without a response are left out.

    Args:
        model: The model.
        items: The items.
    """
    responses = (respond(model, item, None, "official") for item in items)
    return {response.key: response.text for response in responses if response.text is not None}


def _answering(track: Track, items: int, seconds: Sequence[float]) -> Answering:
    mean = mean_of(seconds)
    assert mean.value is not None, "something was measured"
    low, high = (max(mean.interval.low, 0.0), mean.interval.high) if mean.interval else (None, None)
    hours = items / 3600
    return Answering(
        track=track,
        items=items,
        measured=mean.n,
        seconds=mean.value,
        hours=mean.value * hours,
        low=None if low is None else low * hours,
        high=None if high is None else high * hours,
    )
