"""Keys and values of a sequence in the making, kept where the decoder runs."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Protocol

import numpy as np
from onnxruntime import IOBinding, OrtValue

from airbench_edge.audiolm.onnx.sessions import Port

PAST = "past_key_values."

# Field 4 of an ONNX node, its operator, of 19 letters.
_FUSED_NODE = b"\x22\x13GroupQueryAttention"


class Cache(Protocol):
    """What a step finds and leaves behind."""

    def bind(self, binding: IOBinding) -> None:
        """Bind keys and values as inputs and outputs of a step, after all other outputs."""
        ...

    def keep(self, outputs: list[OrtValue]) -> None:
        """Take what the step made, in the order of binding."""
        ...


class GrowingCache:
    """Each step makes new tensors, one position longer for each that was fed.

    Args:
        ports: The decoder's inputs for keys and values, with every length known but that of the past.
        memory: Where they stay: ``cpu`` or ``cuda``.
    """

    def __init__(self, ports: list[Port], memory: str) -> None:
        self._past = _zeros(ports, 0, memory)
        self._memory = memory

    def bind(self, binding: IOBinding) -> None:
        """Bind the tensors that are there, and leave room for longer ones."""
        for name, value in self._past.items():
            binding.bind_ortvalue_input(name, value)
        for name in self._past:
            binding.bind_output(present(name), self._memory)

    def keep(self, outputs: list[OrtValue]) -> None:
        """Put the longer tensors in the place of the old ones."""
        self._past = dict(zip(self._past, outputs, strict=True))


class SharedCache:
    """One buffer for each tensor, long enough from the start; the decoder writes new positions behind the old ones.

    Only GroupQueryAttention does that: it reads from the attention mask how much of a buffer is in use.

    Args:
        ports: As of ``GrowingCache``.
        memory: As of ``GrowingCache``.
        positions: How many positions will be fed at most.
    """

    def __init__(self, ports: list[Port], memory: str, positions: int) -> None:
        self._buffers = _zeros(ports, positions, memory)

    def bind(self, binding: IOBinding) -> None:
        """Bind each buffer as input and as output."""
        for name, value in self._buffers.items():
            binding.bind_ortvalue_input(name, value)
        for name, value in self._buffers.items():
            binding.bind_ortvalue_output(present(name), value)

    def keep(self, outputs: list[OrtValue]) -> None:
        """Do nothing: they are the buffers themselves."""


def present(name: str) -> str:
    """The output that continues an input ``past_key_values.N.key`` or ``.value``."""
    return name.replace(PAST, "present.", 1)


def writes_in_place(path: Path) -> bool:
    """Whether a decoder's attention is GroupQueryAttention; onnxruntime does not tell what operators a graph has."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(_FUSED_NODE) >= 0


def _zeros(ports: list[Port], positions: int, memory: str) -> dict[str, OrtValue]:
    return {
        port.name: OrtValue.ortvalue_from_numpy(
            np.zeros([positions if length is None else length for length in port.shape], port.dtype), memory, 0
        )
        for port in ports
    }
