"""Exports in float16 on a GPU against the same weights in float32 on the CPU: what they say, and how fast.

    python scripts/bench/gpu.py                 # nano, and random weights with the widths of Qwen2-Audio
    python scripts/bench/gpu.py --device cpu    # the same without a GPU: float16 is slow there

The first model is asked about clips of the built-in data set, freely; the second one, which says nothing of its own, is
made to say given tokens, and its choices and logits at each of them are compared. Needs the export extra; without it,
or without the device, it says so.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np
from export_memory import NANO, make_checkpoint

from airbench_edge.audio import AudioError, read_clip
from airbench_edge.audiolm.contract import Prompted
from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.audiolm.onnx.providers import CPU, CUDA, place, why_not
from airbench_edge.benchmark.dataset import load_dataset
from airbench_edge.benchmark.items import ChatItem, ItemKey, Track
from airbench_edge.benchmark.prompts import chat_prompt

SMALL = Path(__file__).resolve().parents[2] / "airbench_edge" / "small"
ITEMS, TOKENS, ROUNDS = 40, 64, 3


def exports(checkpoint: Path, folder: Path, device: str) -> tuple[OnnxAudioLM, OnnxAudioLM]:
    """The reference, float32 on the CPU, and the model under test, float16 on the device."""
    from airbench_edge.export.folder import export_checkpoint

    for dtype in ("fp32", "fp16"):
        export_checkpoint(checkpoint, folder / dtype, dtype)
    size = sum(file.stat().st_size for file in (folder / "fp16").rglob("*.onnx*"))
    print(f"\n{checkpoint.name}: {size / 1e6:,.0f} MB in fp16, keys and values on {place(device).memory}")
    tested = OnnxAudioLM(folder / "fp16", device, float16_on_cpu=device == "cpu")
    print("  " + ", ".join(f"{graph} on {provider}" for graph, provider in tested.providers.items()))
    return OnnxAudioLM(folder / "fp32", "cpu"), tested


def compare_answers(reference: OnnxAudioLM, tested: OnnxAudioLM) -> None:
    """Print the share of equal answers to chat items and what an item takes."""
    data = load_dataset(SMALL, (Track.CHAT,))
    equal, seconds = [], {reference: 0.0, tested: 0.0}
    for item in islice((item for item in data.items if isinstance(item, ChatItem)), ITEMS):
        try:
            waveform = read_clip(data.clip(item).path, reference.sample_rate).waveform
        except AudioError:  # the data set holds some on purpose
            continue
        said = []
        for model in seconds:
            began = time.perf_counter()
            said.append(model.answer(Prompted(item.key, chat_prompt(item), str(item.key), waveform)).text)
            seconds[model] += time.perf_counter() - began
        equal.append(said[0] == said[1])
    theirs, ours = (taken / len(equal) for taken in seconds.values())
    print(f"  {sum(equal)} of {len(equal)} answers are equal")
    print(f"  an item takes {ours:.3f} s, {theirs:.3f} s on the CPU in fp32")


def compare_logits(reference: OnnxAudioLM, tested: OnnxAudioLM) -> None:
    """Print how far choices and logits are off at given tokens, and the tokens a second."""
    waveform = np.sin(np.arange(10 * reference.sample_rate) / 9).astype(np.float32)
    item = Prompted(ItemKey(Track.CHAT, 1), "What do you hear?", "clip", waveform)
    tokens = np.random.default_rng(0).integers(100, 1000, TOKENS).tolist()
    theirs, ours = reference.follow(item, tokens), tested.follow(item, tokens)
    equal = sum(a == b for a, b in zip(theirs.choices, ours.choices, strict=True))
    difference, spread = np.abs(ours.logits - theirs.logits).max(), np.ptp(theirs.logits)
    print(f"  {equal} of {TOKENS} choices are equal, logits at most {difference:.2g} off of a range of {spread:.2g}")
    for name, model in (("fp16", tested), ("fp32 on the CPU", reference)):
        seconds = []
        for length in (1, TOKENS):
            taken = []
            for _ in range(ROUNDS):
                began = time.perf_counter()
                model.follow(item, tokens[:length])
                taken.append(time.perf_counter() - began)
            seconds.append(min(taken))
        print(f"  {name}: {(TOKENS - 1) / (seconds[1] - seconds[0]):.1f} tokens a second, one request")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--layers", type=int, default=2, help="of the random model: 2 make 1.4 GB in fp16")
    options = parser.parse_args()
    missing = why_not(CUDA if options.device == "cuda" else CPU)
    if missing or importlib.util.find_spec("transformers") is None:
        print(f"bench/gpu: {missing or 'needs the export extra'}.")
        return 0
    with tempfile.TemporaryDirectory(prefix="airbench-bench-") as temporary:
        checkpoint = Path(temporary) / "random"
        compare_answers(*exports(NANO, Path(temporary) / "of-nano", options.device))
        make_checkpoint(checkpoint, options.layers)
        compare_logits(*exports(checkpoint, Path(temporary) / "of-random", options.device))
    return 0


if __name__ == "__main__":
    sys.exit(main())
