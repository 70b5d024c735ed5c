"""Writes tests/cases/gemma3n: configurations and tokenizer of a tiny Gemma 3n, and what transformers makes for it.

Run in an environment with the export extra, from the repository: python tests/helpers/make_gemma3n_case.py
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.tiny_gemma3n import MARKS, WORDS, make_gemma3n_processor
from helpers.waveforms import chirp

from airbench_edge.export.families import family_of

CASE = Path(__file__).parents[1] / "cases" / "gemma3n"
QUESTION = "Which sound is it?\nA. flute\nB. dog or 狗 "
SECONDS = (0.05, 0.31)


def main() -> None:
    """Write the folder anew."""
    shutil.rmtree(CASE, ignore_errors=True)
    make_gemma3n_processor(CASE)
    config = {"model_type": "gemma3n", "audio_token_id": WORDS + MARKS + 1, "audio_soft_tokens_per_image": 188}
    (CASE / "config.json").write_text(json.dumps(config) + "\n", encoding="utf-8")
    (CASE / "special_tokens_map.json").unlink()
    made = {
        seconds: family_of("gemma3n").reference_inputs(CASE, QUESTION, chirp(seconds, 300), 16000)
        for seconds in SECONDS
    }
    np.savez_compressed(CASE / "golden.npz", **{str(seconds): made[seconds]["input_features"] for seconds in SECONDS})
    golden = {
        "question": QUESTION,
        "prompt_ids": made[SECONDS[0]]["input_ids"][0].tolist(),
        "frames": {str(seconds): made[seconds]["input_features_mask"].sum().item() for seconds in SECONDS},
    }
    (CASE / "golden.json").write_text(json.dumps(golden, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
