"""Which file of a graph to open when a folder holds it in several number types."""

from __future__ import annotations

import os
from pathlib import Path

from airbench_edge.errors import InputError

GRAPHS = ("audio_encoder", "embed_tokens", "decoder_model_merged")

SUFFIXES = {
    "fp32": "",
    "fp16": "_fp16",
    "int8": "_int8",
    "q8": "_quantized",
    "uint8": "_uint8",
    "q4": "_q4",
    "q4f16": "_q4f16",
    "bnb4": "_bnb4",
    "q2": "_q2",
    "q2f16": "_q2f16",
    "q1": "_q1",
    "q1f16": "_q1f16",
}
"""Number type to file suffix, as the ecosystem names them, the most faithful first: that is the order of preference,
the same on every device, so that two machines evaluate the same graphs."""


def choose_dtypes(folder: Path, wanted: str | None) -> dict[str, str]:
    """Choose a number type for each graph.

    Args:
        folder: The folder that holds the graphs.
        wanted: One number type for all graphs (``q4``), or a list (``audio_encoder=fp32,decoder_model_merged=q4``);
            graphs that it does not name, and all if it is None, take the first of ``SUFFIXES`` that is there. ``int4``
            is what ``export --dtype int4`` makes: the decoder as q4.

    Returns:
        Graph to number type.

    Raises:
        InputError: What was asked for is unknown or not there; another type is never taken in its place.
    """
    asked = _parse(wanted) if wanted else {}
    return {graph: _choose(folder, graph, asked.get(graph)) for graph in GRAPHS}


def graph_file(folder: Path, graph: str, dtype: str) -> Path:
    """Path of a graph in a number type."""
    return folder / f"{graph}{SUFFIXES[dtype]}.onnx"


def _parse(wanted: str) -> dict[str, str]:
    if wanted == "int4":
        asked = {"decoder_model_merged": "q4"}
    elif "=" in wanted:
        parts = [part.partition("=") for part in wanted.split(",")]
        asked = {graph.strip(): dtype.strip() for graph, _, dtype in parts}
    else:
        asked = dict.fromkeys(GRAPHS, wanted)
    for graph, dtype in asked.items():
        if graph not in GRAPHS or dtype not in SUFFIXES:
            raise InputError(
                f"Cannot read dtype {wanted!r}: give one of {', '.join(SUFFIXES)} for all graphs, "
                f"or GRAPH=TYPE,... with the graphs {', '.join(GRAPHS)}."
            )
    return asked


def _choose(folder: Path, graph: str, asked: str | None) -> str:
    there = [dtype for dtype in SUFFIXES if os.path.lexists(graph_file(folder, graph, dtype))]
    if not there:
        raise InputError(f"{graph_file(folder, graph, asked or 'fp32')} is missing: export or copy the model again.")
    if asked is None:
        return there[0]
    if asked not in there:
        raise InputError(
            f"{graph_file(folder, graph, asked)} is missing; {graph} is there as {', '.join(there)}: "
            f"ask for one of these (GRAPH=TYPE,... sets each graph) or export the model as {asked}."
        )
    return asked
