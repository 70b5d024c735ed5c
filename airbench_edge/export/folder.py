"""A checkpoint becomes a model folder: three graphs, the files of tokenizer and processor, a manifest."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import msgspec

from airbench_edge import __version__
from airbench_edge.audiolm.onnx.sessions import RUNTIME_ERRORS
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import checkpoint_hash, model_type
from airbench_edge.export.decoder import Shape
from airbench_edge.export.decoder_parity import Distance, Reference, check
from airbench_edge.export.families import family_of
from airbench_edge.export.families.contract import ExportFamily
from airbench_edge.export.graphs import OPSET, Traced
from airbench_edge.export.parts import DecoderGraph, Parts, no_gqa
from airbench_edge.export.precision import in_float16, to_int8
from airbench_edge.export.weights import Keep, write_graph

DTYPES = ("fp32", "fp16", "int8", "int4")
ATTENTIONS = ("auto", "gqa", "plain")

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


class ExportManifest(msgspec.Struct, frozen=True):
    """What ``airbench.json`` says about an export.

    Attributes:
        family: Model type of the checkpoint.
        checkpoint_sha256: Hash over its configuration and weights, and over those of the models that it names.
        dtype: As asked for.
        compact: Whether float32 weights are stored as float16 where that loses nothing.
        opset: Operator set of the graphs.
        decoder: What its decoder graph is like.
        versions: Of the tools that made it.
    """

    family: str
    checkpoint_sha256: str
    dtype: str
    compact: bool
    opset: int
    decoder: DecoderFacts
    versions: dict[str, str]


class _Plan(NamedTuple):
    """What was asked for."""

    dtype: str
    compact: bool
    attention: str


def export_checkpoint(
    checkpoint: Path,
    out: Path,
    dtype: str = "fp32",
    *,
    compact: bool = False,
    attention: str = "auto",
    progress: Progress = lambda *_: None,
) -> ExportManifest:
    """Export a checkpoint. The folder appears whole at the end or not at all.

    ``fp16`` converts embeddings and decoder, ``int8`` and ``int4`` the decoder. The encoder stays in float32: float16
    overflows in the encoders of some families (PyTorch clamps there), int8 makes it a tenth faster and its features 4
    to 6 % wrong, and a clip passes it once.

    Args:
        checkpoint: Folder of the PyTorch model with its processor.
        out: The new model folder; must not exist yet.
        dtype: ``fp32``, ``fp16``, ``int8`` or ``int4``.
        compact: Store float32 weights as float16 where that is exact.
        attention: ``gqa``, ``plain``, or ``auto`` for ``gqa`` where the graph provably says what PyTorch says.
        progress: Told how far it is.

    Returns:
        The manifest, which is also written as ``airbench.json``.

    Raises:
        InputError: The checkpoint is incomplete or of an unknown family, the target exists, or the decoder graph does
            not say what PyTorch says.
    """
    if dtype not in DTYPES:
        raise InputError(f"Unknown dtype {dtype!r}: choose one of {', '.join(DTYPES)}.")
    if attention not in ATTENTIONS:
        raise InputError(f"Unknown attention {attention!r}: choose one of {', '.join(ATTENTIONS)}.")
    if out.exists():
        raise InputError(f"{out} exists already; name a new folder, or remove it first.")
    family = family_of(model_type(checkpoint))
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        decoder = _write_graphs(family, checkpoint, unfinished / "onnx", _Plan(dtype, compact, attention), progress)
        manifest = ExportManifest(
            family=family.model_type,
            checkpoint_sha256=checkpoint_hash(*family.sources(checkpoint)),
            dtype=dtype,
            compact=compact,
            opset=OPSET,
            decoder=decoder,
            versions={name: version(name) for name in ("torch", "transformers", "onnx", "onnxruntime-gpu")}
            | {"airbench-edge": __version__},
        )
        family.companions(checkpoint, unfinished)
        (unfinished / "airbench.json").write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        unfinished.chmod(0o777 & ~_umask())
        unfinished.rename(out)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return manifest


def _write_graphs(
    family: ExportFamily, checkpoint: Path, folder: Path, plan: _Plan, progress: Progress
) -> DecoderFacts:
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
    facts = _write_graphs(family, checkpoint, folder, plan._replace(attention="plain"), progress)
    return msgspec.structs.replace(facts, why_plain=wrong)


def _write_unproved(
    family: ExportFamily, checkpoint: Path, folder: Path, plan: _Plan, progress: Progress
) -> tuple[DecoderGraph, Shape, Reference]:
    """Write all graphs, and a second decoder for the proof where the first is smaller or larger than the checkpoint.

    The second one computes in float32 with weights as small as those of the checkpoint, and so does its proof.
    """
    progress("loading", 0, 0)
    parts = Parts(family, family.load(checkpoint))
    decoder = parts.decoder(plan.attention)
    text = Keep.COMPACT if plan.compact else Keep.FLOAT32
    jobs = [(parts.encoder(), "audio_encoder", "fp32"), (parts.embeddings(), "embed_tokens", plan.dtype)]
    jobs.append((decoder.traced, "decoder_model_merged", plan.dtype))
    total = sum(weight.nbytes for traced, _, _ in jobs for weight in traced.weights.values())
    done = 0

    def advanced(size: int) -> None:
        nonlocal done
        done += size
        progress("writing", done, total)

    for traced, name, dtype in jobs:
        _write(
            traced, folder, name, dtype if name == "decoder_model_merged" or dtype == "fp16" else "fp32", text, advanced
        )
    narrow = any(weight.element_size() < 4 for weight in decoder.traced.weights.values())
    if plan.dtype != "fp32" or (narrow and not plan.compact):
        (folder / "proof").mkdir()
        write_graph(decoder.traced, folder / "proof" / "decoder_model_merged.onnx", Keep.COMPACT)
    progress("comparing with PyTorch", total, total)
    parts.prove_encoder(folder / "audio_encoder.onnx")
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
