"""How much memory weights take when they are loaded, and how much there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

from airbench_edge.audiolm.onnx.dtypes import graph_file
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.llama.memory import memory_of
from airbench_edge.llama.model_file import ModelFile
from airbench_edge.run.doctor.finding import Finding, Level

# Peak memory by size of the weights file, of chains of 4096 x 4096 products on the CPU provider of onnxruntime 1.31:
# fp32 1.14, fp16 2.28 (it computes in fp32), int8 1.20, q4 1.64 (packed anew). Types that were not measured count
# as fp16.
_CPU_FACTORS = {"fp32": 1.2, "int8": 1.25, "q8": 1.25, "uint8": 1.25, "q4": 1.7}
_OTHER_FACTOR = 2.3
_GPU_FACTOR = 1.1
_SESSIONS = 1 << 29
"""Libraries, keys and values, and intermediate results of an audio-LM."""

CONTEXT = 8192
"""Tokens of the longest judge prompt that is reckoned with; those of dialogues have more than 4,000."""


def onnx_memory(folder: ModelFolder, on_gpu: bool) -> int:
    """Bytes that an audio-LM takes, in main memory or on the GPU."""
    total = 0.0
    for name, dtype in folder.dtypes.items():
        graph = graph_file(folder.path / "onnx", name, dtype)
        factor = _GPU_FACTOR if on_gpu else _CPU_FACTORS.get(dtype, _OTHER_FACTOR)
        total += factor * size_of(graph.parent.glob(f"{graph.name}*"))
    return int(total) + _SESSIONS


def graphs_memory(files: Iterable[Path]) -> int:
    """Bytes that fp32 graphs with their weights take in main memory."""
    return int(_CPU_FACTORS["fp32"] * size_of(files)) + _SESSIONS


def llama_memory(file: ModelFile) -> int:
    """Bytes that a GGUF model takes on the CPU with a context of ``CONTEXT`` tokens, if it was trained on as many."""
    return memory_of(file, CONTEXT).total


def size_of(files: Iterable[Path]) -> int:
    """Bytes of all files together."""
    return sum(file.stat().st_size for file in files)


def memory(needs: Sequence[tuple[str, int]]) -> Finding:
    """Compare what all parts together take with what is available.

    Args:
        needs: Name of a part and its bytes.
    """
    available = available_memory()
    there = f"{gib(available)} available of {gib(psutil.virtual_memory().total)}"
    if not needs:
        return Finding("Memory", Level.INFO, there)
    need = sum(part for _, part in needs)
    parts = ", ".join(f"{name} {gib(part)}" for name, part in needs)
    found = f"about {gib(need)} needed ({parts}), {there}"
    if need <= available:
        return Finding("Memory", Level.OK, found)
    remedy = "Close other programs, take a smaller number type (--dtype) or judge, or judge later: airbench-edge judge."
    return Finding("Memory", Level.PROBLEM, found, remedy)


def gpu_memory(need: int, free: int) -> Finding:
    """Compare what the audio-LM takes on the GPU with what is free there."""
    found = f"about {gib(need)} needed, {gib(free)} free"
    if need <= free:
        return Finding("GPU memory", Level.OK, found)
    remedy = "Free the GPU, take a smaller number type (--dtype), or use --device cpu."
    return Finding("GPU memory", Level.PROBLEM, found, remedy)


def available_memory() -> int:
    """Bytes that can be had without swapping, inside the limit of a container too."""
    return min(psutil.virtual_memory().available, _left_in_container())


def _left_in_container() -> int:
    """What the control group (version 2) of Linux leaves, caches of files apart; no limit elsewhere."""
    group = Path("/sys/fs/cgroup")
    try:
        most = int((group / "memory.max").read_text(encoding="ascii"))
        used = dict(line.split() for line in (group / "memory.stat").read_text(encoding="ascii").splitlines())["anon"]
        return most - int(used)
    except (OSError, ValueError, KeyError):
        return psutil.virtual_memory().total


def gib(size: int) -> str:
    """``3.2 GiB``, small sizes in MiB."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"
