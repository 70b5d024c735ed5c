from __future__ import annotations

from pathlib import Path

import pytest
from helpers.judge_weights import TINY_JUDGE
from helpers.tiny_gguf import CHATML, Value, tiny_metadata, write_tiny

from airbench_edge.errors import InputError
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary

pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')

BOS, START, END = 256, 257, 258  # after the 256 bytes: <|endoftext|>, <|im_start|>, <|im_end|>


def chat_of(path: Path) -> tuple[Chat, Vocabulary]:
    file = open_model_file(path)
    vocabulary = Vocabulary(file)
    return Chat(file, vocabulary), vocabulary


def changed(folder: Path, **changes: Value | None) -> tuple[Chat, Vocabulary]:
    return chat_of(write_tiny(folder / "m.gguf", {key.replace("__", "."): value for key, value in changes.items()}))


def with_template(folder: Path, template: str) -> tuple[Chat, Vocabulary]:
    return changed(folder, tokenizer__chat_template=template)


def spelled(vocabulary: Vocabulary, tokens: list[int]) -> str:
    return b"".join(vocabulary.piece(token, special=True) for token in tokens).decode()


def test_the_template_of_the_file_is_used() -> None:
    chat, vocabulary = chat_of(TINY_JUDGE)
    tokens = chat.tokens("Hé 1")
    assert spelled(vocabulary, tokens) == "<|im_start|>user\nHé 1<|im_end|>\n<|im_start|>assistant\n"
    # 3 control tokens; the rest is bytes: "user\n" 5, "Hé 1" 5, "\n" 1, "assistant\n" 10
    assert len(tokens) == 3 + 5 + 5 + 1 + 10
    assert chat.template.startswith("from the file, sha256 ")


def test_chatml_appears_nowhere_if_the_template_is_another(tmp_path: Path) -> None:
    chat, vocabulary = with_template(tmp_path, "[INST] {{ messages[0]['content'] }} [/INST]")
    tokens = chat.tokens("Hi")
    assert spelled(vocabulary, tokens) == "[INST] Hi [/INST]"
    assert not {START, END} & set(tokens)


@pytest.mark.parametrize("markup", ["<|im_end|>", "<|im_start|>system", "a<|endoftext|>b"])
def test_markup_in_an_answer_stays_text(markup: str) -> None:
    chat, vocabulary = chat_of(TINY_JUDGE)
    tokens = chat.tokens(f"before {markup} after")
    assert spelled(vocabulary, tokens).count(markup) >= 1
    assert [token for token in tokens if token >= BOS] == [START, END, START]


def test_a_template_that_trims_is_obeyed_also_with_markup(tmp_path: Path) -> None:
    chat, vocabulary = with_template(tmp_path, CHATML.replace("m['content']", "m['content'] | trim"))
    for message in ("  Hi  ", "  <|im_end|>  "):
        text = spelled(vocabulary, chat.tokens(message))
        assert text == f"<|im_start|>user\n{message.strip()}<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize(
    ("template", "wants", "starts"),
    [
        ("{{ bos_token }}" + CHATML, True, [BOS, START]),
        ("{{ bos_token }}{{ bos_token }}" + CHATML, True, [BOS, START]),
        (CHATML, True, [BOS, START]),
        ("{{ bos_token }}" + CHATML, False, [BOS, START]),
        (CHATML, False, [START, ord("u")]),
    ],
)
def test_exactly_one_beginning_of_text(tmp_path: Path, template: str, wants: bool, starts: list[int]) -> None:
    chat, _ = changed(tmp_path, tokenizer__chat_template=template, tokenizer__ggml__add_bos_token=wants)
    tokens = chat.tokens("Hi")
    assert tokens[:2] == starts
    assert tokens.count(BOS) == (starts[0] == BOS)


def test_without_a_template_chatml_is_used_and_said(tmp_path: Path) -> None:
    chat, vocabulary = changed(tmp_path, tokenizer__chat_template=None)
    assert spelled(vocabulary, chat.tokens("Hi")) == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert chat.template.startswith("ChatML, as the file holds none")


def test_a_base_model_is_refused(tmp_path: Path) -> None:
    words = tiny_metadata()["tokenizer.ggml.tokens"]
    assert isinstance(words, list)
    tokens = [str(word).replace("im_start", "x").replace("im_end", "y") for word in words]
    with pytest.raises(InputError, match="no chat template"):
        changed(tmp_path, tokenizer__chat_template=None, tokenizer__ggml__tokens=tokens)


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ("{% for %}", "does not work"),
        ("{{ raise_exception('only tools') }}", r"does not work \(only tools\)"),
        ("{{ messages[0].content + 1 }}", "does not work"),
        ("{{ 1 / 0 }}", r"does not work \(division by zero\)"),
        ("{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}", "does not work"),
        ("Hello", "does not write the message once"),
        ("{{ messages[0].content }}{{ messages[0].content }}", "does not write the message once"),
        ("{{ messages[0].content.__class__.__mro__ }}", "does not work"),
    ],
)
def test_unusable_templates(tmp_path: Path, template: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        with_template(tmp_path, template)


def test_the_date_of_today_never_enters_a_prompt(tmp_path: Path) -> None:
    chat, vocabulary = with_template(tmp_path, "{{ strftime_now('%d %b %Y') }}: {{ messages[0].content }}")
    assert spelled(vocabulary, chat.tokens("Hi")) == "26 Jul 2024: Hi"


def test_reply_tokens_are_those_after_the_prompt() -> None:
    chat, vocabulary = chat_of(TINY_JUDGE)
    assert vocabulary.text(chat.reply_tokens("10 7")) == "10 7"
    assert len(chat.reply_tokens("10 7")) == 4


def test_line_ends_are_ends_of_turn_and_line_feeds() -> None:
    _, vocabulary = chat_of(TINY_JUDGE)
    ends = vocabulary.line_ends
    assert {BOS, END} <= set(ends)  # <|endoftext|> ends a turn too
    assert [vocabulary.piece(token) for token in ends if token < BOS] == [b"\n"]


@pytest.mark.parametrize("text", ["", "\x00", "\ud800 lone surrogate", "日本語 🎵", "x" * 5000])
def test_any_text_can_be_tokenised(text: str) -> None:
    _, vocabulary = chat_of(TINY_JUDGE)
    tokens = vocabulary.tokens(text, special=False)
    assert vocabulary.text(tokens) == text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(("architecture", "what"), [("martian", "unknown model architecture"), ("t5", "encoder")])
def test_models_that_this_engine_cannot_use(tmp_path: Path, architecture: str, what: str) -> None:
    file = open_model_file(write_tiny(tmp_path / "m.gguf", {"general.architecture": architecture}))
    with pytest.raises(InputError, match=what):
        Vocabulary(file)
