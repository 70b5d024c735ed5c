"""The decoder graph, fed step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.kv_cache import PAST, Cache, GrowingCache, SharedCache, present, writes_in_place
from airbench_edge.audiolm.onnx.sessions import Graph, Port
from airbench_edge.errors import InputError

Floats: TypeAlias = npt.NDArray[np.float32 | np.float16]
Logits: TypeAlias = npt.NDArray[np.float32]
Embedded: TypeAlias = dict[str, Floats]
"""What stands for tokens in the decoder: ``inputs_embeds``, [1, tokens, hidden], and in some families more."""

_FED = ("attention_mask", "position_ids", "num_logits_to_keep", "logits_indices", "use_cache_branch")
_KEPT = re.compile(r"past_key_values\.(\d+)\.(key|value)")


class Decoder:
    """Graphs ``embed_tokens`` and ``decoder_model_merged`` of an audio-LM, batch 1.

    Reads from the graphs which inputs they want, their number types, and the shape of keys and values. Decoders with
    GroupQueryAttention, which take no ``position_ids``, work alike, since nothing is padded; their keys and values
    stay in place.

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
        past = {name: port for name, port in decoder.inputs.items() if _KEPT.fullmatch(name)}
        _check_names(embed, decoder, past)
        _check_layers(decoder, past, config)
        _check_lengths(embed, decoder)
        self._past = [_resolved(decoder, port, config) for port in past.values()]
        self._in_place = writes_in_place(decoder.path)
        if self._in_place and self._past[0].dtype == np.float32:
            self._memory = "cpu"  # CUDA has GroupQueryAttention for 16 bits only: the CPU computes it

    @property
    def vocabulary(self) -> int | None:
        """How many tokens it can say; None where the graph leaves it open."""
        return self._graph.outputs["logits"].shape[-1]

    def embed(self, ids: Sequence[int]) -> Embedded:
        """Everything that the graph ``embed_tokens`` makes of token ids."""
        feed = np.array([ids], self._embed.inputs["input_ids"].dtype)
        names = list(self._embed.outputs)
        return dict(zip(names, self._embed.session.run(names, {"input_ids": feed}), strict=True))

    def begin(self, positions: int) -> Continuation:
        """A new sequence, with nothing in it.

        Args:
            positions: How many positions will be fed at most: those of the prompt and of the answer.
        """
        if self._in_place:
            return Continuation(self, SharedCache(self._past, self._memory, positions))
        return Continuation(self, GrowingCache(self._past, self._memory))

    def step(self, embeds: Embedded, cache: Cache, length: int) -> Logits:
        """Feed new positions after ``length`` old ones.

        Args:
            embeds: The new positions, [1, new, ...] each.
            cache: Keys and values of the old ones, to which those of the new ones are added.
            length: How many old ones there are.

        Returns:
            Logits of the last new position, [vocabulary].
        """
        binding = self._graph.session.io_binding()
        feeds = self._feeds(embeds, length)  # bound by address: must outlive the run
        for name, value in feeds.items():
            binding.bind_cpu_input(name, value)
        binding.bind_output("logits", "cpu")
        cache.bind(binding)
        self._graph.session.run_with_iobinding(binding)
        logits, *kept = binding.get_outputs()  # in the order of binding
        cache.keep(kept)
        last: Logits = logits.numpy()[0, -1].astype(np.float32)
        return last

    def _feeds(self, embeds: Embedded, length: int) -> dict[str, npt.NDArray[Any]]:
        ports, new = self._graph.inputs, embeds["inputs_embeds"].shape[1]
        values: dict[str, npt.NDArray[Any]] = {
            **embeds,
            "attention_mask": np.ones((1, length + new)),
            "position_ids": np.arange(length, length + new)[None],
            "num_logits_to_keep": np.array(1),
            "logits_indices": np.array([[new - 1]]),
            "use_cache_branch": np.array([length > 0]),
        }
        if "num_logits_to_keep" in ports:  # one number, with or without an axis
            values["num_logits_to_keep"] = np.ones([1] * len(ports["num_logits_to_keep"].shape))
        return {name: np.require(values[name], ports[name].dtype, "C") for name in ports if name in values}


class Continuation:
    """A sequence in the making: what was fed is remembered as keys and values.

    Args:
        decoder: The decoder that is fed.
        cache: Its keys and values, none so far.
    """

    def __init__(self, decoder: Decoder, cache: Cache) -> None:
        self._decoder = decoder
        self._cache = cache
        self._length = 0

    def feed(self, embeds: Embedded) -> Logits:
        """Append positions, [1, new, ...], and return the logits of the next token, [vocabulary]."""
        logits = self._decoder.step(embeds, self._cache, self._length)
        self._length += embeds["inputs_embeds"].shape[1]
        return logits


def _check_names(embed: Graph, decoder: Graph, past: dict[str, Port]) -> None:
    for graph, inputs, outputs in (
        (embed, ["input_ids"], ["inputs_embeds"]),
        (decoder, ["inputs_embeds", "attention_mask"], ["logits", *map(present, past)]),
    ):
        for kind, wanted, there in (("input", inputs, graph.inputs), ("output", outputs, graph.outputs)):
            if missing := [name for name in wanted if name not in there]:
                raise InputError(
                    f"{graph.path} lacks the {kind} {missing[0]}; its {kind}s are {', '.join(there)}: "
                    "export the model in this layout."
                )
    unknown = [name for name in decoder.inputs if name not in past and name not in (*embed.outputs, *_FED)]
    if states := [name for name in unknown if name.startswith("past_")]:
        raise InputError(
            f"{decoder.path} remembers {states[0]}, and only decoders whose whole memory is {PAST}N.key and .value "
            "can be run: choose a model without recurrent, convolutional or cross-attention states."
        )
    if unknown:
        known = ", ".join((*embed.outputs, *_FED))
        raise InputError(
            f"{decoder.path} wants the input {unknown[0]}, which is not known here; known are {known} and "
            f"{PAST}N.key/value: export the model in this layout."
        )


def _check_layers(decoder: Graph, past: dict[str, Port], config: TextConfig) -> None:
    layers = sum(name.endswith(".key") for name in past)
    values = sum(name.endswith(".value") for name in past)
    wanted = config.remembering_layers
    if not layers or layers != values or (wanted is not None and layers != wanted):
        raise InputError(
            f"{decoder.path} has keys of {layers} and values of {values} layers, config.json says "
            f"{'nothing' if wanted is None else wanted}: graphs and config.json must come from one export."
        )


def _check_lengths(embed: Graph, decoder: Graph) -> None:
    if len(decoder.outputs["logits"].shape) != 3:
        raise InputError(
            f"{decoder.path} declares logits as {list(decoder.outputs['logits'].shape)} instead of "
            "[batch, positions, vocabulary]: export it anew."
        )
    for name in embed.outputs.keys() & decoder.inputs.keys():
        made, taken = embed.outputs[name].shape, decoder.inputs[name].shape
        if min(len(made), len(taken)) < 3:
            raise InputError(
                f"{embed.path} declares {name} as {list(made)}, {decoder.path} as {list(taken)}, instead of "
                "[batch, positions, width]: export them anew."
            )
        if None not in (made[-1], taken[-1]) and made[-1] != taken[-1]:
            raise InputError(
                f"{embed.path} makes {name} of width {made[-1]}, {decoder.path} takes {taken[-1]}: "
                "all graphs must come from one export."
            )
        if taken[1] is not None:
            raise InputError(
                f"{decoder.path} takes {taken[1]} positions at a time in {name}, a prompt has any number: "
                "export a decoder with free lengths."
            )


def _resolved(decoder: Graph, port: Port, config: TextConfig) -> Port:
    """The port of keys or values with its lengths for batch 1, [1, heads, None, size]."""
    size = config.head_dim
    if size is None and config.hidden_size and config.num_attention_heads:
        size = config.hidden_size // config.num_attention_heads
    if len(port.shape) != 4 or port.shape[2] is not None:
        raise InputError(
            f"{decoder.path} declares {port.name} as {list(port.shape)} instead of [batch, heads, any length, "
            "values a head]: export it anew."
        )
    lengths = []
    for what, name, declared, configured in (
        ("heads", "num_key_value_heads", port.shape[1], config.num_key_value_heads),
        ("values a head", "head_dim", port.shape[3], size),
    ):
        if declared is not None and configured is not None and declared != configured:
            raise InputError(
                f"{decoder.path} has {declared} {what} in {port.name}, config.json says {configured}: "
                "graphs and config.json must come from one export."
            )
        length = declared if declared is not None else configured
        if length is None:
            raise InputError(
                f"Neither {decoder.path} nor config.json says how many {what} {port.name} has: "
                f"add {name} to its text_config."
            )
        lengths.append(length)
    return Port(port.name, port.dtype, (1, lengths[0], None, lengths[1]))
