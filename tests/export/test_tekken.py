"""tekken.json against token ids of mistral-common."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.voxtral_folder import TEKKEN

from airbench_edge.errors import InputError
from airbench_edge.export.tekken import read_tekken


def test_ids_are_those_of_mistral_common() -> None:
    tokenizer = read_tekken(TEKKEN)
    texts = json.loads((TEKKEN.parent / "prompts.json").read_text("utf-8"))["texts"]
    assert len(texts) == 3
    for text, ids in texts.items():
        assert tokenizer.encode(text).ids == ids
        assert tokenizer.decode(ids) == text


def test_special_tokens_come_first_and_are_not_said() -> None:
    tokenizer = read_tekken(TEKKEN)
    ids = tokenizer.encode("<s>[INST][BEGIN_AUDIO][AUDIO]hi[/INST]<SPECIAL_39>").ids
    assert ids[:4] == [1, 3, 25, 24]
    assert ids[-2:] == [4, 39]
    assert tokenizer.decode(ids) == "hi"
    # 40 reserved, 256 bytes, 90 merged; the two beyond the size of the vocabulary are left out
    assert tokenizer.get_vocab_size() == 386
    assert tokenizer.decode([385]) != ""


def _without_a_byte(tekken: dict[str, Any]) -> None:
    del tekken["vocab"][7]


def _special_too_high(tekken: dict[str, Any]) -> None:
    tekken["special_tokens"][0]["rank"] = 40


def _unnamed(tekken: dict[str, Any]) -> None:
    del tekken["special_tokens"]


def _too_short(tekken: dict[str, Any]) -> None:
    tekken["config"]["default_vocab_size"] = 400


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without_a_byte, "not one token for each rank up to 346"),
        (_special_too_high, "gives <unk> the id 40, but keeps 40"),
        (_unnamed, "missing required field `special_tokens`"),
        (_too_short, "not one token for each rank up to 360"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, damage: Callable[[dict[str, Any]], None], message: str) -> None:
    tekken = json.loads(TEKKEN.read_text("utf-8"))
    damage(tekken)
    file = tmp_path / "tekken.json"
    file.write_text(json.dumps(tekken), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_tekken(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tekken\.json cannot be used"):
        read_tekken(tmp_path / "tekken.json")
