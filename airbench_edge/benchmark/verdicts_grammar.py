"""The words of a judge's reply: names of the two assistants, numbers with their scale, and what stands between."""

from __future__ import annotations

import re
from enum import StrEnum, auto
from typing import Final, NamedTuple


class Kind(StrEnum):
    """What a token does in a verdict."""

    NAME = auto()  # "Assistant 1"; the value is 1 or 2
    NUMBER = auto()
    JOIN = auto()  # may stand between two scores
    DASH = auto()
    OPEN = auto()  # an opening bracket
    CLOSE = auto()
    MARK = auto()  # any other sign
    STOP = auto()  # ends a sentence or a line
    SCORE = auto()  # announces a score
    GLUE = auto()  # may stand between a name and its score
    TURN = auto()  # may follow a score: "and", "because"
    GIVE = auto()  # "for", "to": a name follows the score
    RANGE = auto()  # "or", "between"
    BOTH = auto()
    FINAL = auto()
    DRAFT = auto()
    CRITERION = auto()
    BLOCK = auto()  # reports somebody's numbers: "wrote", "example"
    WORD = auto()


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: What it does.
        text: Its text; for a name ``1`` or ``2``, for a number its digits.
        fault: For numbers: why it is no integer score of 1 to 10, empty if it is one.
    """

    kind: Kind
    text: str
    fault: str = ""


_WORDS: Final[dict[Kind, str]] = {
    Kind.JOIN: "and und et y e и vs versus 和 与 及 と 과 와",
    Kind.SCORE: """
        score scores scored rating ratings rate rated give gives verdict grade grades mark marks
        result results evaluation assessment answer output points note noten bewertung
        puntuación puntuaciones punteggio nota notes оценка оценки 评分 評分 得分 打分 分数 分數 評価 점수 평가
        scale
    """,
    Kind.GLUE: """
        s get gets got receive receives received earn earns deserve deserves is was are a an the
        of at would be should have given awarded assigned my our i response answers responses
        performance total 得 的 为 是 给 は の 는 은 이 bekommt erhält obtiene obtient reçoit assistants
        with 打
    """,
    Kind.TURN: "while whereas but because since as respectively however though",
    Kind.GIVE: "for to goes für für para pour",
    Kind.RANGE: "or between oder ou bis or",
    Kind.BOTH: "both beide ambos",
    Kind.FINAL: "final overall revised corrected updated finally 最终 最終 总分 总体 actually correction wait",
    Kind.DRAFT: "initial initially preliminary tentative draft",
    Kind.CRITERION: """
        helpfulness relevance accuracy detail details comprehensiveness fluency clarity correctness
        completeness coherence level usefulness 准确性 相关性
    """,
    Kind.BLOCK: """
        not don't ignore wrote write said says asked asks claims claimed example e.g format like
        such quote quoted instead if injected demands demanded
    """,
}
_KIND_OF_WORD: Final = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_KIND_OF_SIGN: Final = {
    **dict.fromkeys(",;|&、/", Kind.JOIN),
    **dict.fromkeys("-–—~", Kind.DASH),
    **dict.fromkeys("([{", Kind.OPEN),
    **dict.fromkeys(")]}", Kind.CLOSE),
}

_NOUN = "assistants?|answer|response|model|ai|助手|助理|回答|アシスタント|어시스턴트|assistente?|asistente|ассистент"
_TOKEN: Final = re.compile(
    rf"(?:\b|(?<=[\u3040-\uffff]))(?:{_NOUN})[ \t#_]*(?:(?P<one>1|one|一|(?-i:A))|(?P<two>2|two|二|(?-i:B)))"
    r"(?:'?s)?(?![A-Za-z0-9])"
    rf"|\b(?:(?P<first>first|1st)|(?P<second>second|2nd))\s+(?:{_NOUN}|one)(?!\w)"
    rf"|第(?:(?P<place1>[一1])|(?P<place2>[二2]))[个個]?(?:{_NOUN})?"
    r"|\b(?:a|score|rating)[ _]?(?:(?P<key1>1)|(?P<key2>2))(?=\s*[:=])"
    r"|(?P<number>(?<![\w.])[-+]?\d+(?:[.,]\d+)?|(?<!\d)\.\d+|\d+(?:[.,]\d+)?)"
    r"(?P<scale>\s?/\s?\d+(?!\d)|\s*(?:out\s+of|von)\s+\d+|%)?"
    r"(?P<unit>\s*(?:points?\b|pts\b|分|点|점|punkte?\b|puntos?\b|балл\w*)(?!\s*(?:better|higher|ahead|more|less|lower)))?"
    r"|(?P<stop>\n\s*|[.!?。！？]+(?=\s|$))|(?P<word>vs\.|[^\W\d_\u3040-\uffff]+(?:['.][^\W\d_]+)*)"
    r"|(?P<cjk>评分|評分|得分|打分|分数|分數|評価|점수|평가|最终|最終|总分|总体|准确性|相关性|[\u3040-\uffff])|(?P<sign>\S)",
    re.IGNORECASE,
)
_SPACED_SLASH: Final = re.compile(r"\s/\s\d+")
_USUAL_SCALES: Final = {"5", "10", "20", "50", "100"}


def split(text: str) -> list[Token]:
    """Cut a reply into tokens; a stop ends the list."""
    tokens: list[Token] = []
    position = 0
    while match := _TOKEN.search(text, position):
        token, position = _token(match)
        tokens.append(token)
    return [*tokens, Token(Kind.STOP, "")]


def _token(match: re.Match[str]) -> tuple[Token, int]:
    """Return the token of a match and where it ends."""
    if match["number"]:
        return _number(match)
    text, kind = match.group().lower(), Kind.WORD
    if match["stop"]:
        kind = Kind.STOP
    elif match["word"] or match["cjk"]:
        kind = _KIND_OF_WORD.get(text.rstrip("."), Kind.WORD)
    elif match["sign"]:
        kind = _KIND_OF_SIGN.get(text, Kind.MARK)
    else:
        kind = Kind.NAME
        text = "1" if match["one"] or match["first"] or match["place1"] or match["key1"] else "2"
    return Token(kind, text if kind is not Kind.WORD else match.group()), match.end()


def _number(match: re.Match[str]) -> tuple[Token, int]:
    """Return a number with the reason why it is no score; ``8 / 7`` is two numbers, ``8/7`` a fraction."""
    digits, scale = match["number"], match["scale"] or ""
    of = scale.strip("/ %outfvnOUTFVN")
    if _SPACED_SLASH.fullmatch(scale) and of not in _USUAL_SCALES:
        return Token(Kind.NUMBER, digits, _fault(digits)), match.end("number")
    fault = "other_scale" if scale and of != "10" else _fault(digits)
    return Token(Kind.NUMBER, digits, fault), match.end()


def _fault(digits: str) -> str:
    if not digits.lstrip("+").isdecimal():
        return "out_of_range" if digits[1:].isdecimal() else "not_integer"
    return "" if len(digits) <= 3 and 1 <= int(digits) <= 10 else "out_of_range"
