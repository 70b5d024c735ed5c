"""A tiny Qwen2-Audio checkpoint with random weights, complete with tokenizer and configurations. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
CORPUS = (
    "system You are a helpful assistant. user assistant Audio 1: The answer is A. It is flute: B. 0 1 2 3 4 5 6 7 8 9",
    "Choose the most suitable answer from options A, B, C, and D to respond the question in next line, "
    "you may only choose A or B or C or D.",
    "What is the pitch, the instrument, the genre, the mood of this music? Which sound comes first? Who speaks, where?",
    "A dog barks while a woman says a word in the kitchen; rain falls on the roof and a piano plays slowly.",
)


def make_tokenizer(vocabulary: int, specials: Sequence[str] = SPECIALS) -> Tokenizer:
    """Byte-level BPE with the special tokens first."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[AddedToken(token, normalized=False, special=True) for token in specials],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        min_frequency=1,
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def make_checkpoint(
    folder: Path, *, hidden: int = 32, vocabulary: int = 320, mel_bins: int = 80, positions: int = 50, seed: int = 0
) -> torch.nn.Module:
    """Write the checkpoint and return the model.

    Args:
        folder: Where it goes.
        hidden: Width of the encoder and of the decoder.
        vocabulary: Number of tokens.
        mel_bins: Bins of the log-mel.
        positions: Encoder positions; one is 20 ms.
        seed: Seed of the weights.
    """
    tokenizer = make_tokenizer(vocabulary)
    token = {name: tokenizer.token_to_id(name) for name in SPECIALS}
    ends = {"bos_token_id": token["<|endoftext|>"], "eos_token_id": token["<|im_end|>"]}
    config = transformers.Qwen2AudioConfig(
        audio_config={
            "num_mel_bins": mel_bins,
            "encoder_layers": 2,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 2 * hidden,
            "d_model": hidden,
            "max_source_positions": positions,
            "initializer_range": 0.1,
        },
        text_config={
            "model_type": "qwen2",
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": hidden,
            "intermediate_size": 2 * hidden,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "use_sliding_window": False,
            "initializer_range": 0.2,
            "pad_token_id": token["<|endoftext|>"],
            **ends,
        },
        audio_token_index=token["<|AUDIO|>"],
        initializer_range=0.15,
    )
    torch.manual_seed(seed)
    model = transformers.Qwen2AudioForConditionalGeneration(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
    model.generation_config = transformers.GenerationConfig(
        pad_token_id=token["<|endoftext|>"], eos_token_id=[token["<|endoftext|>"], token["<|im_end|>"]]
    )
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=list(SPECIALS[1:]),
    ).save_pretrained(folder)
    transformers.WhisperFeatureExtractor(
        feature_size=mel_bins, chunk_length=positions // 50, return_attention_mask=True
    ).save_pretrained(folder)
    return model
