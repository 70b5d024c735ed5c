from __future__ import annotations

import base64
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

from helpers.tiny_qwen_audio import write_tiktoken
from tokenizers import Regex, pre_tokenizers

from airbench_edge.errors import InputError
from airbench_edge.export.families.qwen_tokenizer import read_tiktoken

pytestmark = pytest.mark.slow

# The pattern of the published tokenizer.
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEXTS = (
    "Choose the most suitable answer from options A, B, C, and D to respond the question in next line.",
    "What's the PITCH?\n\n  It's   'a' 123,45 \t\r\nwhat? Who's there  ",
    "狗在叫。Ein Hund bellt: «Wuff», é e\u0301 한국어 🎵👍🏽\u200d",
    "",
)


def joined(word: bytes, ranks: dict[bytes, int]) -> list[int]:
    """tiktoken's rule: join the neighbours whose whole has the lowest rank, the first such pair, until none has any."""
    parts = [word[at : at + 1] for at in range(len(word))]
    while True:
        wholes = [ranks.get(left + right) for left, right in pairwise(parts)]
        known = [rank for rank in wholes if rank is not None]
        if not known:
            return [ranks[part] for part in parts]
        at = wholes.index(min(known))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]


@pytest.mark.parametrize("text", TEXTS)
def test_words_are_joined_as_tiktoken_joins_them(tmp_path: Path, text: str) -> None:
    write_tiktoken(tmp_path / "qwen.tiktoken")
    lines = (tmp_path / "qwen.tiktoken").read_text().splitlines()
    ranks = {base64.b64decode(line.split()[0]): int(line.split()[1]) for line in lines}
    split = pre_tokenizers.Split(Regex(WORDS), "isolated")
    words = [word for word, _ in split.pre_tokenize_str(unicodedata.normalize("NFC", text))]
    tokenizer = read_tiktoken(tmp_path / "qwen.tiktoken")
    ids = tokenizer.encode(text).ids
    assert ids == [rank for word in words for rank in joined(word.encode(), ranks)]
    assert tokenizer.decode(ids) == unicodedata.normalize("NFC", text)


def test_special_tokens_follow_in_the_published_order(tmp_path: Path) -> None:
    first = write_tiktoken(tmp_path / "qwen.tiktoken")
    tokenizer = read_tiktoken(tmp_path / "qwen.tiktoken")
    # The published vocabulary has 151643 words and <audio> at 155163, </audio> after it, and no token behind.
    assert tokenizer.token_to_id("<audio>") == first + 155163 - 151643
    assert tokenizer.token_to_id("</audio>") == tokenizer.get_vocab_size() - 1
    assert [tokenizer.token_to_id(f"<|{name}|>") for name in ("endoftext", "im_start", "im_end", "extra_0")] == [
        *range(first, first + 4)
    ]
    assert tokenizer.token_to_id("[[[AUDIO:modality]]]") == first + 3 + 205


def test_tags_of_time_stay_in_an_answer_and_ends_do_not(tmp_path: Path) -> None:
    write_tiktoken(tmp_path / "qwen.tiktoken")
    tokenizer = read_tiktoken(tmp_path / "qwen.tiktoken")
    ids = tokenizer.encode("<|0.07|>dog<|30.00|><|im_end|>").ids
    assert len(ids) == 3 + len(tokenizer.encode("dog").ids)
    assert tokenizer.decode(ids, skip_special_tokens=True) == "<|0.07|>dog<|30.00|>"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is missing"),
        ("IQ== 0 1\n", "no list of tokens and ranks"),
        ("!!! 0\n", "no list of tokens and ranks"),
        ("IQ== 0\nIg== 0\n", "lacks ranks or has some twice"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "qwen.tiktoken").write_text(content)
    with pytest.raises(InputError, match=rf"qwen\.tiktoken.*{message}"):
        read_tiktoken(tmp_path / "qwen.tiktoken")
