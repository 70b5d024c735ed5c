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
    num_kv_shared_layers: int | None = None
    num_attention_heads: int | None = None
    num_key_value_heads: int | None = None
    hidden_size: int | None = None
    head_dim: int | None = None
    eos_token_id: int | list[int] | None = None

    @property
    def remembering_layers(self) -> int | None:
        """Layers with keys and values of their own; in Gemma 3n the last ones use those of earlier layers."""
        if self.num_hidden_layers is None:
            return None
        return self.num_hidden_layers - (self.num_kv_shared_layers or 0)


class Config(msgspec.Struct, frozen=True):
    """``config.json``."""

    model_type: str
    audio_token_index: int | None = None
    audio_token_id: int | None = None
    eos_token_id: int | list[int] | None = None
    audio_config: AudioConfig = AudioConfig()
    text_config: TextConfig = TextConfig()


class NamedTemplate(msgspec.Struct, frozen=True):
    """One of several chat templates."""

    name: str
    template: str


class Templates(msgspec.Struct, frozen=True):
    """What ``chat_template.json`` or ``tokenizer_config.json`` says of chat templates."""

    chat_template: str | list[NamedTemplate] | None = None


class GenerationConfig(msgspec.Struct, frozen=True):
    """``generation_config.json``. Sampling is left out on purpose: answers are greedy."""

    eos_token_id: int | list[int] | None = None
    repetition_penalty: float | None = None
