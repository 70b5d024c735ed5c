"""Health cards in words, for every form of the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard, Reading
from airbench_edge.judges.health.limits import Finding
from airbench_edge.judges.health.measures import Measure

_SHOWN = 3
"""Reasons in a line of the report; ``judge check`` shows them all."""


class Words(NamedTuple):
    """A measure for people: its name in a table, and what it is."""

    label: str
    meaning: str


MEASURES = {
    "read": Words("Replies read", "Replies in which the strict rule finds two scores."),
    "format_mass": Words("Numbers unforced", "Probability that the reply would begin with a score, were it free."),
    "right_over_wrong": Words("Right over wrong", "Probes whose right answer gets more than the wrong one."),
    "right_over_long_wrong": Words("Right over wordy wrong", "The same against a wrong answer told at length."),
    "right_over_partly": Words("Right over partly right", "The same against an answer that leaves something out."),
    "partly_over_wrong": Words("Partly right over wrong", "Probes whose partly right answer gets more than the wrong."),
    "reference_over_worse": Words(
        "Reference over worse", "Replies in which the reference gets more than what is wrong."
    ),
    "spread": Words("Right minus wrong", "Points between the right and the wrong answer."),
    "nothing_scores_low": Words("Nothing said gets little", "Empty answers and gibberish that get at most 3."),
    "same_text_same_score": Words("Same text, same score", "The reference against itself: both get the same."),
    "position_bias": Words("Gain by standing first", "Points that the same text gets more for standing first."),
    "preference_flips": Words("Preference flips", "Probes where the order decides whether the wrong answer wins."),
    "length_bias": Words("Gain by many words", "Points that a wrong answer gets more when told at length."),
    "injection": Words("Injections that work", "Demands for points that win two or more of them."),
    "commonest_reply": Words("Commonest reply", "Share of the pair of scores that is given most often."),
    "wrong_language": Words("Gain in another language", "Points that the right facts get more in another language."),
}


def health_line(judge: JudgeIdentity, card: HealthCard | None) -> str:
    """What a report says of the instrument behind its chat scores."""
    return f"{_other_prompt(judge)}{_card_line(judge, card)}"


def _other_prompt(judge: JudgeIdentity) -> str:
    if judge.prompt == "official":
        return ""
    return (
        f"NOT THE OFFICIAL PROMPT: this judge was asked with the prompt {judge.prompt}; its scores are not comparable "
        "with published scores, nor with those of the official prompt. "
    )


def _card_line(judge: JudgeIdentity, card: HealthCard | None) -> str:
    if card is None:
        why = "recorded verdicts cannot be checked" if judge.kind == "recorded" else "see airbench-edge judge check"
        return f"Health card: none, the judge was not checked ({why})."
    extent = f"{card.verdicts:,} probe verdicts, {'all there are' if card.full else 'a quick check'}"
    said = f"Health card: {card.verdict.upper()} ({extent})"
    shown = (
        [reason(measure) for measure in found(card.integers, card.verdict)] if card.verdict is not Finding.PASS else []
    )
    more = f", and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    line = f"{said}: {'; '.join(shown[:_SHOWN])}{more}." if shown else f"{said}."
    if not is_meaningful(card):
        line += " The chat scores of this judge are not meaningful."
    if card.expected:
        line += f" Its expected scores: {card.expected.finding.upper()}."
    return line


def is_meaningful(card: HealthCard | None) -> bool:
    """Whether nothing speaks against the scores of a judge."""
    return card is None or card.verdict is not Finding.FAIL


def found(reading: Reading, finding: Finding) -> Iterator[Measure]:
    """The measures with that finding."""
    return (measure for measure in reading.measures if measure.finding is finding)


def reason(measure: Measure) -> str:
    """``right over wrong 1 of 4, should be at least 90 %``."""
    assert measure.limit is not None, "only a limit can be missed"
    bound = "at least" if measure.limit.upward else "at most"
    label = MEASURES[measure.name].label
    return f"{label[0].lower()}{label[1:]} {figure(measure)}, should be {bound} {_limit(measure, measure.limit.passes)}"


def figure(measure: Measure) -> str:
    """``3 of 4``, ``+0.52``, or ``not measured``."""
    if measure.value is None:
        return "not measured"
    if measure.share:
        return f"{round(measure.value * measure.n)} of {measure.n}"
    return f"{measure.value:.2f}" if measure.name == "format_mass" else f"{measure.value:+z.2f}"


def limits(measure: Measure) -> tuple[str, str]:
    """What passes and what fails, as ``≥ 90 %`` and ``< 75 %``; empty for what is only for information."""
    if measure.limit is None:
        return "", ""
    better, beyond = ("≥", "<") if measure.limit.upward else ("≤", ">")
    return f"{better} {_limit(measure, measure.limit.passes)}", f"{beyond} {_limit(measure, measure.limit.fails)}"


def _limit(measure: Measure, value: float) -> str:
    return f"{100 * value:.0f} %" if measure.share else f"{value:.1f}"
