"""What is particular to each model family; one file a family, found by ``model_type`` of ``config.json``."""

from __future__ import annotations

from collections.abc import Callable

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.families.audioflamingo3 import AudioFlamingo3
from airbench_edge.audiolm.onnx.families.contract import Family
from airbench_edge.audiolm.onnx.families.gemma3n import Gemma3n
from airbench_edge.audiolm.onnx.families.glmasr import GlmAsr
from airbench_edge.audiolm.onnx.families.granite_speech import GraniteSpeech
from airbench_edge.audiolm.onnx.families.phi4_multimodal import Phi4Multimodal
from airbench_edge.audiolm.onnx.families.qwen2_5_omni import Qwen25Omni
from airbench_edge.audiolm.onnx.families.qwen2_audio import Qwen2Audio
from airbench_edge.audiolm.onnx.families.qwen_audio import QwenAudio
from airbench_edge.audiolm.onnx.families.ultravox import Ultravox
from airbench_edge.audiolm.onnx.families.voxtral import Voxtral
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError

_FAMILIES: dict[str, Callable[[ModelFolder, Config], Family]] = {
    "audioflamingo3": AudioFlamingo3,
    "gemma3n": Gemma3n,
    "glmasr": GlmAsr,
    "granite_speech": GraniteSpeech,
    "phi4_multimodal": Phi4Multimodal,
    "phi4mm": Phi4Multimodal,
    "qwen2_5_omni": Qwen25Omni,
    "qwen2_5_omni_thinker": Qwen25Omni,
    "qwen": QwenAudio,
    "qwen2_audio": Qwen2Audio,
    "ultravox": Ultravox,
    "voxtral": Voxtral,
}


def family_of(folder: ModelFolder, config: Config) -> Family:
    """Open the family of a model.

    Raises:
        InputError: No family of this name is known, or the folder does not hold what it needs.
    """
    if config.model_type not in _FAMILIES:
        raise InputError(
            f"{folder.path / 'config.json'} is of model_type {config.model_type!r}; "
            f"the families that can be run are {', '.join(_FAMILIES)}."
        )
    return _FAMILIES[config.model_type](folder, config)
