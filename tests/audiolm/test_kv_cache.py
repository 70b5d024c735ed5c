from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from helpers.gqa_graph import GqaDecoder
from helpers.tiny_audiolm import CASE as PLAIN

from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.decoder import Continuation, Decoder, Logits
from airbench_edge.audiolm.onnx.decoding import Limits, follow, greedy
from airbench_edge.audiolm.onnx.kv_cache import Cache, GrowingCache, SharedCache, writes_in_place
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import RUNTIME_ERRORS, Port, open_graph

GENAI = Path(__file__).parents[1] / "cases" / "tiny_genai"
GOLDEN: list[dict[str, Any]] = json.loads(GENAI.with_suffix(".json").read_text(encoding="utf-8"))
FREE = Limits(frozenset())
PROMPT = [1, 40, 41, 42, 7, 300, 9]
PORTS = [
    Port(f"past_key_values.{layer}.{part}", np.dtype(np.float32), (1, 1, None, 16))
    for layer in range(2)
    for part in ("key", "value")
]


def genai(memory: str = "cpu") -> Decoder:
    embed, decoder = (
        open_graph(name, GENAI / f"{name}.onnx", [(CPU, {})]) for name in ("embed_tokens", "decoder_model_merged")
    )
    # The builder leaves the size of a head open.
    return Decoder(embed, decoder, TextConfig(num_hidden_layers=2, head_dim=16), memory)


def fed(decoder: Decoder, cache: Cache, tokens: list[int]) -> list[Logits]:
    sequence = Continuation(decoder, cache)
    first = sequence.feed(decoder.embed(PROMPT))
    return [first, *(sequence.feed(decoder.embed([token])) for token in tokens)]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"{len(golden['prompt'])} tokens")
def test_a_decoder_of_the_model_builder_says_what_transformers_says(golden: dict[str, Any]) -> None:
    decoder, prompt = genai(), golden["prompt"]
    assert greedy(decoder, prompt, decoder.embed(prompt), FREE, 24) == (golden["tokens"], "length")
    followed = follow(decoder, prompt, decoder.embed(prompt), FREE, golden["tokens"])
    assert np.abs(followed.logits[-1] - golden["last_logits"]).max() < 1e-4


def test_keys_and_values_in_place_give_what_growing_ones_give() -> None:
    decoder, tokens = genai(), GOLDEN[0]["tokens"]
    grown = fed(decoder, GrowingCache(PORTS, "cpu"), tokens)
    shared = fed(decoder, SharedCache(PORTS, "cpu", len(PROMPT) + len(tokens)), tokens)
    assert [int(row.argmax()) for row in shared] == [int(row.argmax()) for row in grown]
    assert np.abs(np.array(shared) - np.array(grown)).max() < 1e-5


def test_room_that_is_not_needed_changes_nothing() -> None:
    decoder, tokens = genai(), GOLDEN[0]["tokens"][:5]
    exact, roomy = (fed(decoder, SharedCache(PORTS, "cpu", positions), tokens) for positions in (12, 200))
    assert np.abs(np.array(exact) - np.array(roomy)).max() < 1e-5


def test_a_buffer_that_is_too_short_is_an_error() -> None:
    decoder = genai()
    sequence = Continuation(decoder, SharedCache(PORTS, "cpu", len(PROMPT)))
    sequence.feed(decoder.embed(PROMPT))
    with pytest.raises(RUNTIME_ERRORS):
        sequence.feed(decoder.embed([5]))


def test_sequences_do_not_disturb_each_other() -> None:
    decoder = genai()
    alone = decoder.begin(8).feed(decoder.embed(PROMPT))
    first, second = decoder.begin(8), decoder.begin(8)
    first.feed(decoder.embed(PROMPT[:3]))
    second.feed(decoder.embed([9, 9, 9, 9, 9]))
    assert np.abs(first.feed(decoder.embed(PROMPT[3:])) - alone).max() < 1e-5


def test_in_float32_keys_and_values_stay_where_the_cpu_computes_their_attention() -> None:
    decoder = genai(memory="cuda")  # on a machine without CUDA, any tensor there would be an error
    assert int(decoder.begin(8).feed(decoder.embed(PROMPT)).argmax()) == GOLDEN[0]["tokens"][0]


def test_only_the_operator_counts_not_a_name_that_resembles_it(tmp_path: Path) -> None:
    assert writes_in_place(GENAI / "decoder_model_merged.onnx")
    plain = onnx.load(PLAIN / "onnx" / "decoder_model_merged.onnx")
    plain.graph.node[0].name = "/model/layers.0/attn/GroupQueryAttention"
    onnx.save(plain, tmp_path / "plain.onnx")
    assert not writes_in_place(tmp_path / "plain.onnx")
    onnx.save(GqaDecoder(seed=3).graph(), tmp_path / "fused.onnx")
    assert writes_in_place(tmp_path / "fused.onnx")
