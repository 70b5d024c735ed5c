"""The built-in model gives the recorded responses, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import Item, ItemKey, Track
from nano.exam import answers, average, mark_chats, mark_choices, small

GOLDEN = Path(__file__).parent.parent / "cases" / "nano_responses.jsonl"
MODEL = Path(__file__).parents[2] / "models" / "nano"


def golden() -> dict[ItemKey, str]:
    lines = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return {ItemKey(Track(line["track"]), line["uniq_id"]): line["response"] for line in lines}


def one_a_folder(items: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple({(item.key.track, item.folder): item for item in items}.values())


def test_an_item_of_every_folder() -> None:
    data = small()
    sample = one_a_folder(data.items[::-1])
    assert len(sample) == 35
    chosen = type(data)(data.root, data.tracks, sample, (), data.fingerprint)
    said = answers(OnnxAudioLM(MODEL, device="cpu"), chosen)
    assert said == {key: golden()[key] for key in said}
    assert len(said) >= 33  # one clip of the set is missing and one is no sound


@pytest.mark.slow
def test_every_item() -> None:
    assert answers(OnnxAudioLM(MODEL, device="cpu"), small()) == golden()


def test_the_recorded_responses_are_those_of_a_model_that_has_learned() -> None:
    data, said = small(), golden()
    assert average({task: mark.share for task, mark in mark_choices(data, said).items()}) >= 0.78
    chats = mark_chats(data, said).values()
    assert sum(mark.right for mark in chats) / sum(mark.items for mark in chats) >= 0.7


def test_the_folder_is_small_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in MODEL.rglob("*") if path.is_file()) <= 8_000_000
