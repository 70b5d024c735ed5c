"""Whisper's two graphs at work: a window is encoded once, then tokens are fed one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from onnxruntime import OrtValue

from airbench_edge.audiolm.onnx.providers import place
from airbench_edge.audiolm.onnx.sessions import open_graph
from airbench_edge.audiolm.whisper.folder import WhisperFolder
from airbench_edge.errors import InputError

Logits: TypeAlias = npt.NDArray[np.float32]
Mel: TypeAlias = npt.NDArray[np.float32]
States: TypeAlias = dict[str, OrtValue]


class WhisperGraphs:
    """Encoder and decoder, opened.

    Attributes:
        providers: Graph to the execution provider that it really got.

    Raises:
        InputError: A graph does not load, or is of another export.
    """

    def __init__(self, folder: WhisperFolder, device: str) -> None:
        placement = place(device)
        self._memory = placement.memory
        self._encoder = open_graph("whisper_encoder", folder.graph("encoder"), placement.encoder)
        self._decoder = open_graph("whisper_decoder", folder.graph("decoder"), placement.text)
        self.providers = {graph.name: graph.provider for graph in (self._encoder, self._decoder)}
        self._past = {name: port for name, port in self._decoder.inputs.items() if name.startswith("past.")}
        cross = {name for name in self._decoder.inputs if name.startswith("cross.")}
        if not cross or cross != set(self._encoder.outputs) or len(cross) != len(self._past):
            raise InputError(
                f"{folder.path}: encoder.onnx and decoder.onnx do not fit each other; export Whisper anew."
            )

    def encode(self, mel: Mel) -> Sounding:
        """Encode a window of log-mel, [mel bins, frames]."""
        binding = self._encoder.session.io_binding()
        window = np.ascontiguousarray(mel[None])  # bound by address: must outlive the run
        binding.bind_cpu_input("input_features", window)
        for name in self._encoder.outputs:
            binding.bind_output(name, self._memory)
        self._encoder.session.run_with_iobinding(binding)
        return Sounding(self, dict(zip(self._encoder.outputs, binding.get_outputs(), strict=True)))

    def step(self, ids: Sequence[int], past: States, cross: States) -> tuple[Logits, States]:
        """Feed tokens; return logits after each, [tokens, vocabulary], and the grown keys and values."""
        binding = self._decoder.session.io_binding()
        tokens = np.array([ids], np.int64)
        binding.bind_cpu_input("input_ids", tokens)
        for name, value in (*past.items(), *cross.items()):
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("logits", "cpu")
        for name in past:
            binding.bind_output(name.replace("past.", "present.", 1), self._memory)
        self._decoder.session.run_with_iobinding(binding)
        logits, *grown = binding.get_outputs()  # in the order of binding
        return logits.numpy()[0], dict(zip(past, grown, strict=True))

    def nothing(self) -> States:
        """Keys and values of no token."""
        return {name: self._none(port.shape) for name, port in self._past.items()}

    def _none(self, shape: tuple[int | None, ...]) -> OrtValue:
        empty: npt.NDArray[Any] = np.zeros((1, shape[1] or 1, 0, shape[3] or 1), np.float32)
        return OrtValue.ortvalue_from_numpy(empty, self._memory, 0)


class Sounding:
    """An encoded window with the tokens fed so far.

    Args:
        graphs: The graphs.
        cross: What the encoder gave.
    """

    def __init__(self, graphs: WhisperGraphs, cross: States) -> None:
        self._graphs = graphs
        self._cross = cross
        self._past = graphs.nothing()

    def feed(self, ids: Sequence[int]) -> Logits:
        """Append tokens and return the logits after each, [tokens, vocabulary]."""
        logits, self._past = self._graphs.step(ids, self._past, self._cross)
        return logits
