"""Which execution providers really load on this machine."""

from __future__ import annotations

import contextlib
import ctypes
import io
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import onnxruntime

from airbench_edge.errors import InputError

CPU, CUDA, TENSORRT = "CPUExecutionProvider", "CUDAExecutionProvider", "TensorrtExecutionProvider"

ProviderOptions: TypeAlias = tuple[str, dict[str, str]]

# A graph of one operator, y = Relu(x) over one float32, IR version 8, operator set 17.
_ONE_OPERATOR = bytes.fromhex(
    "080812003a330a0c0a0178120179220452656c75120167"
    "5a0f0a0178120a0a08080112040a020801620f0a0179120a0a08080112040a02080142040a001011"
)
_SILENT = 4


class Device(StrEnum):
    """What ``--device`` may name."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    TENSORRT = "tensorrt"


class Placement(NamedTuple):
    """Where graphs run.

    Attributes:
        encoder: Providers of the audio encoder, best first.
        text: Providers of embeddings and decoder, best first.
        memory: Memory in which keys and values stay between steps: ``cpu`` or ``cuda``.
    """

    encoder: tuple[ProviderOptions, ...]
    text: tuple[ProviderOptions, ...]
    memory: str


def place(device: str) -> Placement:
    """Choose providers.

    ``auto`` takes CUDA if it really loads, else the CPU; it never takes TensorRT, which builds engines for minutes.
    ``tensorrt`` runs the audio encoder, whose shapes hold still, and leaves the rest to CUDA.

    Args:
        device: A value of ``Device``.

    Raises:
        InputError: The device is unknown, or was asked for and does not load.
    """
    if device not in set(Device):
        raise InputError(f"Unknown device {device!r}: choose one of {', '.join(Device)}.")
    cpu: ProviderOptions = (CPU, {})
    if device == Device.CPU:
        return Placement((cpu,), (cpu,), "cpu")
    missing = why_not(CUDA)
    if missing and device == Device.AUTO:
        return Placement((cpu,), (cpu,), "cpu")
    if not missing and device == Device.TENSORRT:
        missing = why_not(TENSORRT)
    if missing:
        raise InputError(f"The device {device} does not load: {missing}; install what is missing or use --device cpu.")
    text = (_cuda(), cpu)
    encoder = ((TENSORRT, {"device_id": "0"}), *text) if device == Device.TENSORRT else text
    return Placement(encoder, text, "cuda")


def why_not(provider: str) -> str:
    """Run a graph of one operator on a provider; return the reason why that fails, or nothing if it works.

    Only a session tells: ``get_available_providers`` names what was compiled in, with or without a GPU.
    """
    onnxruntime.set_default_logger_severity(_SILENT)
    if provider not in onnxruntime.get_available_providers():
        return f"this onnxruntime {onnxruntime.__version__} was built without {provider} (onnxruntime-gpu has it)"
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _SILENT
    with contextlib.redirect_stdout(io.StringIO()):  # both print what they miss
        onnxruntime.preload_dlls(msvc=False)
        try:
            session = onnxruntime.InferenceSession(_ONE_OPERATOR, options, providers=[provider], enable_fallback=0)
            if session.get_providers()[0] == provider:
                session.run(None, {"x": np.ones(1, np.float32)})
                return ""
            failure = "no usable GPU or driver was found"
        except Exception as error:  # each provider has its own exception types
            failure = " ".join(str(error).split())
    return _missing_library(provider) or failure


def _missing_library(provider: str) -> str:
    """Ask the system's loader which library of a provider is missing: onnxruntime tells its log only."""
    capi = Path(onnxruntime.__file__).parent / "capi"
    name = provider.removesuffix("ExecutionProvider").lower()
    try:
        ctypes.CDLL(str(capi / "libonnxruntime_providers_shared.so"), mode=ctypes.RTLD_GLOBAL)
        ctypes.CDLL(str(capi / f"libonnxruntime_providers_{name}.so"))
    except OSError as error:
        return str(error)
    return ""


def _cuda() -> ProviderOptions:
    # Answers should be those of the CPU as nearly as possible: no TF32. Memory grows by doubling, the default: where it
    # grows by what is asked for, keys and values that are longer at each step fit into nothing that earlier ones left.
    return (CUDA, {"device_id": "0", "use_tf32": "0", "cudnn_conv_algo_search": "HEURISTIC"})
