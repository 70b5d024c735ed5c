"""The trained model as a checkpoint of the usual layout."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import Qwen2AudioForConditionalGeneration

from nano.lessons import extractor
from nano.wording import CHAT_TEMPLATE, END_OF_TEXT, IM_END, PAD, SPECIAL


def save(model: Qwen2AudioForConditionalGeneration, tokenizer: Tokenizer, out: Path) -> None:
    """Write weights in float16, configuration, tokenizer with chat template, and preprocessor to ``out``."""
    decoder = model.language_model
    # Trained with the embedding table as output layer; the class keeps two tables and would load a random one.
    decoder.lm_head.weight.data = decoder.model.embed_tokens.weight.data.clone()
    out.mkdir(parents=True, exist_ok=True)
    generation = model.generation_config
    generation.pad_token_id, generation.eos_token_id, generation.bos_token_id = PAD, IM_END, END_OF_TEXT
    generation.do_sample = False
    model.to(torch.float16).save_pretrained(out)
    extractor().save_pretrained(out)
    tokenizer.save(str(out / "tokenizer.json"))
    described = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "processor_class": "Qwen2AudioProcessor",
        "model_max_length": 1024,
        "eos_token": SPECIAL[IM_END],
        "pad_token": SPECIAL[PAD],
        "chat_template": CHAT_TEMPLATE,
    }
    (out / "tokenizer_config.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
