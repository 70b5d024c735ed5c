"""The built-in model says in ONNX what its checkpoint says in PyTorch, and in smaller types nearly that."""

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
from airbench_edge.benchmark.dataset import DataSet
from airbench_edge.benchmark.items import FoundationItem, ItemKey
from airbench_edge.benchmark.prompts import chat_prompt, foundation_prompt
from airbench_edge.export.checkpoint import load_model
from airbench_edge.export.folder import export_checkpoint
from nano.exam import answers, average, mark_choices, small

pytestmark = pytest.mark.slow

NANO = Path(__file__).parents[2] / "models" / "nano"

Answers = dict[ItemKey, str]


@pytest.fixture(scope="module")
def data() -> DataSet:
    return small()


@pytest.fixture(scope="module")
def shipped(data: DataSet) -> Answers:
    """Answers of the graphs that come with the program."""
    return answers(OnnxAudioLM(NANO, device="cpu"), data)


def accuracy(data: DataSet, said: Answers) -> float:
    return average({task: mark.share for task, mark in mark_choices(data, said).items()})


def test_every_item_of_the_small_set_gets_the_answer_of_pytorch(data: DataSet, shipped: Answers) -> None:
    torch.set_num_threads(1)  # threads that wait for each other on so small a model cost five times the work
    model = load_model(NANO).float()
    model.set_attn_implementation("sdpa")  # eager attention builds a mask for every token: 2.4 times the work
    processor = AutoProcessor.from_pretrained(NANO, local_files_only=True)
    differ = []
    for item in data.items:
        if item.key not in shipped:
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
        if processor.tokenizer.decode(reply, skip_special_tokens=True) != shipped[item.key]:
            differ.append(item.key)
    assert differ == []
    assert len(shipped) == 678


def test_fused_attention_changes_no_answer(data: DataSet, shipped: Answers, tmp_path: Path) -> None:
    manifest = export_checkpoint(NANO, tmp_path / "out", attention="gqa")
    assert manifest.decoder.logit_difference < 1e-4 < 10 < manifest.decoder.logit_range
    assert answers(OnnxAudioLM(tmp_path / "out", device="cpu"), data) == shipped


@pytest.mark.parametrize(("dtype", "most", "loss"), [("fp16", 0.02, 0.02), ("int8", 0.06, 0.02), ("int4", 0.15, 0.03)])
def test_smaller_types_differ_in_few_answers(
    data: DataSet,
    shipped: Answers,
    tmp_path: Path,
    record_testsuite_property: Callable[[str, object], None],
    dtype: str,
    most: float,
    loss: float,
) -> None:
    export_checkpoint(NANO, tmp_path / "out", dtype)
    said = answers(OnnxAudioLM(tmp_path / "out", device="cpu", float16_on_cpu=True), data)
    share = sum(shipped[key] != said[key] for key in shipped) / len(shipped)
    lost = accuracy(data, shipped) - accuracy(data, said)
    record_testsuite_property(f"{dtype}: share of answers that differ", share)
    record_testsuite_property(f"{dtype}: accuracy lost", lost)
    assert share < most
    assert abs(lost) < loss
