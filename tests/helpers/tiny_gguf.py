"""A real GGUF language model of a few dozen kilobytes with random weights, and variants of it.

python tests/helpers/tiny_gguf.py   # writes tests/cases/tiny_judge/tiny.gguf anew
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

WIDTH, LAYERS, HEADS, INNER = 64, 2, 4, 96
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
F32, Q4_0 = 0, 2
Value = str | int | float | bool | list[str] | list[int]
Tensor = tuple[str, npt.NDArray[np.float32], int]


def byte_letters() -> list[str]:
    """The character that stands for each byte in a GPT-2 vocabulary: itself if printable, else one from 256 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


def tiny_metadata(merges: Sequence[str] = ()) -> dict[str, Value]:
    """Metadata of a llama model over bytes; every merge (``"1 0"``) adds one token."""
    letters = [*byte_letters(), *(merge.replace(" ", "") for merge in merges)]
    return {
        "general.architecture": "llama",
        "general.name": "Tiny",
        "llama.context_length": 8192,
        "llama.embedding_length": WIDTH,
        "llama.block_count": LAYERS,
        "llama.feed_forward_length": INNER,
        "llama.attention.head_count": HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": [*letters, *CONTROL],
        "tokenizer.ggml.token_type": [1] * len(letters) + [3] * len(CONTROL),
        "tokenizer.ggml.merges": list(merges),
        "tokenizer.ggml.bos_token_id": len(letters),
        "tokenizer.ggml.eos_token_id": len(letters) + 2,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": CHATML,
    }


def tiny_tensors(vocabulary: int, seed: int = 0) -> list[Tensor]:
    """Random weights, 4-bit but for the norms and the embedding; large enough that the output is far from uniform."""
    random = np.random.default_rng(seed)

    def matrix(name: str, rows: int, columns: int, kind: int = Q4_0) -> Tensor:
        return name, random.normal(0, columns**-0.5, (rows, columns)).astype(np.float32), kind

    def ones(name: str) -> Tensor:
        return name, np.ones(WIDTH, np.float32), F32

    tensors = [
        ("token_embd.weight", random.normal(0, 0.4, (vocabulary, WIDTH)).astype(np.float32), F32),
        ones("output_norm.weight"),
    ]
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        tensors += [ones(f"{block}attn_norm.weight"), ones(f"{block}ffn_norm.weight")]
        tensors += [matrix(f"{block}attn_{part}.weight", WIDTH, WIDTH) for part in ("q", "k", "v", "output")]
        tensors += [matrix(f"{block}ffn_{part}.weight", INNER, WIDTH) for part in ("gate", "up")]
        tensors += [matrix(f"{block}ffn_down.weight", WIDTH, INNER)]
    return tensors


def write_tiny(path: Path, changes: Mapping[str, Value | None] | None = None, merges: Sequence[str] = ()) -> Path:
    """Write the tiny model, with metadata changed, added, or (None) removed."""
    metadata = {**tiny_metadata(merges), **(changes or {})}
    tensors = tiny_tensors(256 + len(merges) + len(CONTROL))
    path.write_bytes(gguf_bytes({key: value for key, value in metadata.items() if value is not None}, tensors))
    return path


def gguf_bytes(metadata: Mapping[str, Value], tensors: Sequence[Tensor], version: int = 3) -> bytes:
    """A GGUF file, little-endian."""
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    head += b"".join(_text(key) + _value(value) for key, value in metadata.items())
    data = b""
    for name, array, kind in tensors:
        dimensions = array.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(dimensions)}Q", len(dimensions), *dimensions)
        head += struct.pack("<IQ", kind, len(data))
        data += _padded(array.tobytes() if kind == F32 else _q4_0(array))
    return _padded(head) + data


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 32)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    inner = 5 if value and isinstance(value[0], int) else 8
    items = b"".join(_text(item) if isinstance(item, str) else struct.pack("<i", item) for item in value)
    return struct.pack("<IIQ", 9, inner, len(value)) + items


def _q4_0(array: npt.NDArray[np.float32]) -> bytes:
    """Blocks of 32: a half-precision scale, then 16 bytes that hold element n low and n + 16 high."""
    blocks = array.reshape(-1, 32)
    extreme = np.take_along_axis(blocks, np.abs(blocks).argmax(1, keepdims=True), 1)
    scale = (extreme / -8).astype(np.float16)
    codes = np.clip(np.round(blocks / scale.astype(np.float32)) + 8, 0, 15).astype(np.uint8)
    packed = codes[:, :16] | codes[:, 16:] << 4
    return b"".join(s.tobytes() + p.tobytes() for s, p in zip(scale, packed, strict=True))


if __name__ == "__main__":
    write_tiny(Path(__file__).parents[1] / "cases" / "tiny_judge" / "tiny.gguf")
