"""Decoders of an export against each other and against transformers: same weights, one thread, turn and turn about.

    python scripts/bench/decoder.py             # 8 layers, 768 wide, random weights
    python scripts/bench/decoder.py --layers 4

Needs the export extra; without it there is nothing to compare with, and it says so. Read the ratios: seconds are those
of the processor, and say little on a machine that does other things as well.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

NANO = Path(__file__).resolve().parents[2] / "models" / "nano"
TEXT = {"hidden_size": 768, "intermediate_size": 2048, "num_attention_heads": 12, "num_key_value_heads": 4}
QUESTION = "What do you hear? " + "Tell what it is, where it may be, and who or what makes it. " * 15
STEPS, ROUNDS = 48, 3
EXPORTS = {"plain": ("fp32", "plain"), "gqa": ("fp32", "gqa"), "gqa int8": ("int8", "gqa"), "gqa int4": ("int4", "gqa")}


class Cost(NamedTuple):
    """Seconds of the processor for the prompt and the first token, and for each token after it."""

    prompt: float
    token: float


def make_checkpoint(folder: Path, layers: int) -> Any:  # noqa: ANN401 (a model of transformers)
    """Random weights with nano's tokenizer and window."""
    import torch
    import transformers

    settings = json.loads((NANO / "config.json").read_text())
    settings["text_config"] |= TEXT | {"num_hidden_layers": layers, "layer_types": None, "initializer_range": 0.1}
    settings["dtype"] = "float32"
    torch.manual_seed(0)
    model = transformers.Qwen2AudioForConditionalGeneration(transformers.Qwen2AudioConfig.from_dict(settings)).eval()
    with torch.no_grad():  # an answer that goes on until it is cut
        model.get_output_embeddings().weight[settings["text_config"]["eos_token_id"]] = 0
    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "generation_config.json"):
        shutil.copy(NANO / name, folder / name)
    return model


def cost(answer: Callable[[int], str]) -> tuple[Cost, str]:
    """Time an answer of one token and one of many."""
    seconds = []
    for tokens in (1, 1 + STEPS):
        began = time.process_time()
        text = answer(tokens)
        seconds.append(time.process_time() - began)
    return Cost(seconds[0], (seconds[1] - seconds[0]) / STEPS), text


def onnx_answer(folder: Path, waveform: Any) -> Callable[[int], str]:  # noqa: ANN401 (a NumPy array)
    """Ask an export."""
    from airbench_edge.audiolm.contract import Prompted
    from airbench_edge.audiolm.onnx.model import OnnxAudioLM
    from airbench_edge.benchmark.items import ItemKey, Track

    models = {cap: OnnxAudioLM(folder, "cpu", None, dict.fromkeys(Track, cap)) for cap in (1, 1 + STEPS)}
    item = Prompted(ItemKey(Track.CHAT, 1), QUESTION, "clip", waveform)
    return lambda tokens: models[tokens].answer(item).text or ""


def torch_answer(model: Any, checkpoint: Path, waveform: Any) -> Callable[[int], str]:  # noqa: ANN401
    """Ask transformers."""
    import torch

    from airbench_edge.export.families import family_of

    inputs = family_of("qwen2_audio").reference_inputs(checkpoint, QUESTION, waveform, 16_000)
    prompt = inputs["input_ids"].shape[1]
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
    model.set_attn_implementation("sdpa")

    def answer(tokens: int) -> str:
        with torch.no_grad():
            output = model.generate(**inputs, max_new_tokens=tokens, do_sample=False)
        return str(tokenizer.decode(output[0, prompt:].tolist(), skip_special_tokens=True))

    print(f"prompt of {prompt} tokens, {STEPS} more after the first; best of {ROUNDS}")
    return answer


def compare(answers: dict[str, Callable[[int], str]]) -> None:
    """Print a line each, with what it costs in parts of transformers."""
    taken: dict[str, list[Cost]] = {name: [] for name in answers}
    texts: dict[str, str] = {}
    for _ in range(ROUNDS):
        for name, answer in answers.items():
            seconds, texts[name] = cost(answer)
            taken[name].append(seconds)
    best = {name: Cost(*map(min, zip(*costs, strict=True))) for name, costs in taken.items()}
    theirs = best["transformers"]
    for name, ours in best.items():
        same = "same" if texts[name] == texts["transformers"] else "other"
        print(
            f"{name:13} prompt {ours.prompt:6.2f} s ({theirs.prompt / ours.prompt:4.2f} x)  "
            f"token {1000 * ours.token:6.1f} ms ({theirs.token / ours.token:4.2f} x)  {same} answer"
        )


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--layers", type=int, default=8)
    options = parser.parse_args()
    if importlib.util.find_spec("transformers") is None:
        print("bench/decoder: transformers is not installed (the export extra), so there is nothing to compare with.")
        return 0
    import torch

    from airbench_edge.export.folder import export_checkpoint

    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # onnxruntime takes as many threads as cores
    waveform = np.sin(np.arange(48_000) / 9).astype(np.float32)
    with tempfile.TemporaryDirectory(prefix="airbench-bench-") as temporary:
        checkpoint = Path(temporary) / "checkpoint"
        model = make_checkpoint(checkpoint, options.layers)
        answers = {"transformers": torch_answer(model, checkpoint, waveform)}
        for name, (dtype, attention) in EXPORTS.items():
            out = Path(temporary) / name.replace(" ", "-")
            export_checkpoint(checkpoint, out, dtype, attention=attention)
            answers[name] = onnx_answer(out, waveform)
        compare(answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
