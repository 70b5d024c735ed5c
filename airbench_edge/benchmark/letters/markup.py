"""From Markdown, HTML, LaTeX and JSON to plain lines; a marked answer becomes ``answer: ...``."""

from __future__ import annotations

import re

_ANSWER_TAG = re.compile(
    r"</?(?:final[_ ]?)?(?:answer|response|output|result|solution|choice|option|final|letter)>", re.IGNORECASE
)
_HTML_PAIR = re.compile(r"<(b|i|u|em|strong|p|span|code|center|mark|div|sub|sup)>([^<]{0,2000})</\1>", re.IGNORECASE)
_HTML_BREAK = re.compile(r"<br ?/?>|</?(?:p|div|li|ul|ol|tr|td|table)>", re.IGNORECASE)
_LETTER_TAG = re.compile(r"<([A-Za-z])>")
_STRUCK_OUT = re.compile(r"~~[^~\n]{1,500}~~")
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{([^{}\n]{0,300})\}")
_LATEX_STYLE = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|textit|mathsf|operatorname)\s*\{([^{}\n]{0,300})\}")
_LATEX_REST = re.compile(r"\\q?quad\b|\\[()\[\],;! ]|\\\\")
_MARKED_LETTER = re.compile(r"(\*{1,3}|_{1,3}|`{1,3}|\$)([A-Z])\1")
_JSON_KEY = re.compile(r"[{,\s]*[\"']([\w ]{1,40})[\"']\s*:\s*")
_TICKED = re.compile(r"^[ \t]*(?:[-*+][ \t]*)?\[[xX✓✔]\][ \t]*", re.MULTILINE)
_UNTICKED = re.compile(r"^[ \t]*(?:[-*+][ \t]*)?\[[ \t]\][^\n]*", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_ONE_LINE_FENCE = re.compile(r"```")
_TABLE_RULE = re.compile(r"^[ \t|:+=-]{3,}$", re.MULTILINE)
_LINE_HEAD = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|[-*+•·][ \t]+)+", re.MULTILINE)
_STYLE = re.compile(r"[*`$]|(?<![^\W_])_+|_+(?![^\W_])")


def plain(text: str) -> str:
    """Return the text without markup; every step takes linear time.

    Boxes, answer tags, ticked boxes and JSON keys become labels on a line of their own; what is struck out is gone.
    """
    text = _LATEX_STYLE.sub(r"\1", text)
    text = _BOXED.sub(r" answer: (\1) ", text)
    text = _LATEX_REST.sub(" ", text)
    text = _ANSWER_TAG.sub(lambda tag: "\n" if tag.group().startswith("</") else "\nanswer: ", text)
    text = _HTML_BREAK.sub("\n", _HTML_PAIR.sub(r"\2", text))
    text = _LETTER_TAG.sub(r"(\1)", text)
    text = _MARKED_LETTER.sub(r"(\2)", text)
    text = _STRUCK_OUT.sub(" ", text)
    text = _ONE_LINE_FENCE.sub(" ", _FENCE.sub("\n", text))
    if _looks_like_json(text):
        text = _JSON_KEY.sub(r"\n\1: ", text).strip("{} \n")
    text = _UNTICKED.sub("", text)
    text = _TICKED.sub("answer: ", text)
    text = _TABLE_RULE.sub("", text)
    text = _LINE_HEAD.sub("", text)
    return _STYLE.sub("", text).strip()


def _looks_like_json(text: str) -> bool:
    """Tell whether the text is one object in braces, closed or cut."""
    return text.lstrip().startswith("{") and _JSON_KEY.match(text.lstrip()) is not None
