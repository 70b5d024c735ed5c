"""Qwen2-Audio (Chu et al. 2024): a Whisper-like window of log-mel, halved twice, before the question.

Facts of the format are those of the published checkpoint's processor in transformers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import ChatTemplate, special_tokens
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import PromptIds, Sound
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

_AUDIO = "<|AUDIO|>"

_TEMPLATE = """\
{%- if messages[0].role != 'system' -%}
{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}
{%- endif -%}
{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.content is string -%}
{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{{ part.text if part.type == 'text' else 'Audio 1: <|audio_bos|><|AUDIO|><|audio_eos|>\\n' }}
{%- endfor -%}
{%- endif -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{{ '<|im_start|>assistant\\n' }}"""

_FEATURES = ("input_features", "audio_values")
_MASK = "feature_attention_mask"


class Qwen2Audio:
    """Processor of Qwen2-Audio.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template and configuration do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        self._mel = MelSettings.from_config(folder.read("preprocessor_config.json", dict[str, Any]) or {})
        self._frames = self._mel.samples // self._mel.hop_length
        self._text = config.text_config
        self._tokenizer = folder.tokenizer()
        self._audio_id = _audio_id(folder, config, self._tokenizer.token_to_id(_AUDIO))
        source = folder.chat_template()
        where = str(folder.path) if source else "the program"
        self._template = ChatTemplate(source or _TEMPLATE, where, special_tokens(folder))
        if _AUDIO not in self._template.render("question", None):
            raise InputError(f"The chat template in {where} places no {_AUDIO}: restore it from the model's source.")
        positions = config.audio_config.max_source_positions
        if positions is not None and 2 * positions != self._frames:
            raise InputError(
                f"{folder.path}: preprocessor_config.json makes {self._frames} frames (chunk_length), config.json "
                f"wants {2 * positions} (twice max_source_positions): both must come from one model."
            )

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return self._mel.sampling_rate

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder."""
        return self._text

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the configurations.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        features = next((encoder.inputs[name] for name in _FEATURES if name in encoder.inputs), None)
        unknown = [name for name in encoder.inputs if name not in (*_FEATURES, _MASK)]
        if features is None or unknown:
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; a Qwen2-Audio encoder has "
                f"{' or '.join(_FEATURES)}, and may have {_MASK}: export the model in this layout."
            )
        made = (None, self._mel.bins, self._frames)
        for what, wanted, length in zip(("clips", "mel bins", "frames"), features.shape, made, strict=True):
            if wanted is not None and length is not None and wanted != length:
                raise InputError(
                    f"{encoder.path} takes {wanted} {what}, preprocessor_config.json makes {length}: "
                    "both must come from one model."
                )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the window; what a clip has beyond it is not heard, as in the original processor."""
        heard = waveform[: self._mel.samples]
        frames = self._mel.frames(len(heard))
        features = log_mel(heard, self._mel)[None]
        mask = (np.arange(self._frames) < frames).astype(np.int64)[None]
        inputs: dict[str, npt.NDArray[Any]] = {**dict.fromkeys(_FEATURES, features), _MASK: mask}
        tokens = audio_tokens(frames)
        return Sound(inputs, tokens, len(heard) / self._mel.sampling_rate if tokens else 0.0)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, with the first sound placeholder repeated for each position of the sound."""
        ids = self._tokenizer.encode(self._template.render(text, system)).ids
        at = ids.index(self._audio_id)
        return PromptIds([*ids[:at], *[self._audio_id] * audio_tokens, *ids[at + 1 :]], slice(at, at + audio_tokens))


def audio_tokens(frames: int) -> int:
    """Positions that a sound takes: a convolution of stride 2, then pooling in pairs.

    Args:
        frames: Log-mel frames of the sound, padding not counted.
    """
    after_convolution = (frames - 1) // 2 + 1
    return (after_convolution - 2) // 2 + 1


def _audio_id(folder: ModelFolder, config: Config, in_tokenizer: int | None) -> int:
    in_config = config.audio_token_index if config.audio_token_index is not None else config.audio_token_id
    if in_tokenizer is None or (in_config is not None and in_config != in_tokenizer):
        raise InputError(
            f"{folder.path}: {_AUDIO} has the id {in_tokenizer} in tokenizer.json and {in_config} in config.json: "
            "both must come from one model."
        )
    return in_tokenizer
