"""Writes tests/cases/windowed_prompts.json: what the processors of transformers 5 make of questions and clips.

Run in an environment with the extra export-next, from the repository: python tests/helpers/make_windowed_prompts.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import transformers

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.waveforms import chirp
from helpers.windowed_folders import FAMILIES, make_folder

CASE = Path(__file__).parents[1] / "cases" / "windowed_prompts.json"
QUESTION = " Which sound is it?\nA. flute\nB. 狗 "
# Seconds and system message. Three windows of 1 s are heard: no token, half a window, one, a bit more, all, too much.
CLIPS = ((0.01, None), (0.5, None), (1.0, None), (1.001, None), (2.5, "Be brief."), (3.5, None))


def goldens(family: str) -> list[dict[str, Any]]:
    """Prompt ids, frames of sound in each window and a few values of its log-mel, for each clip."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_folder(family, Path(scratch))
        processor = getattr(transformers, FAMILIES[family].processor).from_pretrained(folder)
        return [_golden(processor, seconds, system) for seconds, system in CLIPS]


def _golden(processor: Any, seconds: float, system: str | None) -> dict[str, Any]:  # noqa: ANN401 - has no types
    conversation: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    sound = {"type": "audio", "audio_url": "clip"}
    conversation.append({"role": "user", "content": [sound, {"type": "text", "text": QUESTION}]})
    text = processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
    inputs = processor(text=text, audio=[chirp(seconds)], sampling_rate=16000)
    return {
        "seconds": seconds,
        "system": system,
        "prompt_ids": inputs["input_ids"][0].tolist(),
        "frames": inputs["input_features_mask"].sum(-1).tolist(),
        "features": [
            [round(value, 4) for value in window[::20, 5::30].flatten().tolist()] for window in inputs["input_features"]
        ],
    }


if __name__ == "__main__":
    content = {"question": QUESTION} | {family: goldens(family) for family in FAMILIES}
    CASE.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
