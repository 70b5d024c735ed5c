"""A Phi-4-multimodal checkpoint on disk, in either form, with its speech adapter merged and without its eyes.

The published model hears with a LoRA adapter on every layer of the decoder. In the form with its own code
(``phi4mm``) the adapter is among the weights, in the form for transformers (``phi4_multimodal``) in ``speech-lora/``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from transformers import Phi4MultimodalConfig

from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import load_class, not_loaded, read_config, unusable

ADAPTER = "speech-lora"

# The eyes; and adapters, of which that for speech is merged from its file.
_UNUSED = r"model\.embed_tokens_extend\.image_embed\.|.*\.lora_[AB]\."
_LAYER_PARTS = ("self_attn.qkv_proj", "self_attn.o_proj", "mlp.gate_up_proj", "mlp.down_proj")
_FACTOR = re.compile(r"(?:base_model\.model\.)?(model\.layers\.\d+\..+)\.lora_([AB])\.(?:speech\.)?weight")

# Names in the form with its own code to names in transformers.
_RENAMED = {
    r"^(model\.layers\..+)\.base_layer\.": r"\1.",
    r"(\.feed_forward_(?:in|out))\.net\.0\.linear\.": r"\1.gate_up_proj.",
    r"(\.feed_forward_(?:in|out))\.net\.2\.": r"\1.down_proj.",
    r"\.self_attn\.linear_([qkv])\.": r".self_attn.\1_proj.",
    r"\.self_attn\.linear_out\.": ".self_attn.o_proj.",
    r"\.audio_projection\.speech\.0\.": ".up_proj_for_speech.",
    r"\.audio_projection\.speech\.2\.": ".down_proj_for_speech.",
    r"\.audio_projection\.vision\.0\.": ".up_proj_for_vision_speech.",
    r"\.audio_projection\.vision\.2\.": ".down_proj_for_vision_speech.",
}
_AUDIO_RENAMED = {
    "attention_dim": "hidden_size",
    "attention_heads": "num_attention_heads",
    "linear_units": "intermediate_size",
}
_FOREIGN = ("model_type", "auto_map", "audio_processor", "embd_layer", "img_processor", "speech_lora", "vision_lora")
_NO_EYES = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 2, "num_attention_heads": 1}
_NO_EYES |= {"image_size": 28, "crop_size": 28, "feature_layer": -1}


class _Adapter(msgspec.Struct, frozen=True):
    """Settings of a LoRA adapter: ``adapter_config.json``, or ``speech_lora`` of ``config.json``."""

    r: int
    lora_alpha: float
    use_rslora: bool = False
    use_dora: bool = False


class _OwnCode(msgspec.Struct, frozen=True):
    """``config.json`` of the form with its own code, as far as transformers would not know it."""

    audio_processor: dict[str, Any]
    speech_lora: _Adapter


def load_for_transformers(checkpoint: Path) -> torch.nn.Module:
    """Load the form for transformers.

    Raises:
        InputError: Weights or adapter cannot be loaded, or some are missing.
    """
    settings = _decode(checkpoint / ADAPTER / "adapter_config.json", _Adapter)
    model = _load(checkpoint, read_config(checkpoint, "Phi4MultimodalConfig"))
    _merge(model, settings, [checkpoint / ADAPTER / "adapter_model.safetensors"])
    return model


def load_own_code(checkpoint: Path) -> torch.nn.Module:
    """Load the form with its own code, which is not run.

    Raises:
        InputError: Weights or adapter cannot be loaded, or some are missing.
    """
    file = checkpoint / "config.json"
    own = _decode(file, _OwnCode)
    values = _decode(file, dict[str, Any])
    known = {name: value for name, value in values.items() if name not in _FOREIGN}
    try:
        audio = _audio_config(own.audio_processor["config"])
        config = Phi4MultimodalConfig(**known, audio_config=audio, vision_config={})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise unusable(file, error) from error
    model = _load(checkpoint, config)
    _merge(model, own.speech_lora, sorted(checkpoint.glob("*.safetensors")))
    return model


def _audio_config(own: dict[str, Any]) -> dict[str, Any]:
    config = {_AUDIO_RENAMED.get(name, name): value for name, value in own.items()}
    config["nemo_conv_channels"] = config.pop("nemo_conv_settings")["conv_channels"]
    config["bias_max_distance"] = config.pop("relative_attention_bias_args")["t5_bias_max_distance"]
    return config


def _load(checkpoint: Path, config: Phi4MultimodalConfig) -> torch.nn.Module:
    """Load all but the eyes, which are made as small as can be and never looked through."""
    if config.audio_config.chunk_size > 0:
        raise InputError(
            f"{checkpoint} hears in chunks of {config.audio_config.chunk_size} positions; only the published -1, "
            "all at once, can be exported."
        )
    for name, value in _NO_EYES.items():
        setattr(config.vision_config, name, value)
    return load_class(checkpoint, "Phi4MultimodalForCausalLM", _UNUSED, config=config, key_mapping=_RENAMED)


def _merge(model: torch.nn.Module, settings: _Adapter, files: list[Path]) -> None:
    """Add the adapter to the weights that it goes with: ``W + alpha / r * B A`` (Hu et al. 2021, section 4.1)."""
    if settings.use_rslora or settings.use_dora:
        raise InputError(f"{files[0].parent} has a speech adapter that is no plain LoRA, and only that can be merged.")
    factors: dict[tuple[str, str], torch.Tensor] = {}
    for file in files:
        factors |= _read_factors(file)
    for layer in range(model.config.num_hidden_layers):
        for part in _LAYER_PARTS:
            name = f"model.layers.{layer}.{part}"
            if (name, "A") not in factors or (name, "B") not in factors:
                raise InputError(
                    f"{files[0].parent} has no speech adapter for {name}: without it the model does not hear; "
                    "restore the checkpoint."
                )
            weight = model.get_submodule(name).weight
            added = factors[name, "B"].float() @ factors[name, "A"].float()
            weight.copy_(weight.float() + settings.lora_alpha / settings.r * added)


def _read_factors(file: Path) -> dict[tuple[str, str], torch.Tensor]:
    """Factors of the speech adapter in a file of weights, by the module that they go with and by side."""
    try:
        with safe_open(file, "pt") as weights:
            names = weights.keys()
            matched = {name: found for name in names if (found := _FACTOR.fullmatch(name))}
            return {(found[1], found[2]): weights.get_tensor(name) for name, found in matched.items()}
    except (OSError, SafetensorError) as error:
        raise not_loaded(file.parent, error) from error


def _decode(file: Path, form: Any) -> Any:  # noqa: ANN401 (a form in, its content out)
    try:
        return msgspec.json.decode(file.read_bytes(), type=form)
    except (OSError, msgspec.MsgspecError) as error:
        raise unusable(file, error) from error
