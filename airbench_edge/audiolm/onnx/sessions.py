"""One ONNX graph, opened, with what it declares of itself."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as native

from airbench_edge.audiolm.onnx.providers import ProviderOptions
from airbench_edge.errors import InputError

RUNTIME_ERRORS: tuple[type[Exception], ...] = (
    *(kind for kind in vars(native).values() if isinstance(kind, type) and issubclass(kind, Exception)),
    RuntimeError,
)
"""Everything that onnxruntime raises; its exceptions have no common base."""

_DTYPES: dict[str, npt.DTypeLike] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}


class Port(NamedTuple):
    """An input or output of a graph.

    Attributes:
        name: Its name.
        dtype: Its element type.
        shape: Its lengths; None where a length varies.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]


class Graph(NamedTuple):
    """An open graph.

    Attributes:
        name: ``audio_encoder``, ``embed_tokens`` or ``decoder_model_merged``.
        path: Its file.
        session: The onnxruntime session.
        inputs: Name to input.
        outputs: Name to output, in the graph's order.
        provider: The provider that the session really got.
    """

    name: str
    path: Path
    session: onnxruntime.InferenceSession
    inputs: dict[str, Port]
    outputs: dict[str, Port]
    provider: str


def open_graph(name: str, path: Path, providers: Sequence[ProviderOptions]) -> Graph:
    """Open a graph by path, so that onnxruntime maps external weights instead of reading them.

    Args:
        name: Name of the graph.
        path: Its file.
        providers: Wanted providers, best first.

    Raises:
        InputError: The file is no usable graph, or the best provider refused it.
    """
    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = _usable_cores()
    # Spinning threads halve the speed of a machine that does other work at the same time.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Weights take what they need; what comes and goes is taken from memory that grows by doubling.
    options.add_session_config_entry("session.use_device_allocator_for_initializers", "1")
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=list(providers), enable_fallback=0)
    except RUNTIME_ERRORS as error:
        raise InputError(_explain(path, str(error))) from error
    provider = session.get_providers()[0]
    if provider != providers[0][0]:
        raise InputError(f"{path} did not load on {providers[0][0]} but on {provider}; use --device cpu.")
    inputs = {port.name: _port(path, port) for port in session.get_inputs()}
    outputs = {port.name: _port(path, port) for port in session.get_outputs()}
    return Graph(name, path, session, inputs, outputs, provider)


def _usable_cores() -> int:
    """Cores that this process may use; onnxruntime itself counts those of the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _port(path: Path, declared: Any) -> Port:  # noqa: ANN401 - onnxruntime's NodeArg is not exported
    if declared.type not in _DTYPES:
        raise InputError(f"{path} declares {declared.name} as {declared.type}, which is not supported; export it anew.")
    shape = tuple(length if isinstance(length, int) else None for length in declared.shape)
    return Port(declared.name, np.dtype(_DTYPES[declared.type]), shape)


def _explain(path: Path, message: str) -> str:
    """One sentence from onnxruntime's message about a graph that does not load."""
    version = onnxruntime.__version__
    if found := re.search(r"IR version: (\d+), max supported IR version: (\d+)", message):
        return (
            f"{path} has ONNX IR version {found[1]}, and onnxruntime {version} reads up to {found[2]}: "
            "upgrade onnxruntime or export the model with an older onnx."
        )
    if found := re.search(r"Opset (\d+) is under development.*domain (\S+) is till opset (\d+)", message, re.DOTALL):
        return (
            f"{path} uses operator set {found[1]} of {found[2]}, and onnxruntime {version} knows up to {found[3]}: "
            "upgrade onnxruntime or export the model with an older operator set."
        )
    if found := re.search(r'External data path does not exist: "?([^"\n]+)"?', message):
        return f"{path} keeps weights in {Path(found[1]).name}, which is missing: copy it into {path.parent}."
    if "out of bounds or can not be read in full" in message:
        names = ", ".join(sorted(file.name for file in path.parent.glob(path.name + "?*"))) or "its weights file"
        return f"{path} finds {names} shorter than it should be: the file was cut, copy it again."
    if "Protobuf parsing failed" in message or "No graph was found" in message:
        return f"{path} ({path.stat().st_size} bytes) is cut or no ONNX graph: copy it again."
    reason = " ".join(message.split("failed:", 1)[-1].split())
    return f"{path} does not load in onnxruntime {version}: {reason}"
