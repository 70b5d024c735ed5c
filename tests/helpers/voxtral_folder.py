"""A Voxtral folder without weights that fit: the tiny model of tests/cases, under Voxtral's configurations."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from helpers.tiny_audiolm import CASE, edit_json

from airbench_edge.export.tekken import read_tekken

TEKKEN = Path(__file__).parents[1] / "cases" / "voxtral" / "tekken.json"


def make_folder(parent: Path) -> Path:
    """Write the folder as an export does, without a chat template."""
    folder = Path(shutil.copytree(CASE, parent / "voxtral"))
    read_tekken(TEKKEN).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>", "eos_token": "</s>"}))
    edit_json(folder / "preprocessor_config.json", feature_size=128, chunk_length=30)
    audio = {"num_mel_bins": 128, "max_source_positions": 1500}
    edit_json(
        folder / "config.json", model_type="voxtral", audio_token_index=None, audio_token_id=24, audio_config=audio
    )
    return folder
