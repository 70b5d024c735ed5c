"""Writes tests/cases/qwen2_5_omni_prompts.json: what transformers' processor makes of questions and clips.

Run in an environment with the extra export, from the repository: python tests/helpers/make_qwen2_5_omni_prompts.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.qwen2_5_omni_folder import make_folder
from helpers.waveforms import chirp

from airbench_edge.export.families.qwen2_5_omni import Qwen25OmniExport

CASE = Path(__file__).parents[1] / "cases" / "qwen2_5_omni_prompts.json"
QUESTION = " Which sound is it?\nA. flute\nB. 狗 "
# A chunk is 2 s and 5 s are heard: too short for a token, less than a chunk, one, a bit more, all, too much.
SECONDS = (0.01, 0.5, 2.0, 2.01, 5.0, 6.5)


def golden(folder: Path, seconds: float) -> dict[str, Any]:
    """Prompt ids, frames of sound and a few values of the log-mel."""
    inputs = Qwen25OmniExport().reference_inputs(folder, QUESTION, chirp(seconds), 16000)
    frames = int(inputs["feature_attention_mask"].sum())
    sampled = inputs["input_features"][0, ::20, :frames:30]
    return {
        "seconds": seconds,
        "prompt_ids": inputs["input_ids"][0].tolist(),
        "frames": frames,
        "features": [[round(value, 4) for value in row] for row in sampled.tolist()],
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = make_folder(Path(scratch))
        content = {"question": QUESTION, "answers": [golden(path, seconds) for seconds in SECONDS]}
    CASE.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
