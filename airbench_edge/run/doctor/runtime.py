"""onnxruntime: its build, and the providers that really load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import metadata

import onnxruntime

from airbench_edge.audiolm.onnx.providers import CPU, CUDA, TENSORRT, Device, why_not
from airbench_edge.run.doctor.finding import Finding, Level
from airbench_edge.run.doctor.gpu import Gpu, library_versions

_ASKED = {Device.CPU: (CPU,), Device.CUDA: (CUDA,), Device.TENSORRT: (CUDA, TENSORRT), Device.AUTO: ()}
_NAMES = {CPU: "CPU", CUDA: "CUDA", TENSORRT: "TensorRT"}


def runtime(device: Device, gpus: Sequence[Gpu]) -> Iterator[Finding]:
    """Load each provider that was compiled in.

    Args:
        device: What the run would ask for: a provider that it needs and that does not load is a problem.
        gpus: What is there: CUDA that does not load although there is a GPU is a warning.
    """
    packages = [name for name in ("onnxruntime", "onnxruntime-gpu") if _version(name)]
    cuda = str(getattr(onnxruntime, "cuda_version", "") or "")
    built = f"built with CUDA {cuda}" if cuda else "built without CUDA"
    yield Finding("onnxruntime", Level.OK, f"{onnxruntime.__version__}, {built}")
    if len(packages) > 1:
        remedy = "pip uninstall onnxruntime onnxruntime-gpu, then install airbench-edge again."
        yield Finding("onnxruntime", Level.WARNING, f"{' and '.join(packages)} overwrite each other", remedy)
    for provider in (CPU, CUDA, TENSORRT):
        if reason := why_not(provider):
            yield _missing(provider, reason, device, gpus, cuda)
        else:
            found = library_versions(cuda.partition(".")[0]) if provider != CPU else ""
            yield Finding(_NAMES[provider], Level.OK, f"loads{f', {found}' if found else ''}")


def _missing(provider: str, reason: str, device: Device, gpus: Sequence[Gpu], cuda: str) -> Finding:
    if provider == CPU or provider in _ASKED[device]:
        level = Level.PROBLEM
    else:
        level = Level.WARNING if gpus and provider == CUDA and device == Device.AUTO else Level.INFO
    found = library_versions(cuda.partition(".")[0])
    there = f"; of its libraries there is {found}" if found else ""
    return Finding(
        _NAMES[provider],
        level,
        f"does not load: {reason}{there}",
        "" if level == Level.INFO else _remedy(provider, gpus, cuda),
    )


def _remedy(provider: str, gpus: Sequence[Gpu], cuda: str) -> str:
    if provider == CPU:
        return "Reinstall onnxruntime (pip install --force-reinstall onnxruntime)."
    if not gpus:
        return "Install the NVIDIA driver (nvidia-smi must list the GPU), or use --device cpu."
    if not cuda:
        return "pip uninstall onnxruntime, then pip install onnxruntime-gpu."
    if provider == TENSORRT:
        return f"Install TensorRT 10 for CUDA {cuda} (pip install tensorrt), or use --device cuda."
    return (
        'pip install "onnxruntime-gpu[cuda,cudnn]", or install '
        f"CUDA {cuda.partition('.')[0]} and cuDNN 9 for the whole system."
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
