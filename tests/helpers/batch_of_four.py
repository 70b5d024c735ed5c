"""Four prompts of unequal lengths through the decoder graph of an export, in one batch and one by one. Needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import numpy as np
import onnxruntime

from airbench_edge.audiolm.contract import Prompted, Waveform
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.benchmark.items import ItemKey, Track
from airbench_edge.export.decoder import Shape
from airbench_edge.export.decoder_parity import STEPS, say

QUESTIONS = ("Who?", "Which sound is it?", "A dog barks, says a woman in the kitchen; is she right?", "A. B. C.")


def batch_difference(folder: Path, clips: Mapping[str, Waveform], steps: tuple[int, ...] = (5, 6, 7, 8)) -> float:
    """Largest difference that the company of others makes to a logit after a prompt and after each step.

    Rows are padded on the side that the graph wants; alone they run as the runtime runs them.

    Args:
        folder: The export, in float32.
        clips: At least four; the first four are asked about.
        steps: Token ids that follow each prompt.
    """
    model = OnnxAudioLM(folder, "cpu")
    asked = zip(islice(clips.items(), 4), QUESTIONS, strict=True)
    items = [Prompted(ItemKey(Track.CHAT, name), text, name, clip) for (name, clip), text in asked]
    alone = np.stack([model.follow(item, [*steps, 0]).logits for item in items])
    rows = []
    for item in items:
        prompt, following = model._prepare(item)[2], model._decoder.embed(steps)
        rows.append({name: np.concatenate([prompt[name], following[name]], 1)[0] for name in prompt})
    lengths = {len(row["inputs_embeds"]) for row in rows}
    assert len(lengths) == len(rows) == STEPS == len(steps)
    session = onnxruntime.InferenceSession(str(folder / "onnx" / "decoder_model_merged.onnx"))
    past = next(port for port in session.get_inputs() if port.name == "past_key_values.0.key")
    shape = Shape(layers=0, kv_heads=past.shape[1], head_size=past.shape[3], hidden=0, positions=0)
    together = np.stack(list(say(session, shape, rows)), 1)
    assert np.ptp(alone) > 5
    return float(np.abs(alone - together).max())
