"""NVIDIA GPUs and the CUDA libraries that programs can load."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator

import msgspec

from airbench_edge.run.doctor.finding import Finding, Level

_QUERY = ("--query-gpu=name,driver_version,memory.total,memory.free", "--format=csv,noheader,nounits")
_TIMEOUT_S = 20


class Gpu(msgspec.Struct, frozen=True):
    """A GPU as its driver describes it; memory in bytes."""

    name: str
    driver: str
    memory: int
    free: int


def gpus() -> list[Gpu]:
    """Ask ``nvidia-smi``, which comes with the driver; no answer means that there is none."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return []
    try:
        said = subprocess.run([command, *_QUERY], capture_output=True, text=True, timeout=_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [gpu for line in said.stdout.splitlines() if (gpu := _gpu(line))]


def gpu_findings(found: list[Gpu]) -> Iterator[Finding]:
    """Name the GPUs."""
    if not found:
        yield Finding("GPU", Level.INFO, "no NVIDIA GPU, or no driver for it")
    for gpu in found:
        memory = f"{gpu.free / 2**30:.1f} of {gpu.memory / 2**30:.1f} GiB free"
        yield Finding("GPU", Level.OK, f"{gpu.name}, driver {gpu.driver}, {memory}")


def library_versions(cuda_major: str) -> str:
    """CUDA runtime and cuDNN as found by the system's loader, for onnxruntime built with that CUDA.

    The CUDA runtime tells its version as 1000 major + 10 minor, cuDNN 9 as 10000 major + 100 minor + patch.
    """
    runtime = ctypes.c_int()
    parts = []
    if (cuda := _load(f"libcudart.so.{cuda_major}")) and not cuda.cudaRuntimeGetVersion(ctypes.byref(runtime)):
        parts.append(f"CUDA runtime {runtime.value // 1000}.{runtime.value % 1000 // 10}")
    if cudnn := _load("libcudnn.so.9"):
        cudnn.cudnnGetVersion.restype = ctypes.c_size_t
        version = cudnn.cudnnGetVersion()
        parts.append(f"cuDNN {version // 10000}.{version // 100 % 100}.{version % 100}")
    return " and ".join(parts)


def _gpu(line: str) -> Gpu | None:
    try:
        name, driver, total, free = (part.strip() for part in line.split(","))
        return Gpu(name, driver, int(total) << 20, int(free) << 20)
    except ValueError:
        return None


def _load(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None
