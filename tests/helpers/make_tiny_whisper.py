"""Writes tests/cases/tiny_whisper: an exported Whisper with random weights, and what transformers writes with it.

Run in an environment with the export extra, from the repository: python tests/helpers/make_tiny_whisper.py
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.waveforms import chirp

from airbench_edge.export.whisper import export_whisper
from airbench_edge.export.whisper_reference import WhisperReference

CASE = Path(__file__).parents[1] / "cases" / "tiny_whisper"
WINDOW_S = 1
# Seconds and start of the chirp in Hz, shorter than the window: at its very end the two front ends pad differently.
CLIPS = ((0.95, 200), (0.7, 300), (0.31, 440), (0.9, 800), (0.05, 100), (0.98, 1500))
MOST = 60  # tokens; random weights hardly ever end a window
SPECIALS = (
    "<|endoftext|>",
    "<|startoftranscript|>",
    "<|en|>",
    "<|de|>",
    "<|yue|>",
    "<|translate|>",
    "<|transcribe|>",
    "<|startoflm|>",
    "<|startofprev|>",
    "<|nospeech|>",
    "<|notimestamps|>",
)


def make_tokenizer() -> Tokenizer:
    """One token a byte, then the special tokens in Whisper's order, then a timestamp for every 20 ms of the window."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: place for place, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in SPECIALS])
    times = [f"<|{step * 0.02:.2f}|>" for step in range(50 * WINDOW_S + 1)]
    tokenizer.add_tokens([AddedToken(name, normalized=False) for name in times])
    return tokenizer


def make_checkpoint(folder: Path, *, multilingual: bool = True, seed: int = 0) -> None:
    """Write a checkpoint with two layers a side.

    Args:
        folder: Where it goes.
        multilingual: Whether it has languages and tasks.
        seed: Seed of the weights.
    """
    tokenizer = make_tokenizer()
    token = {name: tokenizer.token_to_id(name) for name in SPECIALS}
    end = token["<|endoftext|>"]
    config = transformers.WhisperConfig(
        vocab_size=tokenizer.get_vocab_size(),
        num_mel_bins=80,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_source_positions=50 * WINDOW_S,
        max_target_positions=448,
        init_std=0.35,
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        decoder_start_token_id=token["<|startoftranscript|>"],
    )
    torch.manual_seed(seed)
    model = transformers.WhisperForConditionalGeneration(config).eval()
    languages: dict[str, Any] = {
        "lang_to_id": {name: token[name] for name in SPECIALS[2:5]},
        "task_to_id": {name: token[f"<|{name}|>"] for name in ("translate", "transcribe")},
    }
    model.generation_config = transformers.GenerationConfig(
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        decoder_start_token_id=config.decoder_start_token_id,
        no_timestamps_token_id=token["<|notimestamps|>"],
        prev_sot_token_id=token["<|startofprev|>"],
        max_initial_timestamp_index=10,
        max_length=225,
        suppress_tokens=[5, 9, *(token[name] for name in SPECIALS[1:])],
        begin_suppress_tokens=[7, end],
        is_multilingual=multilingual,
        **(languages if multilingual else {}),
    )
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    transformers.WhisperFeatureExtractor(chunk_length=WINDOW_S).save_pretrained(folder)


def golden(checkpoint: Path) -> list[dict[str, Any]]:
    """Tokens of transformers for the first window of each clip."""
    reference = WhisperReference(checkpoint)
    windows = [reference.window(chirp(seconds, hz), MOST) for seconds, hz in CLIPS]
    return [
        {"seconds": seconds, "start_hz": hz, "tokens": tokens}
        for (seconds, hz), tokens in zip(CLIPS, windows, strict=True)
    ]


def main() -> None:
    """Write the case anew."""
    with tempfile.TemporaryDirectory() as temporary:
        checkpoint = Path(temporary) / "checkpoint"
        make_checkpoint(checkpoint)
        shutil.rmtree(CASE, ignore_errors=True)
        export_whisper(checkpoint, CASE)
        content = json.dumps(golden(checkpoint), indent=1)
    CASE.with_suffix(".json").write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
