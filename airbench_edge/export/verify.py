"""The proof that an export says what its checkpoint says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import torch

from airbench_edge.audiolm.contract import Prompted, Waveform
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.export.checkpoint import model_type
from airbench_edge.export.families import family_of
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
    exported = OnnxAudioLM(folder, "cpu", dtype, float16_on_cpu=True)
    family = family_of(model_type(checkpoint))
    model = family.load(checkpoint).float()
    for name, waveform in clips.items():
        with quiet():
            inputs = family.reference_inputs(checkpoint, QUESTION, waveform, exported.sample_rate)
        tokens, wanted = _reference(model, inputs, new_tokens)
        followed = exported.follow(Prompted(ItemKey(Track.CHAT, name), QUESTION, name, waveform), tokens)
        apart = [
            place for place, (ours, theirs) in enumerate(zip(followed.choices, tokens, strict=True)) if ours != theirs
        ]
        compared = (apart[0] if apart else len(tokens) - 1) + 1
        difference = np.abs(followed.logits[:compared] - wanted[:compared]).max()
        spread = wanted.max() - wanted.min()
        yield Parity(name, len(tokens), apart[0] if apart else None, float(difference), float(spread))


def _reference(
    model: torch.nn.Module, inputs: dict[str, Any], new_tokens: int
) -> tuple[list[int], npt.NDArray[np.float32]]:
    """Greedy tokens of the checkpoint and the logits before each, [tokens, vocabulary]."""
    with torch.no_grad(), quiet():
        output = model.generate(
            **inputs, max_new_tokens=new_tokens, do_sample=False, output_logits=True, return_dict_in_generate=True
        )
    tokens = output.sequences[0, -len(output.logits) :].tolist()
    return tokens, torch.cat(output.logits).float().numpy()
