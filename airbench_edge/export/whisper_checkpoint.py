"""A Whisper model in CTranslate2's form becomes a checkpoint of transformers, number for number.

The names on the left are those that ``WhisperLoader`` of CTranslate2's transformers converter writes; queries, keys and
values of one attention stand in one matrix there. float16 weights fit into float32 exactly, so nothing is lost.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import (
    GenerationConfig,
    WhisperConfig,
    WhisperFeatureExtractor,
    WhisperForConditionalGeneration,
)

from airbench_edge.errors import InputError
from airbench_edge.export.ctranslate2 import Weights, read_ctranslate2
from airbench_edge.export.quiet import quiet

_MULTILINGUAL_VOCABULARY = 51865  # tokens, and more: rule of openai/whisper, ``Whisper.is_multilingual``
_LAST_FIRST_TIMESTAMP = 50  # steps of 20 ms: ``max_initial_timestamp`` of openai/whisper is 1 s
_LONGEST = 448

_LAYER_PARTS = {
    "self_attention/linear_1": "self_attn.out_proj",
    "self_attention/layer_norm": "self_attn_layer_norm",
    "attention/linear_0": "encoder_attn.q_proj",
    "attention/linear_2": "encoder_attn.out_proj",
    "attention/layer_norm": "encoder_attn_layer_norm",
    "ffn/linear_0": "fc1",
    "ffn/linear_1": "fc2",
    "ffn/layer_norm": "final_layer_norm",
}
_JOINED = {"self_attention/linear_0": "self_attn", "attention/linear_1": "encoder_attn"}
_KINDS = {"weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"}


class _Settings(msgspec.Struct, frozen=True):
    """What ``config.json`` of a CTranslate2 Whisper says about decoding."""

    suppress_ids: list[int]
    suppress_ids_begin: list[int]


def checkpoint_from_ctranslate2(source: Path, out: Path) -> None:
    """Write a checkpoint that transformers loads.

    Args:
        source: Folder with ``model.bin``, ``config.json`` and ``tokenizer.json``.
        out: The folder of the checkpoint; made if need be.

    Raises:
        InputError: A file is missing or holds something else.
    """
    weights = read_ctranslate2(source / "model.bin")
    try:
        settings = msgspec.json.decode((source / "config.json").read_bytes(), type=_Settings)
        tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
        config = _config(weights, tokenizer)
        state = dict(_state(weights))
    except Exception as error:  # the library tokenizers raises bare Exception
        raise InputError(f"{source} is no Whisper model in CTranslate2's form ({error}): get it again.") from error
    with quiet():
        model = WhisperForConditionalGeneration(config)
        model.load_state_dict(state, strict=True)
        model.generation_config = _generation(config, settings, tokenizer)
        out.mkdir(parents=True, exist_ok=True)
        model.save_pretrained(out)
        WhisperFeatureExtractor(feature_size=config.num_mel_bins).save_pretrained(out)
    shutil.copyfile(source / "tokenizer.json", out / "tokenizer.json")


def _config(weights: Weights, tokenizer: Tokenizer) -> WhisperConfig:
    vocabulary, width = weights["decoder/embeddings/weight"].shape
    heads = int(weights["encoder/num_heads"])
    end = tokenizer.token_to_id("<|endoftext|>")
    return WhisperConfig(
        vocab_size=vocabulary,
        num_mel_bins=weights["encoder/conv1/weight"].shape[1],
        d_model=width,
        encoder_layers=_layers(weights, "encoder"),
        decoder_layers=_layers(weights, "decoder"),
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=weights["encoder/layer_0/ffn/linear_0/weight"].shape[0],
        decoder_ffn_dim=weights["decoder/layer_0/ffn/linear_0/weight"].shape[0],
        max_source_positions=weights["encoder/position_encodings/encodings"].shape[0],
        max_target_positions=weights["decoder/position_encodings/encodings"].shape[0],
        bos_token_id=end,
        eos_token_id=end,
        pad_token_id=end,
        decoder_start_token_id=tokenizer.token_to_id("<|startoftranscript|>"),
    )


def _generation(config: WhisperConfig, settings: _Settings, tokenizer: Tokenizer) -> GenerationConfig:
    start, no_timestamps = config.decoder_start_token_id, tokenizer.token_to_id("<|notimestamps|>")
    values = {
        "bos_token_id": config.bos_token_id,
        "eos_token_id": config.eos_token_id,
        "pad_token_id": config.pad_token_id,
        "decoder_start_token_id": start,
        "no_timestamps_token_id": no_timestamps,
        "prev_sot_token_id": tokenizer.token_to_id("<|startofprev|>"),
        "max_initial_timestamp_index": _LAST_FIRST_TIMESTAMP,
        "max_length": _LONGEST,
        "suppress_tokens": settings.suppress_ids,
        "begin_suppress_tokens": settings.suppress_ids_begin,
        "is_multilingual": config.vocab_size >= _MULTILINGUAL_VOCABULARY,
        "return_timestamps": False,
    }
    if values["is_multilingual"]:
        tasks = ("translate", "transcribe")
        values["task_to_id"] = {task: tokenizer.token_to_id(f"<|{task}|>") for task in tasks}
        # The languages stand between the start and the two tasks.
        codes = [str(tokenizer.id_to_token(token)) for token in range(start + 1, min(values["task_to_id"].values()))]
        values["lang_to_id"] = {code: tokenizer.token_to_id(code) for code in codes}
    return GenerationConfig(**values)


def _layers(weights: Weights, side: str) -> int:
    parts = {name.split("/")[1] for name in weights if name.startswith(f"{side}/layer_")}
    return len(parts - {"layer_norm"})


def _state(weights: Weights) -> Iterator[tuple[str, torch.Tensor]]:
    for side in ("encoder", "decoder"):
        stack = f"model.{side}"
        for place in range(_layers(weights, side)):
            yield from _layer(weights, f"{side}/layer_{place}/", f"{stack}.layers.{place}.")
        yield from _pair(weights, f"{side}/layer_norm", f"{stack}.layer_norm")
        yield f"{stack}.embed_positions.weight", _tensor(weights[f"{side}/position_encodings/encodings"])
    for name in ("conv1", "conv2"):
        yield from _pair(weights, f"encoder/{name}", f"model.encoder.{name}")
    embedding = _tensor(weights["decoder/embeddings/weight"])
    yield "model.decoder.embed_tokens.weight", embedding
    yield "proj_out.weight", embedding


def _layer(weights: Weights, theirs: str, ours: str) -> Iterator[tuple[str, torch.Tensor]]:
    for part, name in _LAYER_PARTS.items():
        yield from _pair(weights, theirs + part, ours + name)
    for part, name in _JOINED.items():
        if f"{theirs}{part}/weight" not in weights:
            continue
        letters = "qkv" if part.startswith("self") else "kv"
        for kind in ("weight", "bias"):
            pieces = _tensor(weights[f"{theirs}{part}/{kind}"]).chunk(len(letters))
            for letter, piece in zip(letters, pieces, strict=True):
                if (letter, kind) != ("k", "bias"):
                    yield f"{ours}{name}.{letter}_proj.{kind}", piece
                elif piece.any():
                    raise ValueError(f"{theirs}{part} has a bias of keys, which Whisper has not")


def _pair(weights: Weights, theirs: str, ours: str) -> Iterator[tuple[str, torch.Tensor]]:
    for kind, name in _KINDS.items():
        if f"{theirs}/{kind}" in weights:
            yield f"{ours}.{name}", _tensor(weights[f"{theirs}/{kind}"])


def _tensor(values: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(values.astype(np.float32))
