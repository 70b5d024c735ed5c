"""Where graphs that compute in float16 may run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from airbench_edge.audiolm.onnx.providers import CPU
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError


def refuse_on_cpu(graphs: Mapping[str, Graph], dtypes: Mapping[str, str]) -> None:
    """Refuse encoders and decoders of float16 on the CPU: onnxruntime casts there, node by node, to float32 and back.

    That takes more time and memory than float32 itself, and the answers are neither its own nor those of a GPU.
    Weights that are merely stored as float16 are another matter: their graph computes in float32.

    Args:
        graphs: The open graphs, by name.
        dtypes: Number type of each.

    Raises:
        InputError: One of them computes in float16 and runs on the CPU.
    """
    for name in ("audio_encoder", "decoder_model_merged"):
        graph = graphs[name]
        ports = (*graph.inputs.values(), *graph.outputs.values())
        declared = any(port.dtype == np.float16 for port in ports)
        if (declared or dtypes[name].endswith(("f16", "fp16"))) and graph.provider == CPU:
            told = "" if declared else ", as its name says"
            raise InputError(
                f"{graph.path} computes in float16{told}, for which onnxruntime's CPU provider has no fast operators: "
                "run it with --device cuda, choose another --dtype, or export the model with --dtype fp32 or int4."
            )
