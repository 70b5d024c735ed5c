"""A Whisper checkpoint becomes a folder to transcribe with: encoder, decoder with cache, configurations."""

from __future__ import annotations

import shutil
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import load_model, model_type
from airbench_edge.export.graphs import OPSET
from airbench_edge.export.precision import merge_loose_weights, save_graph
from airbench_edge.export.quiet import quiet
from airbench_edge.export.whisper_graphs import COARSE, WhisperDecoder, WhisperEncoder

_COMPANIONS = ("config.json", "generation_config.json", "preprocessor_config.json", "tokenizer.json")


def export_whisper(checkpoint: Path, out: Path) -> None:
    """Write ``encoder.onnx`` and ``decoder.onnx`` in float32, and copy the configurations.

    Args:
        checkpoint: Folder of a ``WhisperForConditionalGeneration`` with its ``tokenizer.json``.
        out: The new folder; its parent must exist.

    Raises:
        InputError: The checkpoint is incomplete or of another model, or the target exists.
    """
    if (kind := model_type(checkpoint)) != "whisper":
        raise InputError(f"{checkpoint} holds a model of type {kind}: give a Whisper checkpoint.")
    if not (checkpoint / "generation_config.json").is_file():
        raise InputError(f"{checkpoint} has no generation_config.json, which names Whisper's tokens: restore it.")
    if out.exists():
        raise InputError(f"{out} exists already; name a new folder, or remove it first.")
    model = load_model(checkpoint).float()
    out.mkdir()
    for name in _COMPANIONS:
        shutil.copyfile(checkpoint / name, out / name)
    _trace_encoder(model, out / "encoder.onnx")
    _trace_decoder(model, out / "decoder.onnx")


def _trace_encoder(model: torch.nn.Module, path: Path) -> None:
    config = model.config
    mel = torch.randn(2, config.num_mel_bins, 2 * config.max_source_positions)
    outputs = _names("cross", config.decoder_layers)
    axes = {"input_features": {0: "windows"}, **{name: {0: "windows"} for name in outputs}}
    _trace(WhisperEncoder(model), (mel,), ["input_features"], outputs, axes, path)


def _trace_decoder(model: torch.nn.Module, path: Path) -> None:
    config = model.config
    layers, heads = config.decoder_layers, config.decoder_attention_heads

    def pairs(places: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        shape = (2, heads, places, config.d_model // heads)
        return [(torch.randn(shape), torch.randn(shape)) for _ in range(layers)]

    past, cross, present = (_names(kind, layers) for kind in ("past", "cross", "present"))
    axes = {"input_ids": {0: "windows", 1: "new"}, "logits": {0: "windows", 1: "new"}}
    axes |= {name: {0: "windows", 2: "before"} for name in past}
    axes |= {name: {0: "windows"} for name in cross}
    axes |= {name: {0: "windows", 2: "after"} for name in present}
    arguments = (torch.ones(2, 3, dtype=torch.int64), pairs(5), pairs(config.max_source_positions))
    _trace(WhisperDecoder(model), arguments, ["input_ids", *past, *cross], ["logits", *present], axes, path)
    _to_8_bits(path, COARSE)


def _to_8_bits(path: Path, weights: str) -> None:
    """Store the weights of a matrix product in 8 bits, one scale for 32 of them."""
    graph = onnx.load(path)
    nodes = [node.name for node in graph.graph.node if node.op_type == "MatMul" and weights in node.input]
    quantizer = MatMulNBitsQuantizer(
        graph, bits=8, block_size=32, is_symmetric=True, accuracy_level=4, nodes_to_include=nodes
    )
    with quiet():
        quantizer.process()
    save_graph(quantizer.model.model, path)


def _names(kind: str, layers: int) -> list[str]:
    return [f"{kind}.{layer}.{half}" for layer in range(layers) for half in ("key", "value")]


def _trace(
    module: torch.nn.Module,
    arguments: tuple[object, ...],
    inputs: list[str],
    outputs: list[str],
    axes: dict[str, dict[int, str]],
    path: Path,
) -> None:
    """Trace with constants left unfolded: folding would store the embedding a second time, turned round."""
    with torch.no_grad(), quiet():
        torch.onnx.export(
            module.eval(),
            arguments,
            str(path),
            input_names=inputs,
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=OPSET,
            do_constant_folding=False,
            dynamo=False,
        )
    merge_loose_weights(path)
