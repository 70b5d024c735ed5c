"""Parts of small but real runs: a data set on disk, an audio-LM that listens, a judge that counts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from airbench_edge.audiolm.contract import Answer, AudioLM, Identity, ModelError, Prompted
from airbench_edge.benchmark.dataset import DataSet, load_dataset
from airbench_edge.benchmark.items import Item, Track
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.run.data_source import describe
from airbench_edge.run.manifest import FORMAT, Manifest
from airbench_edge.run.selection import Selection

FOUNDATION = (("Speech_Entity_Reconition", "slurp"), ("Sound_AQA", "avqa"), ("Music_Genre_Recognition", "fma"))
CHAT = (("speech_QA", "common_voice_en"), ("sound_QA", "clotho"))
RATE = 16000
LOUDNESS = {"A": 0.1, "B": 0.2, "C": 0.4, "D": 0.8}


def write_dataset(root: Path, per_folder: int = 4, with_audio: bool = True) -> Path:
    """Two foundation questions share a clip, whose loudness is that of their letter."""
    foundation: list[dict[str, Any]] = []
    chat: list[dict[str, Any]] = []
    for task, dataset in FOUNDATION:
        for number in range(per_folder):
            letter = "ABCD"[number // 2 % 4]
            foundation.append(
                {
                    "uniq_id": len(foundation),
                    "task_name": task,
                    "dataset_name": dataset,
                    "path": f"clip_{number // 2}.wav",
                    "question": f"How loud is it? ({number})",
                    **{f"choice_{name.lower()}": f"loudness {value}" for name, value in LOUDNESS.items()},
                    "answer_gt": f"loudness {LOUDNESS[letter]}",
                }
            )
            if with_audio:
                _write_clip(root / "Foundation" / f"{task}_{dataset}" / f"clip_{number // 2}.wav", LOUDNESS[letter])
    for task, dataset in CHAT:
        for number in range(per_folder):
            chat.append(
                {
                    "uniq_id": len(chat),
                    "task_name": task,
                    "dataset_name": dataset,
                    "path": f"clip_{number}.wav",
                    "question": f"What is heard? ({number})",
                    "answer_gt": "A tone.",
                    "meta_info": "A tone.",
                }
            )
            if with_audio:
                _write_clip(root / "Chat" / f"{task}_{dataset}" / f"clip_{number}.wav", 0.5)
    for track, records in (("Foundation", foundation), ("Chat", chat)):
        (root / track).mkdir(parents=True, exist_ok=True)
        (root / track / f"{track}_meta.json").write_text(json.dumps(records), encoding="utf-8")
    return root


def _write_clip(path: Path, loudness: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tone = loudness * np.sin(2 * np.pi * 440 * np.arange(RATE // 10) / RATE)
    soundfile.write(path, tone.astype(np.float32), RATE)


def write_responses(path: Path, items: Sequence[Item]) -> Path:
    """Record a response for every item: letters in turn, and a sentence for a chat item."""
    lines = []
    for place, item in enumerate(items):
        chat = item.key.track is Track.CHAT
        text = f"I hear a tone, number {item.uniq_id}." if chat else ("ABCD"[place % 4], "hm", "It is loud.")[place % 3]
        lines.append(json.dumps({"uniq_id": item.uniq_id, "track": item.key.track, "response": text}) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def manifest_of(data: DataSet, model: AudioLM, limit: int | None = None) -> Manifest:
    """The manifest of a run of everything, up to a limit."""
    selection = Selection(data.tracks, limit=limit)
    return Manifest(FORMAT, model.identity, describe(data.root, data), selection, "official")


class Loudness:
    """An audio-LM that tells the loudness of what it hears, and remembers what it was asked."""

    identity = Identity("onnx", "loudness", {"weights": "none"})
    sample_rate: int | None = RATE

    def __init__(self, fails_on: str = "\0") -> None:
        self.providers = {"ear": "CPUExecutionProvider"}
        self.fails_on = fails_on
        self.asked: list[Prompted] = []

    def answer(self, item: Prompted) -> Answer:
        self.asked.append(item)
        if self.fails_on in item.prompt:
            raise ModelError("out of memory")
        assert item.waveform is not None
        peak = float(np.abs(item.waveform).max())
        letter = min(LOUDNESS, key=lambda name: abs(LOUDNESS[name] - peak))
        return Answer(letter, "stop", len(item.waveform) / RATE)


class CountingJudge:
    """A judge whose scores are a checksum of the prompt; it fails by name on the requests it is told to."""

    def __init__(self, name: str = "counting", failures: dict[int | str, str] | None = None, **details: str) -> None:
        self.identity = JudgeIdentity("llama", name, details)
        self.failures = failures or {}
        self.asked: list[JudgeRequest] = []

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        for request in sorted(requests, key=lambda one: zlib.crc32(one.prompt.encode())):  # an order of its own
            self.asked.append(request)
            if failure := self.failures.get(request.uniq_id):
                yield request, JudgeReply(None, failure=failure)
            else:
                number = zlib.crc32(request.prompt.encode())
                text = request.letters[number % len(request.letters)] if request.letters else f"{number % 10 + 1} 5"
                yield request, JudgeReply(text, "stop", prompt_tokens=len(request.prompt))

    def close(self) -> None:
        """Nothing to free."""


def load(root: Path) -> DataSet:
    """Both tracks."""
    return load_dataset(root, tuple(Track))
