"""The built-in model says in ONNX what its checkpoint says in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
from transformers import AutoProcessor

from airbench_edge.audio import read_clip
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import FoundationItem
from airbench_edge.benchmark.prompts import chat_prompt, foundation_prompt
from airbench_edge.export.checkpoint import load_model
from airbench_edge.export.folder import export_checkpoint
from nano.exam import answers, small

NANO = Path(__file__).parents[2] / "models" / "nano"


@pytest.mark.slow
def test_every_item_of_the_small_set_gets_the_answer_of_pytorch() -> None:
    data, model = small(), load_model(NANO).float()
    processor = AutoProcessor.from_pretrained(NANO, local_files_only=True)
    said = answers(OnnxAudioLM(NANO, device="cpu"), data)
    differ = []
    for item in data.items:
        if item.key not in said:
            continue
        prompt = foundation_prompt(item, "official") if isinstance(item, FoundationItem) else chat_prompt(item)
        sound = {"type": "audio", "audio_url": "clip"}
        conversation = [{"role": "user", "content": [sound, {"type": "text", "text": prompt}]}]
        text = processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
        waveform = read_clip(data.clip(item).path, 16_000).waveform
        inputs = processor(text=text, audio=[waveform], sampling_rate=16_000, return_tensors="pt")
        inputs.pop("token_type_ids", None)
        with torch.no_grad():
            output = model.generate(**inputs, max_new_tokens=256, do_sample=False)
        reply = output[0, inputs["input_ids"].shape[1] :]
        if processor.tokenizer.decode(reply, skip_special_tokens=True) != said[item.key]:
            differ.append(item.key)
    assert differ == []
    assert len(said) == 678


@pytest.mark.slow
def test_int8_differs_in_few_answers(tmp_path: Path, record_testsuite_property: Callable[[str, object], None]) -> None:
    export_checkpoint(NANO, tmp_path / "int8", "int8")
    data = small()
    full = answers(OnnxAudioLM(NANO, device="cpu"), data)
    eight = answers(OnnxAudioLM(tmp_path / "int8", device="cpu"), data)
    share = sum(full[key] != eight[key] for key in full) / len(full)
    record_testsuite_property("share of answers that differ in int8", share)
    assert share < 0.1, f"{share:.1%} of {len(full)} answers differ"
