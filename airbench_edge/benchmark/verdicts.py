"""The two scores in a judge's reply: by the released script's rule, or as a careful reader would take them.

Whatever is not two clear integers from 1 to 10, in the order Assistant 1, Assistant 2, is no verdict and has a named
reason. Nothing is clamped, rounded or filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from airbench_edge.benchmark.letters.cleaning import first_turn, tidy, without_thinking
from airbench_edge.benchmark.letters.markup import plain
from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.benchmark.verdicts_forms import for_both, labels, numbered, pairs, sentences
from airbench_edge.benchmark.verdicts_grammar import Kind, Token, split

_FRACTION: Final = re.compile("[¼-¾⅐-⅞]")
_QUOTED: Final = re.compile(r'(?<=[^\s:] )"(?!\d{1,2}")[^"\n]{0,500}"|“[^”\n]{0,500}”')
_SCALE_STATED: Final = re.compile(
    r"(?:\bon\s+a\s+scale\s+)?(?:\b(?:of|from)\s+)?(?<![\d.])1\s*(?:to|-|–|~|到|至)\s*10\b(?!\.\d)", re.IGNORECASE
)
_SCALE_BETWEEN: Final = re.compile(r"\bbetween\s+1\s+and\s+10\b", re.IGNORECASE)
_PLAIN_FAULTS: Final = frozenset({"not_integer", "out_of_range", "other_scale", "range"})


class VerdictReading(NamedTuple):
    """The scores of a verdict.

    Attributes:
        scores: Scores of the answers shown as Assistant 1 and Assistant 2, or None.
        why: Short stable name of the form that was read, or of the reason why there are no scores.

    The strict rule reads ``two_scores``, ``numbered_list``, ``named_scores`` and ``same_score`` ("both receive 8"), and
    finds none because of ``empty``, ``only_thinking``, ``no_scores``, ``one_score``, ``no_clear_pair``,
    ``contradictory``, ``several_values``, ``not_integer``, ``out_of_range``, ``other_scale``, ``range`` or ``cut``. The
    official rule says ``two_integers``, ``not_two_parts``, ``not_integers`` or ``above_ten``.
    """

    scores: tuple[int, int] | None
    why: str


def official_verdict(text: str | None) -> VerdictReading:
    """Read two scores as the released ``cal_score.py`` does: two integers with one space between, none above 10.

    Zero and negative numbers pass. The script stops with an error on null; here that is a failure like an empty reply.
    """
    parts = (text or "").strip().replace("\n", "").split(" ")
    if len(parts) != 2:
        return VerdictReading(None, "not_two_parts")
    try:
        first, second = int(parts[0]), int(parts[1])
    except ValueError:
        return VerdictReading(None, "not_integers")
    if first > 10 or second > 10:
        return VerdictReading(None, "above_ten")
    return VerdictReading((first, second), "two_integers")


def strict_verdict(text: str | None, finish: str = "unknown") -> VerdictReading:
    """Read the two scores that a careful reader would take from a reply.

    Args:
        text: The raw reply; None is no verdict.
        finish: ``length`` for a reply cut by its token limit: what touches the cut may go on ("1" of "10") and is not
            read.

    Returns:
        Two integers from 1 to 10 in the order Assistant 1, Assistant 2, or a named reason.
    """
    whole = text or ""
    if finish == "length" and whole and not whole[-1].isspace():
        whole = whole[: len(whole) - len(whole.split()[-1])]
    spoken = without_thinking(tidy(_FRACTION.sub(".5", whole).replace("，", ", ")))
    if spoken is None:
        return VerdictReading(None, "only_thinking")
    words = _QUOTED.sub(" ", plain(first_turn(spoken)))
    tokens = _without_headings(split(_SCALE_BETWEEN.sub(" ", _SCALE_STATED.sub(" ", words))))
    final = max((index for index, token in enumerate(tokens) if token.kind is Kind.FINAL), default=0)
    last = _read(tokens[final:])
    if final and (last.scores or last.why in _PLAIN_FAULTS):
        return last
    if final and finish == "length" and last.why == "one_score":
        return VerdictReading(None, "cut")
    return _read([token for sentence in sentences(tokens) if not _is_draft(sentence) for token in sentence])


def read_verdict(rules: RulesName, text: str | None, finish: str = "unknown") -> VerdictReading:
    """Read two scores by the named rules; the official rule does not look at ``finish``."""
    return official_verdict(text) if rules == "official" else strict_verdict(text, finish)


def _read(tokens: Sequence[Token]) -> VerdictReading:
    """Read the forms of a verdict, the asked one first."""
    paired = [("numbered_list", pair) for pair in numbered(tokens)] or [("two_scores", pair) for pair in pairs(tokens)]
    given = labels(tokens)
    named = [("named_scores", (first, second)) for first in given.get("1", ()) for second in given.get("2", ())]
    found = paired + named or [("same_score", (token, token)) for token in for_both(tokens)]
    if not found:
        return VerdictReading(None, _why_none(tokens, given))
    fault = next((token.fault for _, pair in found for token in pair if token.fault), "")
    if fault:
        return VerdictReading(None, fault)
    scores = {(int(first.text), int(second.text)) for _, (first, second) in found}
    return VerdictReading(scores.pop(), found[0][0]) if len(scores) == 1 else VerdictReading(None, "contradictory")


def _why_none(tokens: Sequence[Token], given: dict[str, list[Token]]) -> str:
    """Name the reason why no form was found."""
    numbers = [token for token in tokens if token.kind is Kind.NUMBER]
    if not numbers:
        return "no_scores" if any(token.kind is not Kind.STOP for token in tokens) else "empty"
    if len(numbers) == 1 or given:
        return next((token.fault for token in numbers if token.fault), "one_score")
    return "no_clear_pair"


def _is_draft(sentence: Sequence[Token]) -> bool:
    """Tell whether a sentence gives first thoughts: "initial scores", "first score"."""
    first_scores = any(a.text.lower() == "first" and b.kind is Kind.SCORE for a, b in pairwise(sentence))
    return first_scores or any(token.kind is Kind.DRAFT for token in sentence)


def _without_headings(tokens: Sequence[Token]) -> list[Token]:
    """Drop both names where they stand side by side in order, as in "Scores (Assistant 1, Assistant 2):"."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        kinds = [(token.kind, token.text) for token in tokens[index : index + 3]]
        if (
            kinds[:1] == [(Kind.NAME, "1")]
            and kinds[1:2]
            and kinds[1][0] is Kind.JOIN
            and kinds[2:] == [(Kind.NAME, "2")]
        ):
            index += 3
        else:
            kept.append(tokens[index])
            index += 1
    return kept
