"""The decoder graph, fed step by step, with keys and values that stay where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from onnxruntime import OrtValue

from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.sessions import Graph, Port
from airbench_edge.errors import InputError

Floats: TypeAlias = npt.NDArray[np.float32 | np.float16]
Logits: TypeAlias = npt.NDArray[np.float32]
Embedded: TypeAlias = dict[str, Floats]
"""What stands for tokens in the decoder: ``inputs_embeds``, [1, tokens, hidden], and in some families more."""

_PAST, _PRESENT = "past_key_values.", "present."
_FED = ("attention_mask", "position_ids", "num_logits_to_keep", "logits_indices")


class Decoder:
    """Graphs ``embed_tokens`` and ``decoder_model_merged`` of an audio-LM, batch 1.

    Reads from the graphs which inputs they want, their number types, and the shape of keys and values. Decoders with
    GroupQueryAttention, which take no ``position_ids``, work alike, since nothing is padded.

    Args:
        embed: Graph ``embed_tokens``.
        decoder: Graph ``decoder_model_merged``.
        config: What ``config.json`` says of the decoder; fills in lengths that the graph leaves open.
        memory: Where keys and values stay: ``cpu`` or ``cuda``.

    Raises:
        InputError: The graphs do not fit each other or the configuration; both sides are named.
    """

    def __init__(self, embed: Graph, decoder: Graph, config: TextConfig, memory: str) -> None:
        self._embed = embed
        self._graph = decoder
        self._memory = memory
        self._past = {name: port for name, port in decoder.inputs.items() if name.startswith(_PAST)}
        _check_names(embed, decoder, self._past)
        _check_layers(decoder, self._past, config)
        _check_width(embed, decoder)
        self._empty = {name: _empty(decoder, port, config) for name, port in self._past.items()}

    def embed(self, ids: Sequence[int]) -> Embedded:
        """Everything that the graph ``embed_tokens`` makes of token ids."""
        feed = np.array([ids], self._embed.inputs["input_ids"].dtype)
        names = list(self._embed.outputs)
        return dict(zip(names, self._embed.session.run(names, {"input_ids": feed}), strict=True))

    def begin(self) -> Continuation:
        """A new sequence, with nothing in it."""
        past = {name: OrtValue.ortvalue_from_numpy(value, self._memory, 0) for name, value in self._empty.items()}
        return Continuation(self, past)

    def step(self, embeds: Embedded, past: dict[str, OrtValue], length: int) -> tuple[Logits, dict[str, OrtValue]]:
        """Feed new positions after ``length`` old ones.

        Args:
            embeds: The new positions, [1, new, ...] each.
            past: Keys and values of the old ones.
            length: How many old ones there are.

        Returns:
            Logits of the last new position, [vocabulary], and the grown keys and values.
        """
        binding = self._graph.session.io_binding()
        feeds = self._feeds(embeds, length)  # bound by address: must outlive the run
        for name, value in feeds.items():
            binding.bind_cpu_input(name, value)
        for name, value in past.items():
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("logits", "cpu")
        for name in past:
            binding.bind_output(name.replace(_PAST, _PRESENT, 1), self._memory)
        self._graph.session.run_with_iobinding(binding)
        logits, *grown = binding.get_outputs()  # in the order of binding
        return logits.numpy()[0, -1].astype(np.float32), dict(zip(past, grown, strict=True))

    def _feeds(self, embeds: Embedded, length: int) -> dict[str, npt.NDArray[Any]]:
        ports, new = self._graph.inputs, embeds["inputs_embeds"].shape[1]
        values: dict[str, npt.NDArray[Any]] = {
            **embeds,
            "attention_mask": np.ones((1, length + new)),
            "position_ids": np.arange(length, length + new)[None],
            "num_logits_to_keep": np.array(1),
            "logits_indices": np.array([[new - 1]]),
        }
        return {name: np.require(values[name], ports[name].dtype, "C") for name in ports if name in values}


class Continuation:
    """A sequence in the making: what was fed is remembered as keys and values.

    Args:
        decoder: The decoder that is fed.
        past: Its empty keys and values.
    """

    def __init__(self, decoder: Decoder, past: dict[str, OrtValue]) -> None:
        self._decoder = decoder
        self._past = past
        self._length = 0

    def feed(self, embeds: Embedded) -> Logits:
        """Append positions, [1, new, ...], and return the logits of the next token, [vocabulary]."""
        logits, self._past = self._decoder.step(embeds, self._past, self._length)
        self._length += embeds["inputs_embeds"].shape[1]
        return logits


def _check_names(embed: Graph, decoder: Graph, past: dict[str, Port]) -> None:
    for graph, inputs, outputs in (
        (embed, ["input_ids"], ["inputs_embeds"]),
        (decoder, ["inputs_embeds", "attention_mask"], ["logits", *(n.replace(_PAST, _PRESENT, 1) for n in past)]),
    ):
        for kind, wanted, there in (("input", inputs, graph.inputs), ("output", outputs, graph.outputs)):
            if missing := [name for name in wanted if name not in there]:
                raise InputError(
                    f"{graph.path} lacks the {kind} {missing[0]}; its {kind}s are {', '.join(there)}: "
                    "export the model in this layout."
                )
    known = (*embed.outputs, *_FED)
    if unknown := [name for name in decoder.inputs if name not in past and name not in known]:
        raise InputError(
            f"{decoder.path} wants the input {unknown[0]}, which is not known here; known are {', '.join(known)} and "
            f"{_PAST}N.key/value: export the model in this layout."
        )


def _check_layers(decoder: Graph, past: dict[str, Port], config: TextConfig) -> None:
    layers = sum(name.endswith(".key") for name in past)
    values = sum(name.endswith(".value") for name in past)
    wanted = config.num_hidden_layers
    if not layers or layers != values or (wanted is not None and layers != wanted):
        raise InputError(
            f"{decoder.path} has keys of {layers} and values of {values} layers, config.json says "
            f"{'nothing' if wanted is None else wanted}: graphs and config.json must come from one export."
        )


def _check_width(embed: Graph, decoder: Graph) -> None:
    made, wanted = embed.outputs["inputs_embeds"].shape[-1], decoder.inputs["inputs_embeds"].shape[-1]
    if made is not None and wanted is not None and made != wanted:
        raise InputError(
            f"{embed.path} makes embeddings of width {made}, {decoder.path} takes {wanted}: "
            "all graphs must come from one export."
        )


def _empty(decoder: Graph, port: Port, config: TextConfig) -> npt.NDArray[Any]:
    """Keys or values of no positions, [1, heads, 0, head size]."""
    size = config.head_dim
    if size is None and config.hidden_size and config.num_attention_heads:
        size = config.hidden_size // config.num_attention_heads
    if len(port.shape) != 4:
        raise InputError(
            f"{decoder.path} declares {port.name} with {len(port.shape)} axes instead of 4; export it anew."
        )
    lengths = []
    for what, declared, configured in (
        ("heads", port.shape[1], config.num_key_value_heads),
        ("values a head", port.shape[3], size),
    ):
        if declared is not None and configured is not None and declared != configured:
            raise InputError(
                f"{decoder.path} has {declared} {what} in {port.name}, config.json says {configured}: "
                "graphs and config.json must come from one export."
            )
        length = declared if declared is not None else configured
        if length is None:
            raise InputError(
                f"Neither {decoder.path} nor config.json says how many {what} {port.name} has; export it anew."
            )
        lengths.append(length)
    return np.zeros((1, lengths[0], 0, lengths[1]), port.dtype)
