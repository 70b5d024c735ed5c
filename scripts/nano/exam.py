"""The small data set put to a model folder, and the answers marked by the truth that the generators know."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import numpy as np

from airbench_edge.audio import AudioError, read_clip
from airbench_edge.audiolm.contract import Prompted
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.dataset import DataSet, Presence, load_dataset
from airbench_edge.benchmark.items import FoundationItem, ItemKey
from airbench_edge.benchmark.letters import read_letter
from airbench_edge.benchmark.prompts import chat_prompt, foundation_prompt
from airbench_edge.benchmark.tasks import FOUNDATION_CATEGORIES, foundation_task

_WINDOW = 4 * 16_000
SMALL = Path(__file__).parents[2] / "airbench_edge" / "small"


class Heard(Enum):
    """What a model is given in the place of a clip.

    ``CLIP``: the clip itself. ``SILENCE``: 4 seconds of nothing. ``ITS_LENGTH``: nothing, as long as the clip; where a
    clip is as long as what happens in it, that tells how much happens.
    """

    CLIP = "clip"
    SILENCE = "silence"
    ITS_LENGTH = "silence as long as the clip"


def answers(model: OnnxAudioLM, data: DataSet, heard: Heard = Heard.CLIP) -> dict[ItemKey, str]:
    """What ``model`` says to every item whose clip can be read."""
    said = {}
    for item in data.items:
        place = data.clip(item)
        if place.presence is not Presence.FOUND:
            continue
        try:
            waveform = read_clip(place.path, model.sample_rate).waveform
        except AudioError:
            continue
        prompt = foundation_prompt(item, "official") if isinstance(item, FoundationItem) else chat_prompt(item)
        if heard is not Heard.CLIP:
            waveform = np.zeros(len(waveform) if heard is Heard.ITS_LENGTH else _WINDOW, np.float32)
        said[item.key] = model.answer(Prompted(item.key, prompt, f"{heard} {place.path}", waveform)).text or ""
    return said


class Mark(NamedTuple):
    """Right answers and items of one task, and the share of right answers that guessing gives."""

    right: int
    items: int
    chance: float

    @property
    def share(self) -> float:
        """Accuracy."""
        return self.right / self.items


def _marks(right: dict[str, list[bool]], chance: dict[str, list[float]]) -> dict[str, Mark]:
    return {task: Mark(sum(hits), len(hits), float(np.mean(chance[task]))) for task, hits in right.items()}


def mark_choices(data: DataSet, said: Mapping[ItemKey, str]) -> dict[str, Mark]:
    """Marks of the foundation tasks by the official letter rule; what cannot be read is wrong here."""
    right, chance = defaultdict(list), defaultdict(list)
    for item in data.items:
        if isinstance(item, FoundationItem) and item.key in said:
            letter = read_letter("official", said[item.key], item.options).letter
            right[item.task].append(letter in item.accepted)
            chance[item.task].append(1 / len(item.options))
    return _marks(right, chance)


def average(shares: Mapping[str, float]) -> float:
    """Foundation average by the official rule: the mean of the means of the three categories."""
    by_category = defaultdict(list)
    for task, share in shares.items():
        known = foundation_task(task)
        assert known is not None
        by_category[known.category].append(share)
    return float(np.mean([np.mean(by_category[category]) for category in FOUNDATION_CATEGORIES]))


def keywords(data: DataSet) -> dict[int | str, list[str]]:
    """Chat item to the words that a right answer holds."""
    records = json.loads((data.root / "Chat" / "Chat_meta.json").read_text(encoding="utf-8"))
    return {record["uniq_id"]: record["answer_keywords"] for record in records}


def holds(answer: str, words: list[str]) -> bool:
    """Whether all words stand in the answer, as whole words and in their order."""
    pattern = r"\b.*\b".join(map(re.escape, words))
    return re.search(rf"\b{pattern}\b", answer, re.IGNORECASE | re.DOTALL) is not None


def mark_chats(data: DataSet, said: Mapping[ItemKey, str]) -> dict[str, Mark]:
    """Marks of the chat tasks: whether the right content is named. Guessing is taken to name nothing."""
    wanted = keywords(data)
    right, chance = defaultdict(list), defaultdict(list)
    for item in data.items:
        if not isinstance(item, FoundationItem) and item.key in said:
            right[item.task].append(holds(said[item.key], wanted[item.uniq_id]))
            chance[item.task].append(0.0)
    return _marks(right, chance)


def small() -> DataSet:
    """The built-in small data set."""
    return load_dataset(SMALL)
