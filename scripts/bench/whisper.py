"""Whisper on onnxruntime against transformers: the same weights, threads, clips, turn and turn about; texts compared.

    python scripts/bench/whisper.py                                   # tiny.en, speech of the small data set
    python scripts/bench/whisper.py --checkpoint FOLDER CLIP.wav ...  # other weights, other clips

Needs the export extra; without it there is nothing to compare with, and it says so. On a busy machine, give it one core
(``taskset -c 0``): threads that wait for each other cost PyTorch more than onnxruntime.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from airbench_edge.audio import Waveform, read_clip
from airbench_edge.audiolm.whisper.model import Whisper

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3


class Taken(NamedTuple):
    """A transcript and what it cost: seconds on the clock, and of all cores together."""

    text: str
    wall_s: float
    cpu_s: float


def timed(transcribe: Callable[[Waveform], str], waveform: Waveform) -> Taken:
    """Transcribe once."""
    wall, cpu = time.perf_counter(), time.process_time()
    text = transcribe(waveform)
    return Taken(text, time.perf_counter() - wall, time.process_time() - cpu)


def best(takes: list[Taken]) -> Taken:
    """The least disturbed take: the one that took the least time of the cores."""
    return min(takes, key=lambda take: take.cpu_s)


def speech(count: int) -> list[Path]:
    """Clips with speech of the small data set, spread over its folders."""
    clips = sorted((ROOT / "airbench_edge" / "small").glob("*/[Ss]peech_[QG]*/*.wav"))
    return clips[:: max(1, len(clips) // count)][:count]


def compare(checkpoint: Path, export: Path, clips: list[Path]) -> None:
    """Print a line a clip and the ratios of all."""
    import torch

    from airbench_edge.export.whisper_reference import WhisperReference

    reference, ours = WhisperReference(checkpoint), Whisper(export, "cpu")
    runs: dict[str, Callable[[Waveform], str]] = {
        "ours": lambda sound: ours.transcribe(sound).text,
        "generate": lambda sound: reference.generate(sound).text,
        "windows": lambda sound: reference.transcribe(sound).text,
    }
    print(f"{checkpoint.name}, {torch.get_num_threads()} threads, best of {ROUNDS}, seconds of CPU (wall); generate is")
    print("transformers' call, windows the same without its going on through the padding of a short clip")
    rows: list[dict[str, Taken]] = []
    for clip in clips:
        waveform = read_clip(clip, ours.sample_rate).waveform
        takes = [{name: timed(run, waveform) for name, run in runs.items()} for _ in range(ROUNDS)]
        row = {name: best([take[name] for take in takes]) for name in runs}
        rows.append(row)
        costs = "  ".join(f"{name} {taken.cpu_s:6.2f} ({taken.wall_s:6.2f})" for name, taken in row.items())
        same = row["ours"].text == row["windows"].text
        print(f"{clip.name:24} {len(waveform) / ours.sample_rate:5.1f} s  {costs}  {'same' if same else 'other'} text")
        if not same:
            print(f"  ours:    {row['ours'].text}\n  windows: {row['windows'].text}")
    for name in ("generate", "windows"):
        cpu, wall = (
            sum(getattr(row[name], cost) for row in rows) / sum(getattr(row["ours"], cost) for row in rows)
            for cost in ("cpu_s", "wall_s")
        )
        print(f"{cpu:.2f} times as fast as {name} by CPU time, {wall:.2f} by the clock")
    print(f"{sum(row['ours'].text == row['windows'].text for row in rows)} of {len(rows)} texts equal")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clips", nargs="*", type=Path, help="speech; a dozen clips of the small data set if left out")
    parser.add_argument("--checkpoint", type=Path, help="a Whisper checkpoint; tiny.en from packages if left out")
    options = parser.parse_args()
    if importlib.util.find_spec("transformers") is None:
        print("bench/whisper: transformers is not installed (the export extra), so there is nothing to compare with.")
        return 0
    from airbench_edge.export.whisper import export_whisper
    from airbench_edge.export.whisper_checkpoint import checkpoint_from_ctranslate2

    sys.path.insert(0, str(ROOT / "scripts"))
    from make_cascade import fetched

    with tempfile.TemporaryDirectory(prefix="airbench-bench-") as temporary:
        checkpoint = options.checkpoint or Path(temporary) / "tiny.en"
        if options.checkpoint is None:
            checkpoint_from_ctranslate2(fetched("tiny.en"), checkpoint)
        export_whisper(checkpoint, Path(temporary) / "export")
        compare(checkpoint, Path(temporary) / "export", options.clips or speech(12))
    return 0


if __name__ == "__main__":
    sys.exit(main())
