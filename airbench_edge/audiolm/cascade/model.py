"""The cascade as an audio-LM."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from airbench_edge.audio import Waveform
from airbench_edge.audiolm.cascade.config import read_config
from airbench_edge.audiolm.cascade.language_model import LanguageModel
from airbench_edge.audiolm.cascade.prompt import TEMPLATE, Heard, cascade_prompt
from airbench_edge.audiolm.cascade.tagger import Tagger
from airbench_edge.audiolm.contract import Answer, Identity, ModelError, Prompted
from airbench_edge.audiolm.onnx.sessions import RUNTIME_ERRORS
from airbench_edge.audiolm.whisper.languages import language_name
from airbench_edge.audiolm.whisper.model import Whisper
from airbench_edge.benchmark.items import Track
from airbench_edge.llama.file_hash import sha256_of

LEAST_VOICE = 0.1
"""By YAMNet, speech in clean and in mixed clips reaches 0.3 to 1; instruments, noises and silence stay below 0.25."""

_KEPT_CLIPS = 4


class CascadeAudioLM:
    """Whisper, an optional audio tagger and a language model. Implements ``audiolm.contract.AudioLM``.

    Args:
        path: The folder that holds ``cascade.toml``.
        device: Where the graphs run: ``auto``, ``cpu``, ``cuda`` or ``tensorrt``.
        max_new_tokens: Cap on an answer, by track.

    Raises:
        InputError: Anything that keeps it from answering, before the first item.
    """

    def __init__(self, path: Path, device: str, max_new_tokens: Mapping[Track, int]) -> None:
        self._config = read_config(path)
        self._max_new_tokens = dict(max_new_tokens)
        self._whisper = Whisper(path / self._config.whisper.folder, device)
        part = self._config.tagger
        self._tagged = (path / part.graph, path / part.classes) if part else None
        self._tagger = Tagger(*self._tagged, device) if self._tagged else None
        self._llm = LanguageModel(path / self._config.llm.file)
        self._clips: OrderedDict[str, Heard] = OrderedDict()

    @cached_property
    def identity(self) -> Identity:
        """Parts with their hashes, the prompt's hash, caps."""
        files = {f"whisper.{file.name}": file for file in self._whisper.folder.files()}
        files |= {f"tagger.{file.name}": file for file in self._tagged or ()}
        details = {
            "whisper": self._config.whisper.folder,
            "tagger": self._tagged[0].stem if self._tagged else "none",
            **{f"llm.{name}": value for name, value in self._llm.details.items()},
            "least_voice": str(LEAST_VOICE),
            "prompt": f"sha256 {hashlib.sha256(TEMPLATE.encode()).hexdigest()}",
            **{f"max_new_tokens.{track}": str(cap) for track, cap in sorted(self._max_new_tokens.items())},
            **{f"sha256.{name}": sha256_of([file]) for name, file in files.items()},
        }
        return Identity("cascade", self._config.name, details)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of Whisper and of the tagger."""
        return self._whisper.sample_rate

    @property
    def providers(self) -> dict[str, str]:
        """Part to what it really runs on."""
        tagger = {"tagger": self._tagger.provider} if self._tagger else {}
        return {**self._whisper.providers, **tagger, "language model": self._llm.provider}

    def answer(self, item: Prompted) -> Answer:
        """Answer one item; what was heard in the last few clips is kept.

        Raises:
            ModelError: A part failed on this item, or it has no sound.
        """
        try:
            heard = self._hear(item)
        except RUNTIME_ERRORS as error:
            raise ModelError(f"onnxruntime failed: {' '.join(str(error).split())}") from error
        reply = self._llm.reply(cascade_prompt(heard, item.prompt), self._max_new_tokens[item.key.track])
        return Answer(reply.text, reply.finish, heard.seconds)

    def _hear(self, item: Prompted) -> Heard:
        if item.clip in self._clips:
            self._clips.move_to_end(item.clip)
            return self._clips[item.clip]
        if item.waveform is None or not len(item.waveform):
            raise ModelError("the item has no sound")
        self._clips[item.clip] = self.listen(item.waveform)
        if len(self._clips) > _KEPT_CLIPS:
            self._clips.popitem(last=False)
        return self._clips[item.clip]

    def listen(self, waveform: Waveform) -> Heard:
        """Listen to a clip; where the tagger hears no voice, the recogniser is not asked, as it would invent words."""
        seconds = len(waveform) / self.sample_rate
        sounds = self._tagger.listen(waveform) if self._tagger else None
        nothing = Heard(seconds, "", "", None, sounds.tags if sounds else None)
        if sounds and sounds.voice < LEAST_VOICE:
            return nothing
        said = self._whisper.transcribe(waveform)
        if not said.text:
            return nothing
        return nothing._replace(text=said.text, language=language_name(said.language), probability=said.probability)
