"""A tiny Phi-4-multimodal checkpoint with random weights, in both published forms. Needs torch."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import torch
import transformers
from helpers.phi4_multimodal_folder import TEMPLATE
from helpers.tiny_checkpoint import make_tokenizer
from safetensors.torch import load_file, save_file

from airbench_edge.export.quiet import quiet

SPECIALS = ("<|endoftext|>", "{image}", "{audio}", "<|assistant|>", "<|end|>", "<|user|>", "<|system|>")
RANK, ALPHA = 4, 8
_HIDDEN = 64

# Names in transformers to names in the form with its own code.
_OWN_NAMES = {
    r"(model\.layers\.\d+\.(?:self_attn|mlp)\.\w+)\.weight": r"\1.base_layer.weight",
    r"(encoders\.\d+\.feed_forward_\w+)\.gate_up_proj": r"\1.net.0.linear",
    r"(encoders\.\d+\.feed_forward_\w+)\.down_proj": r"\1.net.2",
    r"(encoders\.\d+\.self_attn)\.([qkv])_proj": r"\1.linear_\2",
    r"(encoders\.\d+\.self_attn)\.o_proj": r"\1.linear_out",
    r"\.up_proj_for_vision_speech": ".audio_projection.vision.0",
    r"\.down_proj_for_vision_speech": ".audio_projection.vision.2",
    r"\.up_proj_for_speech": ".audio_projection.speech.0",
    r"\.down_proj_for_speech": ".audio_projection.speech.2",
    r"\.image_embed\.img_projection_up": ".image_embed.img_projection.0",
}


def make_phi4_multimodal(folder: Path) -> torch.nn.Module:
    """Write the form for transformers, adapter apart, and return the model without the adapter."""
    torch.manual_seed(0)
    with quiet():
        model = transformers.Phi4MultimodalForCausalLM(_config()).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("layer_norm.weight", "bias_values.weight")):
                parameter.normal_(1)
            parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
        model.model.embed_tokens_extend.audio_embed.encoder.encoder_embedding.global_mean.fill_(12)
        model.model.embed_tokens_extend.audio_embed.encoder.encoder_embedding.global_invstd.fill_(0.25)
    model.save_pretrained(folder)
    (folder / "speech-lora").mkdir()
    save_file(_adapter(model), folder / "speech-lora" / "adapter_model.safetensors", {"format": "pt"})
    (folder / "speech-lora" / "adapter_config.json").write_text(
        json.dumps({"peft_type": "LORA", "r": RANK, "lora_alpha": ALPHA, "use_rslora": False}), encoding="utf-8"
    )
    _save_words(folder, "<|image|>", "<|audio|>")
    transformers.Phi4MultimodalFeatureExtractor().save_pretrained(folder)
    return model


def make_own_code(folder: Path, other: Path) -> None:
    """Write the form with its own code, of the same numbers as one for transformers.

    Args:
        folder: Where it goes.
        other: The form for transformers.
    """
    folder.mkdir()
    weights = load_file(other / "model.safetensors")
    for name, value in load_file(other / "speech-lora" / "adapter_model.safetensors").items():
        weights[name.replace(".weight", ".speech.weight")] = value
        weights[name.replace(".weight", ".vision.weight")] = torch.ones_like(value)
    save_file(
        {_own_name(name): value for name, value in weights.items()}, folder / "model.safetensors", {"format": "pt"}
    )
    config = json.loads((other / "config.json").read_text(encoding="utf-8"))
    audio = config.pop("audio_config")
    del config["vision_config"]
    own: dict[str, Any] = {name: audio[name] for name in ("num_blocks", "chunk_size", "left_chunk", "kernel_size")}
    own |= {name: audio[name] for name in ("ext_pw_out_channel", "input_size", "time_reduction", "conv_glu_type")}
    own |= {
        "attention_dim": audio["hidden_size"],
        "attention_heads": audio["num_attention_heads"],
        "linear_units": audio["intermediate_size"],
        "depthwise_separable_out_channel": audio["depthwise_separable_out_channel"],
        "nemo_conv_settings": {"conv_channels": audio["nemo_conv_channels"]},
        "relative_attention_bias_args": {"t5_bias_max_distance": audio["bias_max_distance"], "type": "t5"},
        "encoder_embedding_config": {"input_size": audio["input_size"]},
    }
    config |= {
        "architectures": ["Phi4MMForCausalLM"],
        "model_type": "phi4mm",
        "auto_map": {"AutoConfig": "configuration_phi4mm.Phi4MMConfig"},
        "audio_processor": {"config": own, "name": "cascades"},
        "embd_layer": {"audio_embd_layer": {"downsample_rate": 1}, "image_embd_layer": {"crop_size": 448}},
        "speech_lora": {"dp": 0.01, "layer": "(layers.*)", "lora_alpha": ALPHA, "r": RANK},
        "vision_lora": {"dp": 0.0, "layer": "layers.*", "lora_alpha": 512, "r": 256},
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "generation_config.json").write_bytes((other / "generation_config.json").read_bytes())
    _save_words(folder, "<|endoftext10|>", "<|endoftext11|>")
    settings = {"feature_extractor_type": "Phi4MMAudioFeatureExtractor", "audio_compression_rate": 8, "dynamic_hd": 36}
    (folder / "preprocessor_config.json").write_text(json.dumps(settings), encoding="utf-8")


def _config() -> transformers.Phi4MultimodalConfig:
    # The published token of the sound is 200011; the form with its own code does not say so.
    half = _HIDDEN // 2
    return transformers.Phi4MultimodalConfig(
        vocab_size=320,
        hidden_size=_HIDDEN,
        intermediate_size=2 * _HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=8192,
        original_max_position_embeddings=2048,
        partial_rotary_factor=0.5,
        rope_scaling={"type": "longrope", "short_factor": [1.0 + 0.1 * i for i in range(8)], "long_factor": [4.0] * 8},
        sliding_window=16384,
        tie_word_embeddings=True,
        initializer_range=0.2,
        bos_token_id=0,
        eos_token_id=[0, 4],
        pad_token_id=0,
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 28,
            "crop_size": 28,
            "feature_layer": -1,
            "image_token_id": 1,
        },
        audio_config={
            "hidden_size": half,
            "intermediate_size": 2 * half,
            "num_blocks": 2,
            "num_attention_heads": 2,
            "ext_pw_out_channel": half,
            "depthwise_separable_out_channel": half,
            "nemo_conv_channels": 8,
            "bias_max_distance": 60,
            "initializer_range": 0.2,
            "audio_token_id": 2,
        },
    )


def _adapter(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    factors = {}
    for name, module in model.named_modules():
        if re.fullmatch(r"model\.layers\.\d+\.(self_attn|mlp)\.\w+_proj", name):
            wide, narrow = module.weight.shape
            factors[f"{name}.lora_A.weight"] = (0.2 * torch.randn(RANK, narrow)).half().float()
            factors[f"{name}.lora_B.weight"] = (0.2 * torch.randn(wide, RANK)).half().float()
    return factors


def _own_name(name: str) -> str:
    for pattern, own in _OWN_NAMES.items():
        name = re.sub(pattern, own, name)
    return name


def _save_words(folder: Path, image: str, audio: str) -> None:
    tokenizer = make_tokenizer(320, [token.format(image=image, audio=audio) for token in SPECIALS])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|endoftext|>", pad_token="<|endoftext|>", chat_template=TEMPLATE
    ).save_pretrained(folder)
