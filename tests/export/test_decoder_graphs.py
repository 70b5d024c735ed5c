"""Decoder graphs of the backbones that audio-LMs have, against PyTorch: alone and in a padded batch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import onnx
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import torch
import transformers
from helpers.transformers_version import FIVE

from airbench_edge.errors import InputError
from airbench_edge.export.decoder_parity import check, reference, widened
from airbench_edge.export.decoder_rotary import NotFusedError, rotary_of
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.parts import Parts
from airbench_edge.export.weights import Keep, write_graph
from airbench_edge.export.writing import Plan, write_graphs

pytestmark = pytest.mark.slow

SIZES = {
    "vocab_size": 160,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "initializer_range": 0.2,
    "pad_token_id": 0,
    "attn_implementation": "eager",
}

BACKBONES: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("Llama", {}),
    "llama3 rope": (
        "Llama",
        {
            "rope_scaling": {
                "rope_type": "llama3",
                "rope_theta": 10000.0,
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64,
            }
        },
    ),
    "qwen2": ("Qwen2", {}),
    "qwen2, window in one layer": (
        "Qwen2",
        {
            "use_sliding_window": True,
            "sliding_window": 8,
            "max_window_layers": 1,
            "layer_types": ["full_attention", "sliding_attention"],
        },
    ),
    "qwen3": ("Qwen3", {"head_dim": 32}),
    "mistral": ("Mistral", {"sliding_window": None}),
    "mistral with a window": ("Mistral", {"sliding_window": 8}),
    "phi3": ("Phi3", {"sliding_window": None}),
    "granite": ("Granite", {"attention_multiplier": 0.3, "residual_multiplier": 0.5, "embedding_multiplier": 2.0}),
}


class Text(ExportFamily):
    """A text model; its encoder is a layer that nobody runs."""

    model_type = "text"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        return torch.nn.Linear(4, 4)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        return [Sample("sound", torch.ones(2, 4), {0: "clips"})]


def model_of(name: str, **settings: Any) -> torch.nn.Module:  # noqa: ANN401
    """A backbone with random weights; norms and biases differ from 1 and 0."""
    kind, own = BACKBONES[name]
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**SIZES | own | settings)
    model = getattr(transformers, f"{kind}ForCausalLM")(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        if parameter.ndim == 1:
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.mark.parametrize("name", BACKBONES)
def test_both_graphs_say_what_pytorch_says(name: str, tmp_path: Path) -> None:
    parts = Parts(Text(), model_of(name))
    wanted = parts.reference()
    for attention in ("gqa", "plain"):
        graph = parts.decoder(attention)
        assert graph.attention == attention
        path = tmp_path / f"{attention}.onnx"
        write_graph(graph.traced, path, Keep.FLOAT32)
        distance = check(path, parts.shape, wanted)
        assert distance.difference < 1e-4 < 3 < distance.spread
        operators = [node.op_type for node in onnx.load(path).graph.node]
        assert operators.count("GroupQueryAttention") == (2 if attention == "gqa" else 0)
        assert ("SimplifiedLayerNormalization" in operators) == (attention == "gqa")


def test_tracing_leaves_the_model_as_it_was(tmp_path: Path) -> None:
    model = model_of("qwen2")
    ids = torch.arange(12)[None]
    before, weights = model(ids).logits, {name: value.clone() for name, value in model.state_dict().items()}
    parts = Parts(Text(), model)
    parts.decoder("gqa")
    parts.decoder("plain")
    assert torch.equal(model(ids).logits, before)
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())


def test_a_wrong_weight_is_noticed(tmp_path: Path) -> None:
    parts = Parts(Text(), model_of("llama"))
    wanted = parts.reference()
    traced = parts.decoder("gqa").traced
    traced.weights["stack.layers.1.self_attn.v_proj.weight"][3, 5] += 1
    write_graph(traced, tmp_path / "graph.onnx", Keep.FLOAT32)
    assert not check(tmp_path / "graph.onnx", parts.shape, wanted).holds


@pytest.mark.parametrize("settings", [{"head_dim": 8}, {"head_dim": 24}], ids=["8", "24"])
def test_heads_that_the_operator_cannot_rotate_are_spelt_out(settings: dict[str, int]) -> None:
    parts = Parts(Text(), model_of("qwen3", **settings))
    graph = parts.decoder("auto")
    assert graph.attention == "plain"
    assert (
        graph.why_plain == f"it rotates {settings['head_dim']} values a head, and the operator wants a multiple of 16"
    )
    with pytest.raises(InputError, match=r"cannot be exported with GroupQueryAttention: it rotates .*--attention auto"):
        parts.decoder("gqa")
    assert parts.decoder("plain").why_plain == ""


class TwoRotations(Text):
    """A text model whose second layer rotates by half as much of cosine and sine, which the operator is not told."""

    def load(self, checkpoint: Path) -> torch.nn.Module:
        model = model_of("llama")

        def halve(_: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
            cos, sin = named["position_embeddings"]
            return arguments, named | {"position_embeddings": (cos / 2, sin / 2)}

        model.model.layers[1].self_attn.register_forward_pre_hook(halve, with_kwargs=True)
        return model


def test_where_the_proof_fails_attention_is_spelt_out(tmp_path: Path) -> None:
    facts = write_graphs(TwoRotations(), tmp_path, tmp_path / "onnx", Plan("int4", False, "auto"), lambda *_: None)
    assert facts.attention == "plain"
    assert re.fullmatch(r"its logits are \S+ off, of a range of \S+", facts.why_plain)
    assert facts.logit_difference < 1e-4 < 3 < facts.logit_range
    names = sorted(path.name for path in (tmp_path / "onnx").iterdir())
    assert names == ["audio_encoder.onnx", "decoder_model_merged_q4.onnx", "embed_tokens.onnx"]
    with pytest.raises(InputError, match="cannot be exported with GroupQueryAttention: its logits are"):
        write_graphs(TwoRotations(), tmp_path, tmp_path / "other", Plan("fp32", False, "gqa"), lambda *_: None)


def test_a_long_range_scaling_ends_where_it_switches() -> None:
    kind = {"rope_type": "longrope", "rope_theta": 1e4} if FIVE else {"type": "longrope"}
    scaling = kind | {"short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
    parts = Parts(Text(), model_of("phi3", original_max_position_embeddings=64, rope_scaling=scaling))
    assert parts.decoder("gqa").positions == 64


def test_a_model_without_one_rotation_is_not_fused() -> None:
    model = model_of("llama")
    model.model.rotary_emb_local = model.model.rotary_emb
    with pytest.raises(NotFusedError, match="one table"):
        rotary_of(model.model)


@pytest.mark.parametrize("stored", [torch.float16, torch.bfloat16])
def test_weights_of_16_bits_are_widened_for_the_proof_only(stored: torch.dtype, tmp_path: Path) -> None:
    model = model_of("llama").to(stored)
    parts = Parts(Text(), model)
    narrow = parts.reference()
    assert {value.dtype for value in model.state_dict().values()} == {stored}
    whole = model_of("llama").to(stored).float()
    wide = reference(lambda ids: {"inputs_embeds": whole.get_input_embeddings()(ids)}, whole.model, whole.lm_head)
    for one, other in zip(narrow.logits, wide.logits, strict=True):
        assert abs(one - other).max() < 1e-5
    write_graph(parts.decoder("gqa").traced, tmp_path / "graph.onnx", Keep.COMPACT)
    assert check(tmp_path / "graph.onnx", parts.shape, narrow).difference < 1e-4


def test_widened_weights_come_back_after_each_layer() -> None:
    layer = torch.nn.Linear(3, 2).half()
    with widened(layer):
        assert layer(torch.ones(1, 3)).dtype == torch.float32
        assert layer.weight.dtype == torch.float16
