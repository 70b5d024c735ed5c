from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from helpers.gqa_graph import WIDTH, GqaDecoder
from helpers.tiny_audiolm import CASE, replace_bytes

from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.decoder import Decoder
from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.errors import InputError

EMBED = CASE / "onnx" / "embed_tokens.onnx"
DECODER = CASE / "onnx" / "decoder_model_merged.onnx"


def opened(decoder: Path = DECODER, embed: Path = EMBED, config: TextConfig | None = None) -> Decoder:
    first, second = (open_graph(path.stem, path, [(CPU, {})]) for path in (embed, decoder))
    return Decoder(first, second, config or TextConfig(), "cpu")


def changed(folder: Path, model: onnx.ModelProto, name: str = "decoder_model_merged") -> Path:
    onnx.save(model, folder / f"{name}.onnx")
    return folder / f"{name}.onnx"


def test_step_by_step_equals_all_at_once() -> None:
    decoder = opened()
    ids = [1, 40, 41, 42, 7, 300, 9]
    whole = decoder.begin(20).feed(decoder.embed(ids))
    sequence = decoder.begin(20)
    sequence.feed(decoder.embed(ids[:4]))
    for token in ids[4:]:
        last = sequence.feed(decoder.embed([token]))
    assert np.abs(last - whole).max() < 1e-5


def test_grouped_query_attention_without_position_ids(tmp_path: Path) -> None:
    gqa = GqaDecoder(seed=3)
    decoder = opened(changed(tmp_path, gqa.graph()))
    embeds = decoder.embed([5, 17, 200, 33, 8, 120])["inputs_embeds"]
    sequence = decoder.begin(20)
    for start, end in ((0, 4), (4, 5), (5, 6)):
        logits = sequence.feed({"inputs_embeds": embeds[:, start:end]})
        assert np.abs(logits - gqa.logits(embeds[0, :end].astype(np.float32))).max() < 1e-4


def test_a_graph_that_leaves_its_lengths_open_takes_them_from_the_configuration(tmp_path: Path) -> None:
    gqa = GqaDecoder(seed=3)
    model = gqa.graph()
    for value in model.graph.input[3:]:
        for axis, name in ((1, "heads"), (3, "size")):
            value.type.tensor_type.shape.dim[axis].dim_param = name
    path = changed(tmp_path, model)
    config = TextConfig(num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, hidden_size=WIDTH)
    decoder = opened(path, config=config)  # head size: 32 / 2 = 16
    embeds = decoder.embed([5, 17])["inputs_embeds"]
    said = decoder.begin(20).feed({"inputs_embeds": embeds})
    assert np.abs(said - gqa.logits(embeds[0].astype(np.float32))).max() < 1e-4
    with pytest.raises(InputError, match=r"Neither .*decoder_model_merged\.onnx nor config\.json says how many heads"):
        opened(path)


def test_the_number_of_layers_shows_both_sides() -> None:
    with pytest.raises(InputError, match=r"keys of 2 and values of 2 layers, config\.json says 3"):
        opened(config=TextConfig(num_hidden_layers=3))


@pytest.mark.parametrize(
    ("config", "both"),
    [
        (TextConfig(num_key_value_heads=4), r"has 2 heads in past_key_values\.0\.key, config\.json says 4"),
        (TextConfig(head_dim=64), r"has 8 values a head in past_key_values\.0\.key, config\.json says 64"),
        (TextConfig(hidden_size=64, num_attention_heads=4), r"has 8 values a head .* says 16"),
    ],
)
def test_the_shape_of_keys_shows_both_sides(config: TextConfig, both: str) -> None:
    with pytest.raises(InputError, match=both):
        opened(config=config)


def test_the_width_of_embeddings_shows_both_sides(tmp_path: Path) -> None:
    model = onnx.load(EMBED)
    model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = 48
    model.graph.node.append(onnx.helper.make_node("Pad", ["narrow", "pads"], ["inputs_embeds"]))
    model.graph.node[-2].output[0] = "narrow"
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([0, 0, 0, 0, 0, 16]), "pads"))
    with pytest.raises(InputError, match=r"makes inputs_embeds of width 48, .* takes 32"):
        opened(embed=changed(tmp_path, model, "embed_tokens"))


@pytest.mark.parametrize("name", [b"inputs_embeds", b"attention_mask", b"logits", b"present.1.value"])
def test_a_missing_name_shows_those_that_are_there(tmp_path: Path, name: bytes) -> None:
    path = changed(tmp_path, onnx.load(DECODER))
    replace_bytes(path, name, name[:-1] + b"z")
    with pytest.raises(InputError, match=rf"lacks the (in|out)put {name.decode()}; its (in|out)puts are .*z"):
        opened(path)


def test_an_unknown_input_shows_the_known_ones(tmp_path: Path) -> None:
    path = changed(tmp_path, onnx.load(DECODER))
    replace_bytes(path, b"position_ids", b"position_idz")
    with pytest.raises(
        InputError, match=r"wants the input position_idz, which is not known here; known are .*position_ids"
    ):
        opened(path)


def test_a_decoder_without_keys_and_values(tmp_path: Path) -> None:
    path = changed(tmp_path, onnx.load(DECODER))
    replace_bytes(path, b"past_key_values.1.value", b"position_values.1.value")
    with pytest.raises(InputError, match=r"position_values"):
        opened(path)


def test_logits_without_positions_are_refused(tmp_path: Path) -> None:
    model = onnx.load(DECODER)
    (last,) = (node for node in model.graph.node if "logits" in node.output)
    last.output[list(last.output).index("logits")] = "whole"
    model.graph.node.append(onnx.helper.make_node("Reshape", ["whole", "flat"], ["logits"]))
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([-1]), "flat"))
    (logits,) = (value for value in model.graph.output if value.name == "logits")
    del logits.type.tensor_type.shape.dim[1:]
    logits.type.tensor_type.shape.dim[0].dim_param = "all"
    with pytest.raises(InputError, match=r"declares logits as \[None\] instead of \[batch, positions, vocabulary\]"):
        opened(changed(tmp_path, model))
