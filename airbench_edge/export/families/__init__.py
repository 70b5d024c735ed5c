"""What is particular to the export of each model family; one file a family, found by the checkpoint's model type."""

from __future__ import annotations

from airbench_edge.errors import InputError
from airbench_edge.export.families.audioflamingo3 import AudioFlamingo3
from airbench_edge.export.families.contract import ExportFamily
from airbench_edge.export.families.gemma3n import Gemma3n
from airbench_edge.export.families.glmasr import GlmAsr
from airbench_edge.export.families.granite_speech import GraniteSpeech
from airbench_edge.export.families.phi4_multimodal import Phi4MultimodalExport, Phi4OwnCodeExport
from airbench_edge.export.families.qwen2_5_omni import Qwen25OmniExport, Qwen25OmniThinkerExport
from airbench_edge.export.families.qwen2_audio import Qwen2Audio
from airbench_edge.export.families.qwen_audio import QwenAudio
from airbench_edge.export.families.ultravox import Ultravox
from airbench_edge.export.families.voxtral import Voxtral

_FAMILIES: dict[str, ExportFamily] = {
    family.model_type: family
    for family in (
        AudioFlamingo3(),
        Gemma3n(),
        GlmAsr(),
        GraniteSpeech(),
        Phi4MultimodalExport(),
        Phi4OwnCodeExport(),
        Qwen25OmniExport(),
        Qwen25OmniThinkerExport(),
        Qwen2Audio(),
        QwenAudio(),
        Ultravox(),
        Voxtral(),
    )
}


def family_of(model_type: str) -> ExportFamily:
    """Return the family of a checkpoint.

    Args:
        model_type: ``model_type`` of its ``config.json``.

    Raises:
        InputError: No family of this name is known.
    """
    if model_type not in _FAMILIES:
        raise InputError(
            f"Cannot export model_type {model_type!r}: the families that can be exported are {', '.join(_FAMILIES)}."
        )
    return _FAMILIES[model_type]
