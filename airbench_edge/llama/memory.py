"""What a GGUF model takes of main memory when it is run on the CPU."""

from __future__ import annotations

from typing import NamedTuple

from airbench_edge.llama.library import cpu_features
from airbench_edge.llama.model_file import ModelFile

# llama.cpp maps the file and, where it repacks for the processor, holds a copy of most of it: 0.62 of a Q4_K_M file.
_MAPPED, _REPACKED = 1.05, 1.7
_HALF, _SINGLE = 2, 4
_BASE = 1 << 27
_ROWS = 128


class ModelMemory(NamedTuple):
    """Bytes.

    Attributes:
        weights: The weights.
        kept: Keys and values of the context, half precision: 2 x layers x heads for them x length of a head x tokens.
        work: Intermediate results: above all the attention of 128 tokens to all others, by all heads.
    """

    weights: int
    kept: int
    work: int

    @property
    def total(self) -> int:
        """All together."""
        return sum(self)


def memory_of(file: ModelFile, tokens: int) -> ModelMemory:
    """Reckon with a context of so many tokens, or of as many as the model was trained on."""
    kind = file.metadata.get("general.architecture")

    def number(name: str, otherwise: int) -> int:
        value = file.metadata.get(f"{kind}.{name}")
        return value if isinstance(value, int) else otherwise

    heads = number("attention.head_count", 1)
    key = number("attention.key_length", number("embedding_length", 0) // heads)
    both = key + number("attention.value_length", key)
    tokens = min(tokens, number("context_length", tokens))
    factor = _REPACKED if "REPACK" in cpu_features() else _MAPPED
    return ModelMemory(
        weights=int(factor * sum(part.stat().st_size for part in file.parts)),
        kept=_HALF * number("block_count", 0) * number("attention.head_count_kv", heads) * both * tokens,
        work=_BASE + _SINGLE * _ROWS * heads * tokens,
    )
