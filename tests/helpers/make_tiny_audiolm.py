"""Writes tests/cases/tiny_audiolm: a tiny exported model, and what transformers answers with its checkpoint.

Run in an environment with the export extra, from the repository: python tests/helpers/make_tiny_audiolm.py
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from transformers import AutoProcessor

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.tiny_checkpoint import make_checkpoint
from helpers.waveforms import chirp

from airbench_edge.export.folder import export_checkpoint

CASES = Path(__file__).parents[1] / "cases"
CAP = 24
# Seconds, start of the chirp in Hz, system message. The window is 1 s: 1.5 s is cut; 0.01 s makes no audio token.
CLIPS = (
    (0.5, 200, None),
    (0.8, 900, None),
    (1.0, 400, None),
    (1.5, 300, None),
    (0.01, 200, None),
    (0.7, 250, "Be brief."),
)
QUESTION = "Which sound is it?\nA. flute\nB. dog <|im_end|> or 狗"


def golden(checkpoint: Path, model: torch.nn.Module, penalty: float | None = None) -> list[dict[str, Any]]:
    """Greedy answers of transformers, with its own processor and chat template."""
    processor = AutoProcessor.from_pretrained(checkpoint, local_files_only=True)
    return [_answer(processor, model, seconds, hz, system, penalty) for seconds, hz, system in CLIPS]


def _answer(
    processor: torch.nn.Module,
    model: torch.nn.Module,
    seconds: float,
    start_hz: float,
    system: str | None,
    penalty: float | None,
) -> dict[str, Any]:
    conversation: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    sound = {"type": "audio", "audio_url": "clip"}
    conversation.append({"role": "user", "content": [sound, {"type": "text", "text": QUESTION}]})
    prompt = processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
    inputs = processor(text=prompt, audio=[chirp(seconds, start_hz)], sampling_rate=16000, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    ids = model.generate(**inputs, max_new_tokens=CAP, do_sample=False, repetition_penalty=penalty)
    new = ids[0, inputs["input_ids"].shape[1] :].tolist()
    stops = model.generation_config.eos_token_id
    return {
        "seconds": seconds,
        "start_hz": start_hz,
        "system": system,
        "prompt_ids": inputs["input_ids"][0].tolist(),
        "tokens": new,
        "text": processor.tokenizer.decode(new, skip_special_tokens=True, clean_up_tokenization_spaces=False),
        "finish": "stop" if new[-1] in stops else "length",
    }


def main() -> None:
    """Write the folder anew."""
    with tempfile.TemporaryDirectory() as scratch:
        checkpoint = Path(scratch) / "checkpoint"
        model = make_checkpoint(checkpoint)
        target = CASES / "tiny_audiolm"
        shutil.rmtree(target, ignore_errors=True)
        export_checkpoint(checkpoint, target, "fp32", compact=True)
        answers = {
            "question": QUESTION,
            "cap": CAP,
            "plain": golden(checkpoint, model),
            "penalised": golden(checkpoint, model, 1.3),
        }
        (CASES / "tiny_audiolm.json").write_text(
            json.dumps(answers, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
