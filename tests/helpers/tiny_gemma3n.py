"""A tiny Gemma 3n checkpoint with random weights: all its kinds of layers, no vision tower. Needs torch."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from helpers.tiny_checkpoint import make_tokenizer

from airbench_edge.export.families.gemma3n import without_vision

WORDS, MARKS = 320, 8
SPECIALS = ("<pad>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>", "<start_of_audio>")
IMAGE, END_OF_AUDIO, AUDIO = "<image_soft_token>", "<end_of_audio>", "<audio_soft_token>"
TEMPLATE = (
    "{{ bos_token }}{%- set first = messages[0].content + '\\n\\n' if messages[0].role == 'system' else '' -%}"
    "{%- for message in messages if message.role == 'user' -%}{{ '<start_of_turn>user\\n' + first }}"
    "{%- for part in message.content -%}"
    "{{ part.text | trim if part.type == 'text' else '<audio_soft_token>' }}{%- endfor -%}"
    "{{ '<end_of_turn>\\n' }}{%- endfor -%}{{ '<start_of_turn>model\\n' }}"
)
HIDDEN = 32


def make_gemma3n(folder: Path) -> None:
    """Write the checkpoint, in bfloat16 as published ones are; a layer sees 16 positions, or all."""
    torch.manual_seed(0)
    config = transformers.Gemma3nConfig(
        text_config=_text(),
        audio_config=_audio(),
        vision_config={"hidden_size": 16, "vocab_size": MARKS, "vocab_offset": WORDS},
        image_token_id=WORDS + 1,
        audio_token_id=WORDS + MARKS + 1,
        tie_word_embeddings=False,
        initializer_range=0.3,
        eos_token_id=[1, 4],
        architectures=["Gemma3nForConditionalGeneration"],
    )
    config._attn_implementation = "eager"
    with without_vision():
        model = transformers.Gemma3nForConditionalGeneration(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("per_dim_scale", "norm.weight", "correct_output_scale", "conv.weight")):
                parameter.add_(0.2 * torch.randn_like(parameter))
    model.generation_config = transformers.GenerationConfig(pad_token_id=0, bos_token_id=2, eos_token_id=[1, 4])
    model.to(torch.bfloat16).save_pretrained(folder)
    make_gemma3n_processor(folder)


def make_gemma3n_processor(folder: Path) -> None:
    """Write tokenizer, chat template and front end; the ids of the marks follow those of the words."""
    tokenizer = make_tokenizer(WORDS, SPECIALS)
    assert tokenizer.get_vocab_size() == WORDS
    marks = [f"<image {index}>" for index in range(MARKS)] + [f"<audio {index}>" for index in range(MARKS)]
    marks[1], marks[MARKS], marks[MARKS + 1] = IMAGE, END_OF_AUDIO, AUDIO
    tokenizer.add_special_tokens(marks)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        extra_special_tokens={"audio_token": AUDIO, "boa_token": "<start_of_audio>", "eoa_token": END_OF_AUDIO},
        chat_template=TEMPLATE,
    ).save_pretrained(folder)
    transformers.Gemma3nAudioFeatureExtractor().save_pretrained(folder)


def _text() -> dict[str, object]:
    kinds = ["sliding_attention", "sliding_attention", "full_attention"]
    kinds += kinds[1:]  # these two have no keys and values of their own but look into those of the two before
    return {
        "vocab_size": WORDS + 2 * MARKS,
        "vocab_size_per_layer_input": WORDS,
        "hidden_size": HIDDEN,
        "hidden_size_per_layer_input": 8,
        "intermediate_size": [2 * HIDDEN] * len(kinds),
        "num_hidden_layers": len(kinds),
        "num_kv_shared_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": 2048,
        "initializer_range": 0.3,
        "sliding_window": 16,
        "layer_types": kinds,
        "laurel_rank": 8,
        "activation_sparsity_pattern": [0.95, 0.0, 0.8, 0.0, 0.0],
        "tie_word_embeddings": False,
    }


def _audio() -> dict[str, object]:
    return {
        "vocab_size": MARKS,
        "vocab_offset": WORDS + MARKS,
        "hidden_size": HIDDEN,
        "conf_num_attention_heads": 4,
        "conf_num_hidden_layers": 2,
        "sscp_conv_channel_size": (8, 4),
        "initializer_range": 0.2,
    }
