"""Writes tests/cases/granite_speech.json: what the processor of transformers makes of a question and of clips.

Run in an environment with the extra export and torchaudio, which that processor takes its spectrogram from, from the
repository: python tests/helpers/make_granite_case.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
import transformers

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.granite_folder import make_folder
from helpers.waveforms import chirp

CASE = Path(__file__).parents[1] / "cases" / "granite_speech.json"
QUESTION = " Which sound is it?\nA. flute\nB. 狗 "
SYSTEM = (
    "Knowledge Cutoff Date: April 2024.\nToday's Date: December 19, 2024.\n"
    "You are Granite, developed by IBM. You are a helpful AI assistant"
)
# Seconds and system message: the shortest, an even and an odd number of frames, windows of 0.3 s full and not.
CLIPS = ((0.0161, SYSTEM), (0.3, SYSTEM), (0.305, SYSTEM), (0.61, "Be brief."), (2.5, SYSTEM), (35.0, SYSTEM))


def golden(processor: Any, seconds: float, system: str) -> dict[str, Any]:  # noqa: ANN401 - transformers has no types
    """Token ids around the sound, how often its token stands there, and a few values of the spectrogram."""
    conversation = [{"role": "system", "content": system}, {"role": "user", "content": f"<|audio|>{QUESTION}"}]
    text = processor.tokenizer.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
    inputs = processor(text, torch.from_numpy(chirp(seconds))[None], return_tensors="pt")
    ids = inputs["input_ids"][0].tolist()
    at, count = ids.index(3), ids.count(3)
    features = inputs["input_features"][0]
    return {
        "seconds": seconds,
        "system": system,
        "before": ids[:at],
        "sound": count,
        "after": ids[at + count :],
        "frames": len(features),
        "features": [round(value, 4) for value in features[:: max(1, len(features) // 5), 3::20].flatten().tolist()],
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(make_folder(Path(scratch)))
        processor = transformers.GraniteSpeechProcessor(transformers.GraniteSpeechFeatureExtractor(), tokenizer)
        content = {"question": QUESTION, "prompts": [golden(processor, *clip) for clip in CLIPS]}
    CASE.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
