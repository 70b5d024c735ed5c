"""An audio-LM that runs on onnxruntime."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from airbench_edge.audiolm.contract import Answer, Identity, ModelError, Prompted
from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.decoder import Decoder, Embedded, Floats
from airbench_edge.audiolm.onnx.decoding import Followed, follow, greedy
from airbench_edge.audiolm.onnx.dtypes import GRAPHS
from airbench_edge.audiolm.onnx.encoder import Encoder, check_ranks
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.float16 import refuse_on_cpu
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.limits import read_limits
from airbench_edge.audiolm.onnx.providers import place
from airbench_edge.audiolm.onnx.sessions import RUNTIME_ERRORS, open_graph
from airbench_edge.benchmark.items import Track
from airbench_edge.errors import InputError

MAX_NEW_TOKENS: Mapping[Track, int] = {Track.FOUNDATION: 64, Track.CHAT: 256}
"""Caps on an answer: a letter with its option; for chat, the cap of Qwen2-Audio's own evaluation script."""

_KEPT_CLIPS = 4


class _Heard(NamedTuple):
    """Features of a clip, [tokens, hidden], and the seconds they stand for."""

    features: Floats
    heard_s: float


class OnnxAudioLM:
    """A model folder, opened. Implements ``audiolm.contract.AudioLM``.

    Args:
        path: The folder.
        device: ``auto``, ``cpu``, ``cuda`` or ``tensorrt``.
        dtype: Number type of the graphs, see ``dtypes.choose_dtypes``; None takes the most faithful there is.
        max_new_tokens: Cap on an answer, by track.
        system: System message; None leaves it to the chat template.
        float16_on_cpu: Let float16 run on the CPU, to compare it with float32; it is slow there.

    Raises:
        InputError: Anything that keeps the model from answering, before the first item.
    """

    def __init__(
        self,
        path: Path,
        device: str = "auto",
        dtype: str | None = None,
        max_new_tokens: Mapping[Track, int] = MAX_NEW_TOKENS,
        system: str | None = None,
        *,
        float16_on_cpu: bool = False,
    ) -> None:
        self._folder = ModelFolder(path, dtype)
        config = self._folder.read("config.json", Config)
        assert config is not None  # ModelFolder has seen the file
        self._config = config
        self._family = family_of(self._folder, config)
        self._max_new_tokens = dict(max_new_tokens)
        self._system = system
        self._tokenizer = self._folder.tokenizer()
        placement = place(device)
        graphs = {
            name: open_graph(name, file, placement.encoder if name == "audio_encoder" else placement.text)
            for name, file in self._folder.graphs.items()
        }
        if not float16_on_cpu:
            refuse_on_cpu(graphs, self._folder.dtypes)
        encoder, embed, decoder = (graphs[name] for name in GRAPHS)
        check_ranks(encoder)
        self._family.check_encoder(encoder)
        self._decoder = Decoder(embed, decoder, self._family.text, placement.memory)
        self._encoder = Encoder(encoder, embed)
        vocabulary = max(self._tokenizer.get_vocab_size(), self._decoder.vocabulary or 0)
        self._limits = read_limits(self._folder, config, self._family.text, vocabulary)
        self._providers = {name: graph.provider for name, graph in graphs.items()}
        self._clips: OrderedDict[str, _Heard] = OrderedDict()

    @cached_property
    def identity(self) -> Identity:
        """Family, number types, caps, and the SHA-256 of every file that can change an answer."""
        details = {
            "family": self._config.model_type,
            "system": "(of the chat template)" if self._system is None else self._system,
            **{f"dtype.{name}": dtype for name, dtype in self._folder.dtypes.items()},
            **{f"max_new_tokens.{track}": str(cap) for track, cap in sorted(self._max_new_tokens.items())},
            **{f"sha256.{name}": digest for name, digest in self._folder.hashes().items()},
        }
        return Identity("onnx", self._folder.path.resolve().name, details)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz at which the family wants its audio."""
        return self._family.sample_rate

    @property
    def dtypes(self) -> dict[str, str]:
        """Graph to its number type."""
        return self._folder.dtypes

    @property
    def providers(self) -> dict[str, str]:
        """Graph to the execution provider that it really got."""
        return self._providers

    def answer(self, item: Prompted) -> Answer:
        """Answer one item; the features of the last few clips are kept.

        Raises:
            ModelError: onnxruntime failed on this item or computed no numbers, or it has no sound.
        """
        try:
            heard, ids, embeds = self._prepare(item)
            cap = self._max_new_tokens[item.key.track]
            tokens, finish = greedy(self._decoder, ids, embeds, self._limits, cap)
        except RUNTIME_ERRORS as error:
            raise ModelError(f"onnxruntime failed: {' '.join(str(error).split())}") from error
        return Answer(self._tokenizer.decode(tokens, skip_special_tokens=True), finish, heard.heard_s)

    def follow(self, item: Prompted, tokens: Sequence[int]) -> Followed:
        """Let another model speak, and note what this one would have said at each of its tokens.

        Args:
            item: The item.
            tokens: What the other model answered.

        Raises:
            InputError: The model cannot answer.
        """
        try:
            _, ids, embeds = self._prepare(item)
            return follow(self._decoder, ids, embeds, self._limits, tokens)
        except ModelError as error:
            raise InputError(f"{self._folder.path} answers nothing: {error}.") from error

    def _prepare(self, item: Prompted) -> tuple[_Heard, list[int], Embedded]:
        """What is heard, the token ids of the prompt, and its embeddings with the features in place."""
        heard = self._hear(item)
        prompt = self._family.prompt(item.prompt, self._system, len(heard.features))
        embeds = self._decoder.embed(prompt.ids)
        embeds["inputs_embeds"][0, prompt.audio] = heard.features
        return heard, prompt.ids, embeds

    def _hear(self, item: Prompted) -> _Heard:
        if item.clip in self._clips:
            self._clips.move_to_end(item.clip)
            return self._clips[item.clip]
        if item.waveform is None or not len(item.waveform):
            raise ModelError("the item has no sound")
        sound = self._family.sound(item.waveform)
        self._clips[item.clip] = _Heard(self._encoder.features(sound), sound.heard_s)
        if len(self._clips) > _KEPT_CLIPS:
            self._clips.popitem(last=False)
        return self._clips[item.clip]
