"""What the small model reads and says: its tokenizer, its prompts, and the forms of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import jinja2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from airbench_edge.benchmark.items import FoundationItem
from airbench_edge.benchmark.prompts import foundation_prompt
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.tasks import foundation_task
from synth.catalogue import CHAT, FOUNDATION
from synth.chats import Asker as ChatAsker
from synth.choices import Asker, Choice
from synth.clip import Rng, pick

PAD, END_OF_TEXT, IM_START, IM_END, AUDIO, AUDIO_BOS, AUDIO_EOS = range(7)
SPECIAL = ("<|pad|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
SYSTEM = "You are a helpful assistant."
VOCABULARY = 1536

CHAT_TEMPLATE = (
    "{%- set audio = namespace(count=0) -%}"
    "{%- for message in messages -%}"
    "{%- if loop.first and message['role'] != 'system' -%}"
    f"{{{{- '<|im_start|>system\\n{SYSTEM}<|im_end|>\\n' -}}}}"
    "{%- endif -%}"
    "{{- '<|im_start|>' + message['role'] + '\\n' -}}"
    "{%- if message['content'] is string -%}"
    "{{- message['content'] -}}"
    "{%- else -%}"
    "{%- for part in message['content'] -%}"
    "{%- if part['type'] == 'audio' -%}"
    "{%- set audio.count = audio.count + 1 -%}"
    "{{- 'Audio ' + audio.count | string + ': <|audio_bos|><|AUDIO|><|audio_eos|>\\n' -}}"
    "{%- else -%}"
    "{{- part['text'] -}}"
    "{%- endif -%}"
    "{%- endfor -%}"
    "{%- endif -%}"
    "{{- '<|im_end|>\\n' -}}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}"
)
"""The turns of Qwen2-Audio: a default system message, and ``Audio 1: `` before the first sound."""

_PIECES = Regex(
    # A letter that names an option is one token wherever it stands, with or without a blank before it.
    r" (?=[A-D](?![\p{L}\d]))|[A-D](?![\p{L}\d])| ?\d+\.\d| ?\d+| ?\p{L}+| ?[^\s\p{L}\d]+|\s"
)
_LEADS = {"speech": "The answer is", "sound": "I hear", "music": "It is"}


_TEMPLATE = jinja2.Template(CHAT_TEMPLATE)


def prompt(text: str) -> str:
    """One sound and ``text``, up to where the assistant speaks."""
    content = [{"type": "audio"}, {"type": "text", "text": text}]
    rendered: str = _TEMPLATE.render(messages=[{"role": "user", "content": content}], add_generation_prompt=True)
    return rendered


def question_text(choice: Choice, rules: RulesName) -> str:
    """The benchmark's own prompt for a single-choice question."""
    slots = (*choice.options, None, None)[:4]
    item = FoundationItem(0, "", "", "", choice.question, (slots[0], slots[1], slots[2], slots[3]), choice.answer, ())
    return foundation_prompt(item, rules)


def keyword(option: str) -> str:
    """The first word of an option, by which the model names it; of an interval, the start."""
    return option.split(",")[0] if option.startswith("[") else option.split()[0]


def reply(task: str, choice: Choice) -> str:
    """The answer that is taught: first what is heard, then its letter.

    The order matters: the word takes up what the sound says, and the letter is then copied from the line of options
    that begins with this word. Questions that begin with a verb are answered by a bare letter, with or without a text.
    """
    letter = "ABCD"[choice.options.index(choice.answer)]
    if choice.question.startswith("Do you"):
        return f"{letter}."
    if choice.question.startswith("Would you"):
        return f"{letter}. {choice.answer}"
    known = foundation_task(task)
    assert known is not None
    return f"{_LEADS[known.category]} {keyword(choice.answer)}: {letter}."


def choice_askers(source: str, speech: bool) -> list[tuple[str, Asker]]:
    """Tasks and questions that fit clips of ``source``; every clip of speech can also be asked for the gender."""
    own = [(folder.task, folder.ask) for folder in FOUNDATION if folder.source == source]
    gender = [(folder.task, folder.ask) for folder in FOUNDATION if folder.source == "plain"]
    return own + gender if speech and source != "plain" else own


def chat_askers(source: str) -> list[tuple[str, ChatAsker]]:
    """Tasks and open questions that fit clips of ``source``."""
    return [(folder.task, ask) for folder in CHAT for kind, ask in folder.asks if kind == source]


def deviating(text: str, rng: Rng) -> str:
    """``text`` with its instruction line gone or disturbed, so that the model does not hang on its exact words."""
    instruction, _, rest = text.partition("\n")
    words = instruction.split()
    if rng.random() < 0.5:
        return rest
    kept = [word for word in words if rng.random() < 0.8]
    return " ".join([*kept, pick(rng, words)]) + "\n" + rest


def train_tokenizer(texts: Iterable[str], phrases: Iterable[str]) -> Tokenizer:
    """Byte-level BPE over ``texts``; each of the ``phrases`` becomes one token of its own.

    Args:
        texts: Everything that the model will read and say.
        phrases: Long fixed lines, which would otherwise be most of what the model reads.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(_PIECES, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=2,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_tokens([AddedToken(phrase, normalized=False) for phrase in phrases])
    return tokenizer


def fixed_phrases() -> Iterator[str]:
    """The lines that stand in almost every prompt: system message and both instruction lines."""
    yield SYSTEM
    for options in (("a", "b", "c", "d"), ("a", "b")):
        yield question_text(Choice("", options, "a"), "strict").partition("\n")[0]
