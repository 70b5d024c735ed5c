"""An Ultravox checkpoint on disk: what it holds itself, and the models that it names for the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, WhisperConfig
from transformers.models.whisper.modeling_whisper import WhisperEncoder

from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import load_model, not_loaded
from airbench_edge.export.families.ultravox_model import Projector, UltravoxModel

_OWN = "multi_modal_projector."


class Settings(msgspec.Struct, frozen=True):
    """``config.json``, as far as the model needs it.

    Attributes:
        text_model_id: The text model, whose weights are elsewhere; None where they are in the checkpoint.
        audio_model_id: The Whisper, likewise.
        text_config: The text model's configuration where the weights are in the checkpoint.
        audio_config: The Whisper's, likewise.
        hidden_size: Width of the projector's first layer.
        stack_factor: Frames of the encoder that become one token.
        projector_act: Its activation.
        projector_ln_mid: Where its second norm stands; false up to version 0.4.1, which do not say so.
        audio_latency_block_size: Frames that the encoder hears at a time, in models for streaming.
    """

    text_model_id: str | None = None
    audio_model_id: str | None = None
    text_config: dict[str, Any] | None = None
    audio_config: dict[str, Any] | None = None
    hidden_size: int = 4096
    stack_factor: int = 8
    projector_act: str = "swiglu"
    projector_ln_mid: bool = False
    audio_latency_block_size: int | None = None


def read_settings(checkpoint: Path) -> Settings:
    """Read ``config.json``.

    Raises:
        InputError: It does not fit, or asks for what is not built here.
    """
    file = checkpoint / "config.json"
    try:
        settings = msgspec.json.decode(file.read_bytes(), type=Settings)
    except msgspec.MsgspecError as error:
        raise InputError(f"{file} cannot be used ({error}): restore it from its source.") from error
    if settings.projector_act != "swiglu" or settings.audio_latency_block_size:
        raise InputError(
            f"{file} asks for projector_act {settings.projector_act!r} and audio_latency_block_size "
            f"{settings.audio_latency_block_size}; built here are 'swiglu' and no blocks, as in all published versions."
        )
    return settings


def base_folder(checkpoint: Path, name: str) -> Path:
    """Folder of a model that a checkpoint names.

    Looked for by the last part of its name in the checkpoint and beside it, and by its whole name where a mirror of
    the hub keeps ``owner/name``.

    Args:
        checkpoint: The Ultravox checkpoint.
        name: Name of the model on the hub, or its folder, relative to the checkpoint.

    Raises:
        InputError: It is not there.
    """
    checkpoint = checkpoint.resolve()
    last = name.rstrip("/").split("/")[-1]
    places = (checkpoint / name, checkpoint / last, checkpoint.parent / last, checkpoint.parent.parent / name)
    for place in places:
        if (place / "config.json").is_file():
            return place
    raise InputError(
        f"{checkpoint} names the model {name}, whose weights it does not hold: get {name} and put it at {places[2]}, "
        "or a link to it."
    )


def base_folders(checkpoint: Path) -> list[Path]:
    """Folders of the models that a checkpoint builds on: none, its text model, or its text model and its Whisper."""
    settings = read_settings(checkpoint)
    return [base_folder(checkpoint, name) for name in (settings.text_model_id, settings.audio_model_id) if name]


def load_ultravox(checkpoint: Path) -> UltravoxModel:
    """Load the whole model with attention spelt out; the weights keep the types that they are stored in.

    Raises:
        InputError: A part is missing, or there is one that has no place.
    """
    settings = read_settings(checkpoint)
    text = _text_model(checkpoint, settings)
    tower = _audio_tower(checkpoint, settings)
    with torch.device("meta"):
        projector = Projector(
            tower.config.d_model,
            settings.stack_factor,
            settings.hidden_size,
            text.config.hidden_size,
            settings.projector_ln_mid,
        )
    model = UltravoxModel(tower, projector, text)
    _fill(model, checkpoint, settings)
    model.eval().requires_grad_(False)
    return model


def _text_model(checkpoint: Path, settings: Settings) -> torch.nn.Module:
    if settings.text_model_id:
        return load_model(base_folder(checkpoint, settings.text_model_id))
    values = dict(settings.text_config or {})
    config = CONFIG_MAPPING[values.pop("model_type", "llama")](**values)
    return AutoModelForCausalLM.from_config(config, attn_implementation="eager")


def _audio_tower(checkpoint: Path, settings: Settings) -> torch.nn.Module:
    if settings.audio_model_id:
        base = load_model(base_folder(checkpoint, settings.audio_model_id))
        if base.config.model_type != "whisper":
            raise _not_whisper(checkpoint, base.config.model_type)
        return base.model.encoder
    values = settings.audio_config or {}
    if values.get("model_type", "whisper") != "whisper":
        raise _not_whisper(checkpoint, values["model_type"])
    with torch.device("meta"):  # no numbers are made up: each must be in the checkpoint
        return WhisperEncoder(WhisperConfig(**values, attn_implementation="eager"))


def _not_whisper(checkpoint: Path, kind: str) -> InputError:
    return InputError(f"{checkpoint} hears with a model of type {kind!r}; only Ultravox on Whisper can be exported.")


def _fill(model: UltravoxModel, checkpoint: Path, settings: Settings) -> None:
    """Put the checkpoint's own weights in; what neither it nor a named model holds is not made up."""
    weights: dict[str, torch.Tensor] = {}
    try:
        for file in sorted(checkpoint.glob("*.safetensors")):
            weights |= load_file(file)
        missing, unknown = model.load_state_dict(weights, strict=False, assign=True)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise not_loaded(checkpoint, error) from error
    if unknown:
        cure = "merge its LoRA weights first" if "lora" in unknown[0] else "restore the checkpoint"
        raise InputError(f"The weights in {checkpoint} hold {unknown[0]}, which has no place in its model: {cure}.")
    named = {"language_model.": settings.text_model_id, "audio_tower.": settings.audio_model_id}
    elsewhere = tuple(part for part, name in named.items() if name)
    model.language_model.tie_weights()
    tied = model.language_model.get_output_embeddings().weight is model.language_model.get_input_embeddings().weight
    lost = [
        name
        for name in missing
        if not name.startswith(elsewhere) and not (tied and name == "language_model.lm_head.weight")
    ]
    if lost:
        raise InputError(f"The weights in {checkpoint} lack {lost[0]} ({len(lost)} in all): restore the checkpoint.")
