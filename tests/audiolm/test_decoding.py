from __future__ import annotations

import numpy as np
from helpers.tiny_audiolm import CASE

from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.decoder import Decoder
from airbench_edge.audiolm.onnx.decoding import Limits, follow, greedy, penalised
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph

PROMPT = [1, 40, 41, 42, 7, 300, 9]
FREE = Limits(frozenset())


def decoder() -> Decoder:
    embed, merged = (
        open_graph(name, CASE / "onnx" / f"{name}.onnx", [(CPU, {})])
        for name in ("embed_tokens", "decoder_model_merged")
    )
    return Decoder(embed, merged, TextConfig(), "cpu")


def test_the_cap_ends_an_answer() -> None:
    model = decoder()
    tokens, finish = greedy(model, PROMPT, model.embed(PROMPT), FREE, 5)
    assert (len(tokens), finish) == (5, "length")


def test_a_stop_token_ends_an_answer_and_is_not_part_of_it() -> None:
    model = decoder()
    free, _ = greedy(model, PROMPT, model.embed(PROMPT), FREE, 5)
    place = next(place for place, token in enumerate(free) if token not in free[:place] and place > 0)
    tokens, finish = greedy(model, PROMPT, model.embed(PROMPT), Limits(frozenset([free[place]])), 5)
    assert (tokens, finish) == (free[:place], "stop")


def test_no_new_tokens() -> None:
    model = decoder()
    assert greedy(model, PROMPT, model.embed(PROMPT), FREE, 0) == ([], "length")


def test_following_ones_own_answer_agrees_everywhere() -> None:
    model = decoder()
    limits = Limits(frozenset(), repetition_penalty=1.5)
    tokens, _ = greedy(model, PROMPT, model.embed(PROMPT), limits, 6)
    followed = follow(model, PROMPT, model.embed(PROMPT), limits, tokens)
    assert followed.choices == tokens
    assert followed.logits.shape == (6, 320)


def test_the_penalty_divides_positive_and_multiplies_negative_logits_of_seen_tokens() -> None:
    logits = np.array([3.0, -3.0, 3.0, -3.0], np.float32)
    assert penalised(logits, {0, 1}, 2.0).tolist() == [1.5, -6.0, 3.0, -3.0]
    assert logits.tolist() == [3.0, -3.0, 3.0, -3.0]
