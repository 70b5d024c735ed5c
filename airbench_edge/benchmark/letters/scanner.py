"""One walk over the tokens of a response: which option is chosen, rejected or left open in which sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from airbench_edge.benchmark.letters.mentions import MENTIONS, Mention, Stance, Weight
from airbench_edge.benchmark.letters.surroundings import NOR, Surroundings
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind

_CLAUSE_ENDS: Final = {Kind.COMMA, Kind.LINK, Kind.BUT, Kind.BECAUSE}
_ASKING_VERBS: Final = {"could", "can", "would", "should", "might", "may", "does", "do", "did", "has", "have", "will"}
_KEEPING_LINK: Final = {Kind.OR, Kind.AND, Kind.COMMA, Kind.GLUE, Kind.MAYBE, Kind.LEAN, Kind.OPTION}
_BY_LETTER: Final = {Kind.LETTER, Kind.CLASH}
_TIES: Final = {Kind.AND, Kind.OR}
_LONGEST_GROUP: Final = 30


@dataclass(slots=True)
class _Clause:
    """State that a comma or a conjunction ends.

    Attributes:
        mentions: Mentions of the clause.
        words: Number of words that carry something of their own.
        words_since_be: Such words since "is", "sounds like", ...; None before it.
        words_at_mention: Such words up to the last mention.
    """

    mentions: list[Mention] = field(default_factory=list)
    words: int = 0
    words_since_be: int | None = None
    words_at_mention: int = 0


@dataclass(slots=True)
class _Sentence:
    """State that a full stop ends.

    Attributes:
        mentions: Mentions of the sentence.
        negated: "not" reaches what follows.
        adjacent: No word has come since that "not".
        unclear: A comma has come since: "not A, B" says nothing about B.
        hedged: "maybe" reaches what follows.
        supposed: "if" reaches what follows.
        refused: "I cannot tell" reaches what follows.
        refusal_may_end: A comma has come since, so that "I would say" ends it.
        stated: "the answer", "I choose" has come.
        final: "final answer" has come.
        leaning: "probably", "so" has come.
        empty: Nothing but small words has come.
        headed: Nothing but small words had come before this token.
        asks: The sentence has the form of a question.
        between: Number of coming mentions that "between" only lists.
        link: What ties the next mention to the last one: "and", "or", "comma" or nothing.
        judged: A verdict such as "is wrong" would be about the last mention.
        words: Number of words that carry something of their own.
    """

    mentions: list[Mention] = field(default_factory=list)
    negated: bool = False
    adjacent: bool = False
    hedged: bool = False
    supposed: bool = False
    refused: bool = False
    refusal_may_end: bool = False
    unclear: bool = False
    stated: bool = False
    final: bool = False
    leaning: bool = False
    empty: bool = True
    headed: bool = False
    asks: bool = False
    between: int = 0
    link: str = ""
    judged: bool = True
    words: int = 0


class Scanner:
    """Walks once over the tokens of a response and collects its mentions.

    Attributes:
        mentions: All mentions, in order.
        revised_at: Number of mentions before the last "actually" or "no wait".
        retracted: Whether that was a plain retraction.
        refusal: Whether the response says somewhere that it cannot tell.
    """

    def __init__(self, tokens: list[Token]) -> None:
        heard = [token for token in tokens if token.kind not in {Kind.SIGN, Kind.NOTHING}]
        self._near = Surroundings(heard)
        self.mentions: list[Mention] = []
        self.revised_at = 0
        self.retracted = False
        self.refusal = False
        self._sentence = _Sentence()
        self._clause = _Clause()
        self._handlers: dict[Kind, Callable[[int], None]] = {
            Kind.COMMA: self._comma,
            Kind.NOT: self._not,
            Kind.NO: self._no,
            Kind.YES: self._yes,
            Kind.RIGHT: self._right,
            Kind.WRONG: self._wrong,
        }
        for index, token in enumerate(heard):
            self._read(index, token)
        self._end_clause()

    def _read(self, index: int, token: Token) -> None:
        """Take in one token."""
        kind, sentence = token.kind, self._sentence
        sentence.headed = sentence.empty
        if sentence.empty:
            sentence.empty = kind is Kind.GLUE
            sentence.asks = kind is Kind.BE or token.value in _ASKING_VERBS
        if kind in MENTIONS:
            self._mention(index, token)
            return
        if kind not in _KEEPING_LINK and token.value not in NOR:
            sentence.link = ""
        if kind in _CLAUSE_ENDS:
            self._end_clause()
        if kind in {Kind.STOP, Kind.QUESTION}:
            self._stop(kind)
        elif handler := self._handlers.get(kind):
            handler(index)
        else:
            self._simple(kind)

    def _simple(self, kind: Kind) -> None:
        """Take in a token that only sets a flag."""
        sentence = self._sentence
        match kind:
            case Kind.CUE | Kind.FINAL | Kind.LEAN:
                sentence.stated |= kind is not Kind.LEAN
                sentence.final |= kind is Kind.FINAL
                sentence.leaning |= kind is Kind.LEAN
                sentence.refused &= not sentence.refusal_may_end
            case Kind.BE:
                self._clause.words_since_be = 0
            case Kind.OR | Kind.AND:
                sentence.link = kind.value if sentence.link else ""
            case Kind.LINK:
                sentence.negated &= not sentence.mentions
            case Kind.NOT_SO:
                self._reject_last()
                sentence.negated = False
            case Kind.BUT:
                sentence.negated = sentence.hedged = sentence.unclear = False
                sentence.refused = sentence.supposed = False
            case Kind.BECAUSE:
                sentence.negated = sentence.hedged = sentence.stated = sentence.leaning = sentence.judged = False
            case Kind.OTHERS:
                sentence.judged = False
            case Kind.IF:
                sentence.supposed = True
                for mention in self._clause.mentions:
                    mention.stance = Stance.VOID
            case Kind.MAYBE:
                sentence.hedged = True
            case Kind.UNKNOWN:
                self.refusal = sentence.refused = True
            case Kind.BETWEEN:
                sentence.between = 2
            case Kind.ASK:
                sentence.asks = True
            case Kind.REVISE | Kind.RETRACT:
                self._revise(plainly=kind is Kind.RETRACT)
            case Kind.WORD | Kind.THING | Kind.SAY:
                self._word()
            case _:
                pass

    def _word(self) -> None:
        self._sentence.words += 1
        self._sentence.adjacent = False
        self._clause.words += 1
        if self._clause.words_since_be is not None:
            self._clause.words_since_be += 1

    def _mention(self, index: int, token: Token) -> None:
        """Add a mention with the stance and the weight that the sentence so far gives it."""
        sentence, clause = self._sentence, self._clause
        mention = Mention(token.kind, token.value, self._stance(index), self._weight(token.kind))
        mention.joined = sentence.link if sentence.mentions else ""
        mention.definite = mention.stance is Stance.AGAINST and sentence.adjacent
        mention.asserted = clause.words_since_be == 0
        ends_head = self._near.next_kind(index) in {None, Kind.STOP, Kind.LINK, Kind.QUESTION}
        mention.label = sentence.headed and ends_head and token.kind in _BY_LETTER
        if mention.joined in _TIES:
            self._tie(sentence.mentions[-1], mention)
        clause.words_at_mention = clause.words
        for collected in (self.mentions, sentence.mentions, clause.mentions):
            collected.append(mention)
        sentence.link = "comma"
        sentence.judged = True

    def _stance(self, index: int) -> Stance:
        """Return what the sentence so far says about a mention at ``index``."""
        sentence = self._sentence
        more_listed = self._near.next_kind(index) in {Kind.AND, Kind.OR, Kind.COMMA}
        if sentence.between == 1 or (sentence.between and more_listed):
            sentence.between -= 1
            return Stance.VOID
        if sentence.refused or sentence.supposed:
            return Stance.VOID
        if sentence.negated:
            return Stance.VOID if sentence.unclear else Stance.AGAINST
        return Stance.OPEN if sentence.hedged else Stance.FOR

    def _weight(self, kind: Kind) -> Weight:
        """Return how firmly the sentence so far states what comes."""
        sentence = self._sentence
        if sentence.final:
            return Weight.FINAL
        leaning = sentence.leaning and kind in _BY_LETTER
        return Weight.STATED if sentence.stated or leaning else Weight.NAMED

    def _tie(self, first: Mention, second: Mention) -> None:
        """Give two mentions tied by "and" the same weight; leave two options tied by "or" open."""
        if second.stance not in {Stance.FOR, Stance.OPEN}:
            return
        second.weight = first.weight = max(first.weight, second.weight)
        if second.joined == Kind.OR and first.letter != second.letter:
            for mention in (first, second):
                mention.stance = Stance.OPEN if mention.stance is Stance.FOR else mention.stance

    def _comma(self, index: int) -> None:
        """End hedges; end a negation unless a list of options goes on."""
        sentence = self._sentence
        following = self._near.next_kind(index)
        if following in MENTIONS or following in {Kind.OR, Kind.AND} or self._near.next_value(index) in NOR:
            sentence.unclear = sentence.negated and not self._near.list_goes_on(index)
        else:
            sentence.negated = sentence.hedged = False
            sentence.refusal_may_end = True
            sentence.supposed = False
        sentence.between = 0
        sentence.leaning = False
        sentence.link = "comma" if sentence.link else ""

    def _not(self, index: int) -> None:
        """Reject the mention before ("A is not ...") or those that follow ("not A")."""
        sentence = self._sentence
        if self._near.follows_mention(index) and not self._near.mention_follows(index):
            self._reject_last()
        sentence.negated, sentence.adjacent, sentence.unclear = True, True, False

    def _no(self, index: int) -> None:
        """Read "no" as a verdict on the option before, as a correction, or as a negation."""
        following = self._near.next_kind(index)
        if self._near.is_verdict_on_letter(index, following):
            self._reject_last()
        elif following is Kind.COMMA:
            self._revise(plainly=False)
        elif following in {None, Kind.STOP, Kind.QUESTION} or (following is Kind.LINK and self._sentence.mentions):
            self._wrong(index)
        elif following is Kind.LINK:
            return
        else:
            self._not(index)

    def _yes(self, index: int) -> None:
        if self.mentions and not self._sentence.words:
            self._approve(self.mentions[-1])

    def _right(self, index: int) -> None:
        """Approve the mention before ("B is right"), or announce the next one ("the right one: B")."""
        sentence = self._sentence
        if sentence.negated:
            sentence.negated = not sentence.mentions
            if sentence.mentions and sentence.judged:
                self._reject_last()
        elif self._near.follows_mention(index) and sentence.judged:
            for mention in self._last_group():
                self._approve(mention)
        else:
            sentence.stated = True

    def _wrong(self, index: int) -> None:
        """Reject the mention before, or, where a sentence begins with the verdict, the ones that it names."""
        sentence = self._sentence
        if sentence.negated:
            sentence.negated = False
        elif sentence.mentions:
            if sentence.judged:
                self._reject_last()
        elif self._near.mention_follows(index, anywhere=True):
            sentence.negated = sentence.adjacent = True
        elif not sentence.words and sentence.judged:
            self._reject_last()

    def _approve(self, mention: Mention) -> None:
        if mention.stance in {Stance.FOR, Stance.OPEN} or mention.asked:
            mention.stance = Stance.FOR
            mention.weight = max(mention.weight, Weight.STATED)

    def _last_group(self) -> list[Mention]:
        """Return the last mention with those that "and" or "or" ties to it."""
        group: list[Mention] = []
        tied = ""
        for mention in reversed(self.mentions[-_LONGEST_GROUP:]):
            if group and not (tied in _TIES or (tied == "comma" and any(m.joined in _TIES for m in group))):
                break
            group.append(mention)
            tied = mention.joined
        return group

    def _reject_last(self) -> None:
        for mention in self._last_group():
            mention.stance, mention.definite = Stance.AGAINST, True

    def _revise(self, plainly: bool) -> None:
        self.revised_at = len(self.mentions)
        self.retracted = plainly
        self._sentence.negated = self._sentence.hedged = self._sentence.refused = False

    def _end_clause(self) -> None:
        """Mark what the clause asserts: an option after "is" or alone, with no other word behind."""
        clause = self._clause
        for mention in clause.mentions:
            mention.asserted = (mention.asserted and clause.words == clause.words_at_mention) or not clause.words
            if mention.kind in _BY_LETTER and not clause.words:
                mention.weight = max(mention.weight, Weight.STATED)
        self._clause = _Clause()

    def _stop(self, kind: Kind) -> None:
        """End the sentence; a line such as "Answer:" reaches into the next one."""
        sentence = self._sentence
        if kind is Kind.QUESTION and sentence.asks:
            for mention in sentence.mentions:
                if not mention.label:
                    mention.stance, mention.asked = Stance.VOID, True
        self._end_clause()
        self._sentence = _Sentence()
        if not sentence.mentions and not sentence.words:
            self._sentence.stated, self._sentence.final = sentence.stated, sentence.final
