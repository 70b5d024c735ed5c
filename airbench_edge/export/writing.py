"""The three graphs of a model, written, and the decoder proved before anybody gets to see it."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from airbench_edge.audiolm.onnx.sessions import RUNTIME_ERRORS
from airbench_edge.errors import InputError
from airbench_edge.export.decoder import Shape
from airbench_edge.export.decoder_parity import Distance, Reference, check
from airbench_edge.export.families.contract import ExportFamily, load_family
from airbench_edge.export.graphs import Traced
from airbench_edge.export.parts import DecoderGraph, Parts, no_gqa
from airbench_edge.export.precision import in_float16, to_int8
from airbench_edge.export.refusal import refused
from airbench_edge.export.weights import Keep, NotFiniteError, write_graph

Progress = Callable[[str, int, int], None]
"""Told what is being written, and how many of how many bytes of the checkpoint went into it."""

_SUFFIXES = {"fp32": "", "fp16": "_fp16", "int8": "_int8", "int4": "_q4"}


class DecoderFacts(msgspec.Struct, frozen=True):
    """The decoder graph of an export.

    Attributes:
        attention: ``gqa`` for GroupQueryAttention, ``plain`` for attention spelt out.
        why_plain: Why it is not ``gqa``; empty where it is, or where ``plain`` was asked for.
        pad_side: Side on which shorter rows of a batch are padded.
        max_positions: Longest sequence that it takes.
        logits_input: Input that says which positions reach the vocabulary.
        layers: Layers with keys and values of their own.
        kv_heads: Heads of keys and values.
        head_size: Values a head.
        logit_difference: Largest difference to a logit of PyTorch, on made-up prompts, weights in float32.
        logit_range: Largest logit of PyTorch less smallest one there.
    """

    attention: str
    why_plain: str
    pad_side: str
    max_positions: int
    logits_input: str
    layers: int
    kv_heads: int
    head_size: int
    logit_difference: float
    logit_range: float


class Plan(NamedTuple):
    """What was asked for."""

    dtype: str
    compact: bool
    attention: str


def write_graphs(family: ExportFamily, checkpoint: Path, folder: Path, plan: Plan, progress: Progress) -> DecoderFacts:
    """Write the graphs and prove the decoder; where fused attention is not proved, once more without it."""
    folder.mkdir()
    graph, shape, wanted = _write_unproved(family, checkpoint, folder, plan, progress)
    graph.traced.weights.clear()
    gc.collect()  # the model goes before the graph is opened
    proof = folder / "proof" / "decoder_model_merged.onnx"
    try:
        parity = check(proof if proof.exists() else folder / "decoder_model_merged.onnx", shape, wanted)
        wrong = "" if parity.holds else f"its logits are {parity.difference:.2g} off, of a range of {parity.spread:.2g}"
    except RUNTIME_ERRORS as error:
        wrong = f"it does not run ({' '.join(str(error).split())[:300]})"
    shutil.rmtree(proof.parent, ignore_errors=True)
    if not wrong:
        return _facts(graph, shape, parity)
    if plan.attention == "gqa":
        raise no_gqa(wrong)
    if graph.attention == "plain":
        raise InputError(f"The decoder graph does not say what PyTorch says, {wrong}: it cannot be exported.")
    shutil.rmtree(folder)
    facts = write_graphs(family, checkpoint, folder, plan._replace(attention="plain"), progress)
    return msgspec.structs.replace(facts, why_plain=wrong)


def _write_unproved(
    family: ExportFamily, checkpoint: Path, folder: Path, plan: Plan, progress: Progress
) -> tuple[DecoderGraph, Shape, Reference]:
    """Write all graphs, and a second decoder for the proof where the first is smaller or larger than the checkpoint.

    The second one computes in float32 with weights as small as those of the checkpoint, and so does its proof.
    """
    progress("loading", 0, 0)
    model = load_family(family, checkpoint)
    with refused(f"The model in {checkpoint} cannot be traced", "compare its config.json with its source"):
        parts = Parts(family, model)
        decoder = parts.decoder(plan.attention)
        jobs = [
            (parts.encoder(), "audio_encoder", "fp32"),
            (parts.embeddings(), "embed_tokens", "fp16" if plan.dtype == "fp16" else "fp32"),
            (decoder.traced, "decoder_model_merged", plan.dtype),
        ]
    text = Keep.COMPACT if plan.compact else Keep.FLOAT32
    total = sum(weight.nbytes for traced, _, _ in jobs for weight in traced.weights.values())
    done = 0

    def advanced(size: int) -> None:
        nonlocal done
        done += size
        progress("writing", done, total)

    for traced, name, dtype in jobs:
        try:
            _write(traced, folder, name, dtype, text, advanced)
        except NotFiniteError as error:
            raise InputError(
                f"The weights in {checkpoint} hold NaN or infinity, in {error} of the {name}: restore the checkpoint."
            ) from error
    narrow = any(weight.element_size() < 4 for weight in decoder.traced.weights.values())
    if plan.dtype != "fp32" or (narrow and not plan.compact):
        (folder / "proof").mkdir()
        write_graph(decoder.traced, folder / "proof" / "decoder_model_merged.onnx", Keep.COMPACT)
    progress("comparing with PyTorch", total, total)
    with refused(f"The model in {checkpoint} cannot be run", "compare its config.json with its source"):
        return decoder, parts.shape, parts.reference()


def _write(traced: Traced, folder: Path, name: str, dtype: str, whole: Keep, advanced: Callable[[int], None]) -> None:
    path = folder / f"{name}{_SUFFIXES[dtype]}.onnx"
    if dtype == "fp16":
        write_graph(in_float16(traced), path, Keep.FLOAT16, advanced)
    elif dtype == "int8":
        source = folder / f"{name}.float32.onnx"
        write_graph(traced, source, Keep.FLOAT32, advanced)
        to_int8(source, path)
        for leftover in (source, source.with_name(source.name + "_data")):
            leftover.unlink(missing_ok=True)
    else:
        write_graph(traced, path, Keep.INT4 if dtype == "int4" else whole, advanced)


def _facts(graph: DecoderGraph, shape: Shape, parity: Distance) -> DecoderFacts:
    fused = graph.attention == "gqa"
    return DecoderFacts(
        attention=graph.attention,
        why_plain=graph.why_plain,
        pad_side="right" if fused else "left",
        max_positions=graph.positions,
        logits_input="logits_indices" if fused else "num_logits_to_keep",
        layers=shape.layers,
        kv_heads=shape.kv_heads,
        head_size=shape.head_size,
        logit_difference=parity.difference,
        logit_range=parity.spread,
    )
