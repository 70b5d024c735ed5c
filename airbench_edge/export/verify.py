"""The proof that an export says what its checkpoint says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import numpy as np
import torch
from transformers import AutoProcessor

from airbench_edge.audiolm.contract import Prompted, Waveform
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.export.checkpoint import load_model
from airbench_edge.export.quiet import quiet

QUESTION = "What do you hear? Answer in one sentence."


class Parity(msgspec.Struct, frozen=True):
    """PyTorch and ONNX on one clip.

    Tokens alone prove little, since weights that say one thing only agree by luck: the logits are compared as well.

    Attributes:
        clip: Name of the clip.
        tokens: Tokens that PyTorch said.
        first_difference: Place of the first token on which ONNX would have gone elsewhere; None if there is none.
        logit_difference: Largest difference of two logits, at all tokens up to that place.
        logit_range: Largest logit less smallest one of PyTorch, to compare the difference with.
    """

    clip: str
    tokens: int
    first_difference: int | None
    logit_difference: float
    logit_range: float


def verify(
    checkpoint: Path, folder: Path, clips: Mapping[str, Waveform], dtype: str | None = None, new_tokens: int = 32
) -> Iterator[Parity]:
    """Compare greedy answers; the PyTorch side uses transformers' own processor, so that ours is proved too.

    Args:
        checkpoint: The PyTorch checkpoint.
        folder: Its export.
        clips: Name to mono waveform at the model's rate.
        dtype: Number type of the graphs.
        new_tokens: Most tokens of an answer.

    Yields:
        A result for each clip.

    Raises:
        InputError: Checkpoint or export cannot be opened.
    """
    exported = OnnxAudioLM(folder, "cpu", dtype)
    model = load_model(checkpoint)
    processor = AutoProcessor.from_pretrained(checkpoint, local_files_only=True)
    for name, waveform in clips.items():
        tokens, wanted = _reference(model, processor, waveform, exported.sample_rate, new_tokens)
        followed = exported.follow(Prompted(ItemKey(Track.CHAT, name), QUESTION, name, waveform), tokens)
        apart = [
            place for place, (ours, theirs) in enumerate(zip(followed.choices, tokens, strict=True)) if ours != theirs
        ]
        compared = (apart[0] if apart else len(tokens) - 1) + 1
        difference = np.abs(followed.logits[:compared] - wanted[:compared]).max()
        spread = wanted.max() - wanted.min()
        yield Parity(name, len(tokens), apart[0] if apart else None, float(difference), float(spread))


def _reference(
    model: torch.nn.Module, processor: torch.nn.Module, waveform: Waveform, rate: int, new_tokens: int
) -> tuple[list[int], np.ndarray]:
    """Greedy tokens of the checkpoint and the logits before each, [tokens, vocabulary]."""
    sound = {"type": "audio", "audio_url": "clip"}
    conversation = [{"role": "user", "content": [sound, {"type": "text", "text": QUESTION}]}]
    text = processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
    inputs = processor(text=text, audio=[waveform], sampling_rate=rate, return_tensors="pt")
    inputs.pop("token_type_ids", None)  # made by generic tokenizer classes, taken by no model
    with torch.no_grad(), quiet():
        output = model.generate(
            **inputs, max_new_tokens=new_tokens, do_sample=False, output_logits=True, return_dict_in_generate=True
        )
    tokens = output.sequences[0, inputs["input_ids"].shape[1] :].tolist()
    return tokens, torch.cat(output.logits).float().numpy()
