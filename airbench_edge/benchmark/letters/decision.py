"""From the mentions of a response to one letter, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from airbench_edge.benchmark.letters.letter_tokens import LETTER_OR_TEXT
from airbench_edge.benchmark.letters.mentions import Mention, Stance, Weight
from airbench_edge.benchmark.letters.reading import LetterReading
from airbench_edge.benchmark.letters.scanner import Scanner
from airbench_edge.benchmark.letters.vocabulary import Kind

_TEXTS: Final = {Kind.TEXT, Kind.LOOSE}


def decide(scanner: Scanner, options: Collection[str], listed: bool) -> LetterReading:
    """Weigh the mentions: letters first, then texts, then the only candidate, then the only one left.

    Args:
        scanner: What the response says about each option.
        options: Letters of the options.
        listed: Whether the response also recited all options.
    """
    mentions = _still_standing(_after_revision(scanner))
    _demote_list_labels(mentions)
    chosen = [mention for mention in mentions if mention.stance is Stance.FOR]
    letters = [mention for mention in chosen if mention.kind not in _TEXTS]
    texts = [mention for mention in chosen if mention.kind in _TEXTS]
    if letters:
        return _by_letter(letters, texts, options)
    if texts:
        return _by_text(texts)
    return (
        _only_candidate(mentions, options, scanner.refusal)
        or _only_one_left(mentions, options, scanner.refusal)
        or (LetterReading(None, _why_undecided(scanner, mentions, listed)))
    )


def _after_revision(scanner: Scanner) -> list[Mention]:
    """Drop what a correction replaces; a comment after "actually" replaces nothing."""
    later = scanner.mentions[scanner.revised_at :]
    if any(m.stance is Stance.FOR and (m.kind not in _TEXTS or m.asserted or m.weight > Weight.NAMED) for m in later):
        return later
    if scanner.revised_at and any(mention.stance is Stance.OPEN for mention in later):
        for mention in scanner.mentions:
            mention.stance = Stance.OPEN if mention.stance is Stance.FOR else mention.stance
    return [] if scanner.retracted else list(scanner.mentions)


def _still_standing(mentions: list[Mention]) -> list[Mention]:
    """Drop a choice that a later sentence plainly rejects."""
    standing: list[Mention] = []
    rejected: set[str] = set()
    for mention in reversed(mentions):
        if mention.stance is Stance.AGAINST and mention.definite:
            rejected.add(mention.letter)
        if mention.stance is not Stance.FOR or mention.letter not in rejected:
            standing.append(mention)
    return standing[::-1]


def _demote_list_labels(mentions: Iterable[Mention]) -> None:
    """A letter at the head of a line states an answer only if no line is headed by another one."""
    labels = [mention for mention in mentions if mention.label]
    several = len({mention.letter for mention in labels}) > 1
    for mention in labels:
        if mention.stance is Stance.FOR:
            mention.weight = Weight.NAMED if several and mention.weight is not Weight.FINAL else mention.weight
            mention.weight = mention.weight if several else max(mention.weight, Weight.STATED)


def _by_letter(letters: list[Mention], texts: list[Mention], options: Collection[str]) -> LetterReading:
    """Take the letter that is stated most firmly, unless the response says another option in words."""
    top = max(mention.weight for mention in letters)
    firmest = [mention for mention in letters if mention.weight == top]
    letter = firmest[0].letter
    if len({mention.letter for mention in firmest}) > 1:
        return LetterReading(None, "several_letters")
    if letter == LETTER_OR_TEXT:
        return LetterReading(None, "letter_or_text")
    if letter not in options:
        return LetterReading(None, "beyond_options")
    if any(mention.kind is Kind.CLASH for mention in firmest) or _words_say_otherwise(letter, texts, options):
        return LetterReading(None, "letter_against_text")
    how = {Weight.FINAL: "final_letter", Weight.STATED: "stated_letter", Weight.NAMED: "named_letter"}[top]
    return LetterReading(letter, "leading_letter" if firmest[0] is letters[0] and letters[0].label else how)


def _words_say_otherwise(letter: str, texts: list[Mention], options: Collection[str]) -> bool:
    """Tell whether the words choose another option: of two, by naming it; of more, by a clause that asserts it."""
    named = {mention.letter for mention in texts}
    return bool(named) and letter not in named and (len(options) == 2 or any(mention.asserted for mention in texts))


def _by_text(texts: list[Mention]) -> LetterReading:
    """Take the one option that is named by its text, the stated one before others."""
    top = max(mention.weight for mention in texts)
    firmest = [mention for mention in texts if mention.weight == top]
    letter = firmest[0].letter
    if any(mention.letter != letter for mention in firmest) or _another_is_asserted(letter, texts, top):
        return LetterReading(None, "several_texts")
    exact = any(mention.kind is Kind.TEXT for mention in firmest)
    how = ("stated_text" if top > Weight.NAMED else "text_in_sentence") if exact else "words_of_text"
    return LetterReading(letter, how)


def _another_is_asserted(letter: str, texts: list[Mention], top: Weight) -> bool:
    """Tell whether a clause asserts another option than the one that the response states only once."""
    others = any(mention.asserted and mention.letter != letter for mention in texts)
    return others and top is not Weight.FINAL and sum(mention.letter == letter for mention in texts) == 1


def _only_candidate(mentions: list[Mention], options: Collection[str], refusal: bool) -> LetterReading | None:
    """Take a lone "it could be B", unless the response also says that it cannot tell."""
    candidates = {mention.letter for mention in mentions if mention.stance is Stance.OPEN}
    if not candidates:
        return None
    if len(candidates) > 1 or refusal or not candidates <= set(options):
        return LetterReading(None, "left_open")
    return LetterReading(candidates.pop(), "only_candidate")


def _only_one_left(mentions: list[Mention], options: Collection[str], refusal: bool) -> LetterReading | None:
    """Take the option that remains where the response plainly rejects all others."""
    rejected = {mention.letter for mention in mentions if mention.stance is Stance.AGAINST and mention.definite}
    doubtful = refusal or any(mention.stance is not Stance.AGAINST for mention in mentions)
    left = [letter for letter in options if letter not in rejected]
    if rejected and not doubtful and len(left) == 1 and len(options) > 1:
        return LetterReading(left[0], "only_one_left")
    return None


def _why_undecided(scanner: Scanner, mentions: list[Mention], listed: bool) -> str:
    if scanner.retracted and not mentions:
        return "taken_back"
    if scanner.refusal:
        return "refusal"
    if any(mention.stance is Stance.AGAINST for mention in mentions):
        return "rejected_only"
    return "lists_all" if listed else "no_option_named"
