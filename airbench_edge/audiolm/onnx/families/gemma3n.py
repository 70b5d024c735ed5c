"""Gemma 3n (Google 2025), sound and text only: a window of 30 s, always the same number of tokens.

Facts of the format are those of ``Gemma3nProcessor`` in transformers. What a short clip leaves of its tokens is filled
by the encoder graph, with the embedding that the model was taught to take for silence.
"""

from __future__ import annotations

import msgspec

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.usm import BINS, RATE, SETTINGS, usm_log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template, special_tokens
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import PromptIds, Sound
from airbench_edge.audiolm.onnx.families.placeholder import fill, placeholder_id
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

_FEATURES, _MASK = "input_features", "input_features_mask"


class _Window(msgspec.Struct, frozen=True):
    """What ``config.json`` of a Gemma 3n says beyond the common fields."""

    audio_soft_tokens_per_image: int = 188


class Gemma3n:
    """Processor of Gemma 3n.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template, front end and configuration do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        check_settings(folder.front_end(), SETTINGS, "the published models of Gemma 3n")
        window = folder.read("config.json", _Window)
        assert window is not None  # ModelFolder has seen the file
        self._tokens = window.audio_soft_tokens_per_image
        self._text = config.text_config
        self._tokenizer = folder.tokenizer()
        tokens = special_tokens(folder)
        self._audio = tokens.get("audio_token", "<audio_soft_token>")
        self._placeholder = placeholder_id(folder, config, self._tokenizer, self._audio)
        before, after = tokens.get("boa_token", "<start_of_audio>"), tokens.get("eoa_token", "<end_of_audio>")
        self._framed = f"\n\n{before}{self._audio}{after}\n\n"
        self._template = find_template(folder, self._audio)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return RATE

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder."""
        return self._text

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the front end.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        if set(encoder.inputs) != {_FEATURES, _MASK}:
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; an encoder of Gemma 3n has {_FEATURES} "
                f"and {_MASK}: export the model in this layout."
            )
        bins = encoder.inputs[_FEATURES].shape[-1]
        if bins is not None and bins != BINS:
            raise InputError(f"{encoder.path} takes {bins} mel bins, Gemma 3n has {BINS}: export the model anew.")
        made = next(iter(encoder.outputs.values())).shape[1]
        if made is not None and made != self._tokens:
            raise InputError(
                f"{encoder.path} makes {made} features, config.json says {self._tokens} "
                "(audio_soft_tokens_per_image): both must come from one export."
            )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the first 30 seconds; what a clip has beyond is not heard, as in the original processor."""
        features, mask, heard = usm_log_mel(waveform)
        return Sound({_FEATURES: features[None], _MASK: mask[None]}, self._tokens, heard / RATE)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, with the sound's tokens between their marks and empty lines."""
        rendered = self._template.render(text, system).replace(self._audio, self._framed, 1)
        ids = self._tokenizer.encode(rendered, add_special_tokens=False).ids  # the template begins with <bos>
        return fill(ids, self._placeholder, audio_tokens)
