"""A checkpoint becomes a model folder: three graphs, the files of tokenizer and processor, a manifest."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import msgspec

from airbench_edge import __version__
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import checkpoint_hash, model_type
from airbench_edge.export.companions import check_companions
from airbench_edge.export.families import family_of
from airbench_edge.export.graphs import OPSET
from airbench_edge.export.unfinished import unfinished
from airbench_edge.export.writing import DecoderFacts, Plan, Progress, write_graphs

DTYPES = ("fp32", "fp16", "int8", "int4")
ATTENTIONS = ("auto", "gqa", "plain")


class ExportManifest(msgspec.Struct, frozen=True):
    """What ``airbench.json`` says about an export.

    Attributes:
        family: Model type of the checkpoint.
        checkpoint_sha256: Hash over its configuration and weights, and over those of the models that it names.
        dtype: As asked for.
        compact: Whether weights are stored in 16 bits where that loses nothing.
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
        compact: Store weights in 16 bits where that is exact; they compute as float32.
        attention: ``gqa``, ``plain``, or ``auto`` for ``gqa`` where the graph provably says what PyTorch says.
        progress: Told how far it is.

    Returns:
        The manifest, which is also written as ``airbench.json``.

    Raises:
        InputError: The checkpoint is incomplete, faulty or of an unknown family, the target exists or cannot be made,
            or the decoder graph does not say what PyTorch says.
    """
    if dtype not in DTYPES:
        raise InputError(f"Unknown dtype {dtype!r}: choose one of {', '.join(DTYPES)}.")
    if attention not in ATTENTIONS:
        raise InputError(f"Unknown attention {attention!r}: choose one of {', '.join(ATTENTIONS)}.")
    family = family_of(model_type(checkpoint))
    with unfinished(out) as folder:
        check_companions(family, checkpoint)
        decoder = write_graphs(family, checkpoint, folder / "onnx", Plan(dtype, compact, attention), progress)
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
        family.companions(checkpoint, folder)
        (folder / "airbench.json").write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest
