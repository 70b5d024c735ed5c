"""Tokenizers of the tiktoken kind, which know the rank of each token but no merges, as byte-level BPE.

tiktoken joins the two neighbours whose whole has the lowest rank, until none has any; every way to part a token into
two others is therefore a merge of that token's rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers


def byte_level(ranks: Mapping[bytes, int], words: str, before: Sequence[str] = ()) -> Tokenizer:
    """Build the tokenizer.

    Args:
        ranks: Token to its rank.
        words: Regular expression that finds the words, within which tokens stay.
        before: Special tokens with the first ids; those of the others are their ranks, moved up by as many.
    """
    letters = _letters_of_bytes()
    texts = {token: "".join(letters[byte] for byte in token) for token in sorted(ranks, key=lambda token: ranks[token])}
    vocabulary = {token: number for number, token in enumerate(before)}
    vocabulary |= {text: ranks[token] + len(before) for token, text in texts.items()}
    merges = [
        (texts[token[:cut]], texts[token[cut:]])
        for token in texts
        for cut in range(1, len(token))
        if token[:cut] in ranks and token[cut:] in ranks
    ]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(words), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in before])
    return tokenizer


def _letters_of_bytes() -> list[str]:
    """The letter that stands for each byte in byte-level BPE: itself where it can be seen, else one from 256 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in seen]
    return [chr(byte if byte in seen else 256 + others.index(byte)) for byte in range(256)]
