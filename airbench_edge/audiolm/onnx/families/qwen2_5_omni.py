"""Qwen2.5-Omni (Xu et al. 2025): log-mel of up to five minutes, encoded two seconds at a time, before the question.

Facts of the format are those of the published checkpoint's processor in transformers. Of a whole checkpoint's
configuration only the thinker's part counts: nothing is said aloud, and there are no pictures.
"""

from __future__ import annotations

from math import ceil

import msgspec
import numpy as np

from airbench_edge.audio.mel import log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.config import AudioConfig, Config, TextConfig
from airbench_edge.audiolm.onnx.families.chatml import chatml
from airbench_edge.audiolm.onnx.families.contract import Sound
from airbench_edge.audiolm.onnx.families.windowed import Windowed
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

PLACEHOLDER = "<|AUDIO|>"

_STOPS = ("<|im_end|>", "<|endoftext|>")
_EDGE = 2  # hops after a clip's last frame that hold some of its sound


class _ChunkConfig(msgspec.Struct, frozen=True):
    """Part ``audio_config``."""

    n_window: int = 100


class _ThinkerConfig(msgspec.Struct, frozen=True):
    """Part ``thinker_config`` of ``config.json``, or the whole where there is a thinker only."""

    audio_config: _ChunkConfig = _ChunkConfig()
    text_config: TextConfig = TextConfig()
    audio_token_index: int | None = None
    audio_token_id: int | None = None
    eos_token_id: int | list[int] | None = None


class _WholeConfig(msgspec.Struct, frozen=True):
    """``config.json`` of a checkpoint with a talker."""

    thinker_config: _ThinkerConfig | None = None


class Qwen25Omni(Windowed):
    """Processor of Qwen2.5-Omni. The window is that of the processor, 300 s; the encoder takes chunks of 2 s.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template and configuration do not fit each other.
    """

    name = "Qwen2.5-Omni"
    placeholder = PLACEHOLDER
    mask = "chunk_lengths"
    template = chatml("<|audio_bos|><|AUDIO|><|audio_eos|>")

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        whole = folder.read("config.json", _WholeConfig)
        assert whole is not None  # ModelFolder has seen the file
        thinker = whole.thinker_config or folder.read("config.json", _ThinkerConfig)
        assert thinker is not None
        super().__init__(
            folder,
            Config(
                model_type=config.model_type,
                audio_token_index=thinker.audio_token_index,
                audio_token_id=thinker.audio_token_id,
                audio_config=AudioConfig(),  # its positions are those of a chunk, not of the window
                text_config=thinker.text_config,
            ),
        )
        self._frames = 2 * thinker.audio_config.n_window
        named = thinker.eos_token_id if thinker.eos_token_id is not None else self._text.eos_token_id
        known = [self._tokenizer.token_to_id(token) for token in _STOPS]
        ends = named if named is not None else [end for end in known if end is not None]
        self._text = msgspec.structs.replace(self._text, eos_token_id=ends)

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the configurations.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        features = encoder.inputs.get("input_features")
        if features is not None and len(features.shape) == 3 and features.shape[2] not in (None, self._frames):
            raise InputError(
                f"{encoder.path} takes chunks of {features.shape[2]} frames, config.json wants {self._frames} "
                "(twice n_window): both must come from one model."
            )
        super().check_encoder(encoder)

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel, cut into chunks; what a clip has beyond the window is not heard, as in the original processor."""
        mel = self._mel
        heard = waveform[: mel.samples]
        frames = mel.frames(len(heard))
        features = log_mel(heard, mel, min(mel.samples, (frames + _EDGE) * mel.hop_length))[:, :frames]
        chunks = ceil(frames / self._frames)
        padded = np.pad(features, ((0, 0), (0, chunks * self._frames - frames)))
        lengths = np.minimum(self._frames, frames - self._frames * np.arange(chunks))
        inputs = {
            "input_features": padded.reshape(mel.bins, chunks, self._frames).transpose(1, 0, 2),
            self.mask: lengths,
        }
        tokens = self.tokens(frames)
        return Sound(inputs, tokens, len(heard) / mel.sampling_rate if tokens else 0.0)
