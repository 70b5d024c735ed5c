from __future__ import annotations

from pathlib import Path

import pytest
from helpers.tiny_audiolm import CASE

from airbench_edge.audiolm.open import open_audiolm
from airbench_edge.benchmark.items import Track
from airbench_edge.errors import InputError

RECORDED = Path(__file__).parents[1] / "cases" / "official" / "responses.jsonl"


def test_each_kind_opens() -> None:
    assert open_audiolm(f"recorded:{RECORDED}").identity.kind == "recorded"
    for spec in (str(CASE), f"onnx:{CASE}"):
        assert open_audiolm(spec, device="cpu").identity.name == "tiny_audiolm"


def test_the_built_in_model_has_a_name() -> None:
    model = open_audiolm("nano", device="cpu", max_new_tokens={Track.CHAT: 9})
    assert model.sample_rate == 16000
    assert model.identity.details["max_new_tokens.chat"] == "9"
    assert model.identity.details["max_new_tokens.foundation"] == "64"


@pytest.mark.parametrize("spec", ["gpt-4", "recorded:", "cascade:", "whisper:tiny"])
def test_an_unknown_kind_names_the_known_ones(spec: str) -> None:
    with pytest.raises(InputError, match=r"of no known kind: give a folder, onnx:FOLDER, cascade:FOLDER or recorded"):
        open_audiolm(spec)


def test_a_named_folder_that_is_not_there() -> None:
    with pytest.raises(InputError, match="No model folder /nowhere"):
        open_audiolm("onnx:/nowhere")
