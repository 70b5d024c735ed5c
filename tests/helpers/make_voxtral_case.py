"""Writes tests/cases/voxtral: a tiny tekken.json, and what the processor of transformers makes of questions and clips.

Run in an environment with the extra export and mistral-common[audio], to which that processor leaves the prompt, from
the repository: python tests/helpers/make_voxtral_case.py
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import soundfile
import transformers

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.waveforms import chirp

CASE = Path(__file__).parents[1] / "cases" / "voxtral"
RESERVED = 40
MERGED = 90
SPECIALS = {1: "<s>", 2: "</s>", 0: "<unk>", 3: "[INST]", 4: "[/INST]", 5: "[AVAILABLE_TOOLS]", 6: "[/AVAILABLE_TOOLS]"}
SPECIALS |= {7: "[TOOL_RESULTS]", 8: "[/TOOL_RESULTS]", 9: "[TOOL_CALLS]", 10: "[IMG]", 11: "<pad>", 12: "[IMG_BREAK]"}
SPECIALS |= {13: "[IMG_END]", 14: "[PREFIX]", 15: "[MIDDLE]", 16: "[SUFFIX]", 17: "[SYSTEM_PROMPT]"}
SPECIALS |= {18: "[/SYSTEM_PROMPT]", 19: "[TOOL_CONTENT]", 24: "[AUDIO]", 25: "[BEGIN_AUDIO]", 34: "[TRANSCRIBE]"}
# The pattern of the published file.
WORDS = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+"
)
CORPUS = (
    " Choose the most suitable answer from options A, B, C, and D to respond the question in next line,"
    " you may only choose A or B or C or D. What is the instrument, the genre, the mood of this music?"
    " Which sound comes first? Who speaks, where? A dog barks while a woman says a word in the kitchen; rain falls"
)
QUESTIONS = (
    "What do you hear? Answer in one sentence.",
    " Which sound is it?\nA. flute\nB. 狗  \n\nC. 1234 l'été\tD. [choose]/ \n",
    "DOG's ÜBER straße 🎷 a\u0301 aaaa the the",
)
CLIPS = (0.5, 30, 30.01, 35)


def make_tekken() -> dict[str, Any]:
    """Bytes, and the pairs that are most frequent in a few sentences, one after the other."""
    words = Counter(f" {word}" for word in CORPUS.split())
    pieces = {word: [bytes([byte]) for byte in word.encode()] for word in words}
    tokens = [bytes([byte]) for byte in range(256)]
    for _ in range(MERGED):
        pairs = Counter[tuple[bytes, bytes]]()
        for word, parts in pieces.items():
            for pair in pairwise(parts):
                pairs[pair] += words[word]
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        tokens.append(left + right)
        for parts in pieces.values():
            while (
                at := next((n for n in range(len(parts) - 1) if parts[n : n + 2] == [left, right]), None)
            ) is not None:
                parts[at : at + 2] = [left + right]
    spare = [b" never", b" in reach"]  # a published vocabulary lists more tokens than it has room for
    return {
        "config": {
            "pattern": WORDS,
            "num_vocab_tokens": len(tokens) + len(spare),
            "default_vocab_size": len(tokens) + RESERVED,
            "default_num_special_tokens": RESERVED,
            "version": "v7",
        },
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate([*tokens, *spare])
        ],
        "special_tokens": [
            {"rank": rank, "token_str": SPECIALS.get(rank, f"<SPECIAL_{rank}>"), "is_control": True}
            for rank in range(RESERVED - 3)
        ],
        "audio": {
            "sampling_rate": 16000,
            "frame_rate": 12.5,
            "audio_encoding_config": {"num_mel_bins": 128, "hop_length": 160, "window_size": 400},
            "chunk_length_s": 30.0,
        },
    }


def goldens(file: Path) -> dict[str, Any]:
    """Token ids of texts; for clips the prompt around the sound, how often its token stands there, and a few values."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copyfile(file, Path(scratch) / "tekken.json")
        transformers.WhisperFeatureExtractor(feature_size=128).save_pretrained(scratch)
        processor = transformers.VoxtralProcessor.from_pretrained(scratch)
    inner = processor.tokenizer.tokenizer.instruct_tokenizer.tokenizer
    return {
        "texts": {text: inner.encode(text, bos=False, eos=False) for text in QUESTIONS},
        "prompts": [_prompt(processor, seconds) for seconds in CLIPS],
    }


def _prompt(processor: Any, seconds: float) -> dict[str, Any]:  # noqa: ANN401 - transformers has no types
    wave = io.BytesIO()
    soundfile.write(wave, chirp(seconds), 16000, format="wav", subtype="FLOAT")
    sound = {"type": "audio", "base64": base64.b64encode(wave.getvalue()).decode()}
    conversation = [{"role": "user", "content": [sound, {"type": "text", "text": QUESTIONS[1]}]}]
    inputs = processor.apply_chat_template(conversation)
    ids = inputs["input_ids"][0].tolist()
    at, count = ids.index(24), ids.count(24)
    values = inputs["input_features"][:, ::20, 5::300].flatten(1).tolist()
    return {
        "seconds": seconds,
        "question": QUESTIONS[1],
        "before": ids[:at],
        "sound": count,
        "after": ids[at + count :],
        "features": [[round(value, 4) for value in window] for window in values],
    }


if __name__ == "__main__":
    CASE.mkdir(exist_ok=True)
    (CASE / "tekken.json").write_text(json.dumps(make_tekken(), separators=(",", ":")) + "\n", encoding="utf-8")
    content = goldens(CASE / "tekken.json")
    (CASE / "prompts.json").write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
