from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from helpers.tiny_audiolm import CASE

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.decoder import Decoder
from airbench_edge.audiolm.onnx.decoding import Limits, follow, greedy, penalised
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph

PROMPT = [1, 40, 41, 42, 7, 300, 9]
FREE = Limits(frozenset())


def decoder(path: Path = CASE / "onnx" / "decoder_model_merged.onnx") -> Decoder:
    embed, merged = (open_graph(file.stem, file, [(CPU, {})]) for file in (CASE / "onnx" / "embed_tokens.onnx", path))
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


@pytest.mark.parametrize("damage", [np.nan, np.inf], ids=str)
def test_no_token_is_chosen_among_what_is_no_number(tmp_path: Path, damage: float) -> None:
    graph = onnx.load(CASE / "onnx" / "decoder_model_merged.onnx")
    (last,) = (node for node in graph.graph.node if "logits" in node.output)
    last.output[list(last.output).index("logits")] = "numbers"
    graph.graph.node.append(onnx.helper.make_node("Mul", ["numbers", "damage"], ["logits"]))
    graph.graph.initializer.append(onnx.numpy_helper.from_array(np.array([damage], np.float32), "damage"))
    onnx.save(graph, tmp_path / "decoder_model_merged.onnx")
    model = decoder(tmp_path / "decoder_model_merged.onnx")
    with pytest.raises(ModelError, match="the decoder computes NaN or infinity as logits: in float16"):
        greedy(model, PROMPT, model.embed(PROMPT), FREE, 5)
