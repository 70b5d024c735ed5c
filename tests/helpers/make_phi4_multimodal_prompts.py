"""Writes tests/cases/phi4_multimodal_prompts.json: what transformers' processor makes of questions and clips.

Run in an environment with the extra export, from the repository: python tests/helpers/make_phi4_multimodal_prompts.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.phi4_multimodal_folder import make_folder
from helpers.waveforms import chirp

from airbench_edge.export.families.phi4_multimodal import Phi4MultimodalExport

CASE = Path(__file__).parents[1] / "cases" / "phi4_multimodal_prompts.json"
QUESTION = " Which sound is it?\nA. flute\nB. 狗 "
# One frame, two, eight, nine, many. The shortest that the processor takes is a frame of 400 samples.
SAMPLES = (400, 560, 1520, 1680, 33_333)


def golden(folder: Path, samples: int) -> dict[str, Any]:
    """Prompt ids, shape and a few values of the log-mel."""
    inputs = Phi4MultimodalExport().reference_inputs(folder, QUESTION, chirp(samples / 16_000), 16_000)
    features = inputs["audio_input_features"][0]
    return {
        "samples": samples,
        "prompt_ids": inputs["input_ids"][0].tolist(),
        "tokens": int(inputs["audio_embed_sizes"][0]),
        "shape": list(features.shape),
        "features": [[round(value, 4) for value in row] for row in features[::30, ::20].tolist()],
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = make_folder(Path(scratch))
        content = {"question": QUESTION, "answers": [golden(path, samples) for samples in SAMPLES]}
    CASE.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")
