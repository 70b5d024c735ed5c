"""The parts of a model's JSON configurations that running it needs; a field that a file omits is None."""

from __future__ import annotations

import msgspec


class AudioConfig(msgspec.Struct, frozen=True):
    """Part ``audio_config`` of ``config.json``."""

    num_mel_bins: int | None = None
    max_source_positions: int | None = None


class TextConfig(msgspec.Struct, frozen=True):
    """Part ``text_config`` of ``config.json``."""

    num_hidden_layers: int | None = None
    num_attention_heads: int | None = None
    num_key_value_heads: int | None = None
    hidden_size: int | None = None
    head_dim: int | None = None
    eos_token_id: int | list[int] | None = None


class Config(msgspec.Struct, frozen=True):
    """``config.json``."""

    model_type: str
    audio_token_index: int | None = None
    audio_token_id: int | None = None
    eos_token_id: int | list[int] | None = None
    audio_config: AudioConfig = AudioConfig()
    text_config: TextConfig = TextConfig()


class GenerationConfig(msgspec.Struct, frozen=True):
    """``generation_config.json``. Sampling is left out on purpose: answers are greedy."""

    eos_token_id: int | list[int] | None = None
    repetition_penalty: float | None = None


class Preprocessor(msgspec.Struct, frozen=True):
    """``preprocessor_config.json`` of a Whisper-like feature extractor, with that extractor's defaults.

    Attributes:
        feature_size: Mel bins.
        sampling_rate: Hz.
        hop_length: Samples from one frame to the next.
        n_fft: Samples in a frame.
        chunk_length: Seconds that the window holds.
    """

    feature_size: int = 80
    sampling_rate: int = 16000
    hop_length: int = 160
    n_fft: int = 400
    chunk_length: int = 30

    @property
    def window_samples(self) -> int:
        """Samples that reach the model; what a clip has beyond them is not heard."""
        return self.chunk_length * self.sampling_rate

    @property
    def window_frames(self) -> int:
        """Frames that the encoder always gets, padding included."""
        return self.window_samples // self.hop_length
