"""A tiny Granite Speech checkpoint with random weights in the published layout. Needs torch."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import transformers
from helpers.granite_folder import SPECIALS, TEMPLATE, make_settings
from helpers.tiny_checkpoint import make_tokenizer
from safetensors.torch import save_file

RANK, ALPHA = 4, 8.0
CONTEXT, WINDOW, RATE = 20, 15, 5


def make_checkpoint(folder: Path, *, adapter: bool = True, hidden: int = 64, seed: int = 0) -> torch.nn.Module:
    """Write the checkpoint and return the model without adapter.

    Args:
        folder: Where it goes.
        adapter: Write an adapter on queries and values, as the checkpoints of 3.3 have.
        hidden: Width of all parts.
        seed: Seed of the weights.
    """
    tokenizer = make_tokenizer(320, SPECIALS)
    end = tokenizer.token_to_id("<|end_of_text|>")
    text = {
        "model_type": "granite",
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": hidden,
        "intermediate_size": 2 * hidden,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 2048,
        "initializer_range": 0.2,
        "attention_multiplier": 0.25,
        "embedding_multiplier": 3.0,
        "residual_multiplier": 0.6,
        "logits_scaling": 0.5,
        "bos_token_id": end,
        "eos_token_id": end,
        "pad_token_id": end,
    }
    encoder = {"num_layers": 2, "hidden_dim": hidden, "num_heads": 2, "dim_head": 16, "context_size": CONTEXT}
    projector = {"hidden_size": hidden, "encoder_hidden_size": hidden, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.GraniteSpeechConfig(
        text_config=text,
        encoder_config=encoder | {"feedforward_mult": 2, "max_pos_emb": 32},
        projector_config=projector | {"intermediate_size": 2 * hidden, "cross_attention_frequency": 1},
        audio_token_index=tokenizer.token_to_id("<|audio|>"),
        initializer_range=0.2,
        has_lora_adapter=False,
        window_size=WINDOW,
        downsample_rate=RATE,
    )
    torch.manual_seed(seed)
    model = transformers.GraniteSpeechForConditionalGeneration(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
        for name, buffer in model.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_().copy_(buffer.half())
    model.generation_config = transformers.GenerationConfig(eos_token_id=end, pad_token_id=end)
    model.config.has_lora_adapter = adapter
    model.save_pretrained(folder)
    if adapter:
        write_adapter(folder, hidden)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end_of_text|>", chat_template=TEMPLATE
    ).save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(make_settings()), encoding="utf-8")
    return model


def write_adapter(folder: Path, hidden: int) -> None:
    """Write an adapter as the library peft does."""
    layers = [f"base_model.model.language_model.model.layers.{layer}.self_attn" for layer in range(2)]
    weights = {}
    for layer in layers:
        for part, width in (("q_proj", hidden), ("v_proj", hidden // 2)):
            weights[f"{layer}.{part}.lora_A.weight"] = 0.3 * torch.randn(RANK, hidden)
            weights[f"{layer}.{part}.lora_B.weight"] = 0.3 * torch.randn(width, RANK)
    save_file(weights, folder / "adapter_model.safetensors", {"format": "pt"})
    settings = {"peft_type": "LORA", "r": RANK, "lora_alpha": ALPHA, "target_modules": ["q_proj", "v_proj"]}
    settings |= {"base_model_name_or_path": "ibm-granite/granite-speech", "lora_dropout": 0.1, "bias": "none"}
    (folder / "adapter_config.json").write_text(json.dumps(settings), encoding="utf-8")
