"""From a raw reply to the words of its first turn: no thinking, no chat tokens, no invented next turns.

Used for the responses of audio-LMs and for the replies of judges alike. All steps take linear time.
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd▁]")

_LONG = 10_000
_LOOP = re.compile(r"(?<!\w)(.{1,64}?)\1{7,}", re.DOTALL)

_THOUGHT = "think|thinking|thoughts?|reason|reasoning|analysis|reflection|scratchpad|seed:think|cot|rationale|plan"
_THINKING_TAG = re.compile(
    rf"<(?P<end1>/?)(?:{_THOUGHT})>|\[(?P<end2>/?)(?:think|thinking)\]|◁(?P<end3>/?)think▷"
    r"|<\|(?P<end4>begin|end)_of_thought\|>|<\|channel\|>(?P<channel>\w+)<\|message\|>",
    re.IGNORECASE,
)

_END_OF_TURN = (
    r"<\|(?:im_end|endoftext|end_of_text|eot_id|eot|eom_id|end|return|user|eos|end_of_turn|end▁of▁sentence)\|>"
    r"|</s>|<eos>|<end_of_turn>|<\|im_start\|>\s*(?:user|system)|<start_of_turn>\s*user|\[INST\]"
)
_SPEAKER = r"human|user|question|q|instruction|input|system|用户|问题|问|提问|人类|質問|질문|pregunta|frage|вопрос"
_ANSWERER = r"assistant|model|bot|ai|gpt|chatgpt|qwen|response|output|助手|回复"
_OTHER_TURN = rf"(?:^|\n)[ \t]*(?:#+[ \t]*|\*\*)?(?:{_SPEAKER})(?:\*\*)?[ \t]*[:：]"
_OWN_TURN = rf"(?:^|\n)[ \t]*(?:#+[ \t]*|\*\*)?(?:{_ANSWERER})(?:\*\*)?[ \t]*(?:[:：]|\n)"
_TURN_ENDS = re.compile(rf"{_END_OF_TURN}|{_OTHER_TURN}|{_OWN_TURN}", re.IGNORECASE)
_STARTS_WITH_PROMPT = re.compile(
    rf"(?:\s*(?:<s>|<bos>|<\|begin_of_text\|>))*\s*(?:{_OTHER_TURN}|\[INST\]|<\|im_start\|>\s*(?:user|system)|<start_of_turn>\s*user)",
    re.IGNORECASE,
)
_OWN_TURN_BEGINS = re.compile(
    rf"{_OWN_TURN}|\[/INST\]|<\|im_start\|>\s*assistant|<start_of_turn>\s*model|(?:^|\n)[ \t]*answer[ \t]*:",
    re.IGNORECASE,
)
_TURN_HEAD = re.compile(
    rf"\s*(?:<\|im_start\|>\s*(?:{_ANSWERER})\b|<start_of_turn>\s*model\b|\[/INST\]|<\|[^<>|\n]{{0,40}}\|>|</?s>|<bos>"
    rf"|<pad>|<unk>|(?:#+[ \t]*)?(?:{_ANSWERER})[ \t]*(?:[:：]|\n|(?=<\|)))",
    re.IGNORECASE,
)
_CHAT_TOKEN = re.compile(
    r"<\|[^<>|\n]{0,40}\|>|</?s>|</?(?:bos|eos|pad|unk|mask|start_of_turn|end_of_turn)>|\[/?INST\]"
)


def tidy(text: str) -> str:
    """Return the text in one form of each character: NFKC, line feeds, no invisible or broken characters.

    In a very long text a loop of a short unit is cut to three turns, which say the same.
    """
    text = _CONTROL.sub(" ", _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    return _LOOP.sub(r"\1\1\1", text) if len(text) > _LONG else text


def without_thinking(text: str) -> str | None:
    """Return what stands outside the thinking, or None where the reply ends inside it.

    A closing tag without an opening one means that the chat template had opened it: all before it is thinking.
    """
    kept: list[str] = []
    inside = False
    end = 0
    for tag in _THINKING_TAG.finditer(text):
        if not inside:
            kept.append(text[end : tag.start()])
        if _opens(tag):
            inside = True
        elif inside:
            inside = False
        else:
            kept.clear()
        end = tag.end()
    if inside:
        return None
    return "".join([*kept, text[end:]])


def first_turn(text: str) -> str:
    """Return the first turn that the model itself spoke, without role names and chat tokens."""
    if _STARTS_WITH_PROMPT.match(text) and (own := _OWN_TURN_BEGINS.search(text, 1)):
        text = text[own.start() :] if "answer" in own.group().lower() else text[own.end() :]
    start = 0
    while head := _TURN_HEAD.match(text, start):
        start = head.end()
    text = text[start:]
    for mark in _TURN_ENDS.finditer(text):
        if text[: mark.start()].strip():
            text = text[: mark.start()]
            break
    return _CHAT_TOKEN.sub(" ", text)


def _opens(tag: re.Match[str]) -> bool:
    """Tell an opening thinking tag from a closing one."""
    if channel := tag["channel"]:
        return channel.lower() != "final"
    if border := tag["end4"]:
        return border.lower() == "begin"
    return not (tag["end1"] or tag["end2"] or tag["end3"])
