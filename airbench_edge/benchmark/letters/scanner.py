"""One walk over the tokens of a response: which option is chosen, rejected or left open in which sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from airbench_edge.benchmark.letters.mentions import MENTIONS, Mention, Stance, Weight
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind

_CLAUSE_ENDS: Final = {Kind.COMMA, Kind.LINK, Kind.BUT, Kind.BECAUSE}
_ASKING_VERBS: Final = {"could", "can", "would", "should", "might", "may", "does", "do", "did", "has", "have", "will"}
_TIES: Final = {Kind.AND, Kind.OR}
_LONGEST_GROUP: Final = 30
_NOR: Final = {"nor", "neither", "noch", "ni", "ни", "nem", "né", "也不是", "也"}


@dataclass(slots=True)
class _Clause:
    """State that a comma or a conjunction ends."""

    mentions: list[Mention] = field(default_factory=list)
    words: int = 0
    words_since_be: int | None = None
    words_at_mention: int = 0


@dataclass(slots=True)
class _Sentence:
    """State that a full stop ends."""

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
        self._tokens = [token for token in tokens if token.kind not in {Kind.SIGN, Kind.NOTHING}]
        self.mentions: list[Mention] = []
        self.revised_at = 0
        self.retracted = False
        self.refusal = False
        self._sentence = _Sentence()
        self._clause = _Clause()
        for index, token in enumerate(self._tokens):
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
        if kind not in {Kind.OR, Kind.AND, Kind.COMMA, Kind.GLUE} and token.value not in _NOR:
            sentence.link = ""
        if kind in _CLAUSE_ENDS:
            self._end_clause()
        handler = {
            Kind.STOP: self._stop,
            Kind.QUESTION: self._stop,
            Kind.COMMA: self._comma,
            Kind.NOT: self._not,
            Kind.NO: self._no,
            Kind.YES: self._yes,
            Kind.RIGHT: self._right,
            Kind.WRONG: self._wrong,
        }.get(kind)
        if handler:
            handler(index, token)
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
        """Add a mention with the stance that the sentence so far gives it."""
        sentence, clause = self._sentence, self._clause
        stance = Stance.FOR
        if sentence.between and (sentence.between == 1 or self._next_kind(index) in {Kind.AND, Kind.OR, Kind.COMMA}):
            sentence.between -= 1
            stance = Stance.VOID
        elif sentence.refused or sentence.supposed:
            stance = Stance.VOID
        elif sentence.negated:
            stance = Stance.VOID if sentence.unclear else Stance.AGAINST
        elif sentence.hedged:
            stance = Stance.OPEN
        weight = Weight.FINAL if sentence.final else Weight.STATED if sentence.stated else Weight.NAMED
        if sentence.leaning and weight is Weight.NAMED and token.kind in {Kind.LETTER, Kind.CLASH}:
            weight = Weight.STATED
        mention = Mention(token.kind, token.value, stance, weight, joined=sentence.link if sentence.mentions else "")
        mention.definite = stance is Stance.AGAINST and sentence.adjacent
        mention.asserted = clause.words_since_be == 0
        mention.label = sentence.headed and token.kind in {Kind.LETTER, Kind.CLASH}
        mention.label = mention.label and self._next_kind(index) in {None, Kind.STOP, Kind.LINK, Kind.QUESTION}
        if mention.joined in _TIES:
            self._tie(sentence.mentions[-1], mention)
        clause.words_at_mention = clause.words
        for collected in (self.mentions, sentence.mentions, clause.mentions):
            collected.append(mention)
        sentence.link = "comma"
        sentence.judged = True

    def _tie(self, first: Mention, second: Mention) -> None:
        """Give two mentions tied by "and" the same weight; leave two options tied by "or" open."""
        if second.stance is not Stance.FOR:
            return
        second.weight = first.weight = max(first.weight, second.weight)
        if second.joined == Kind.OR and first.letter != second.letter:
            for mention in (first, second):
                mention.stance = Stance.OPEN if mention.stance is Stance.FOR else mention.stance

    def _next_kind(self, index: int) -> Kind | None:
        """Return the kind of the next token that is not glue."""
        for token in self._tokens[index + 1 : index + 12]:
            if token.kind is not Kind.GLUE:
                return token.kind
        return None

    def _comma(self, index: int, token: Token) -> None:
        """End hedges; end a negation unless a list of options goes on."""
        sentence = self._sentence
        following = self._next_kind(index)
        if following in MENTIONS or following in {Kind.OR, Kind.AND} or self._next_value(index) in _NOR:
            sentence.unclear = sentence.negated and not self._list_goes_on(index)
        else:
            sentence.negated = sentence.hedged = False
            sentence.refusal_may_end = True
            sentence.supposed = False
        sentence.between = 0
        sentence.leaning = False
        sentence.link = "comma" if sentence.link else ""

    def _next_value(self, index: int) -> str:
        return self._tokens[index + 1].value if index + 1 < len(self._tokens) else ""

    def _list_goes_on(self, index: int) -> bool:
        """Tell whether "and" or "or" comes before the list of options behind a comma ends."""
        for token in self._tokens[index + 1 : index + 20]:
            if token.kind in {Kind.OR, Kind.AND} or token.value in _NOR:
                return True
            if token.kind not in {*MENTIONS, Kind.COMMA, Kind.GLUE, Kind.OPTION}:
                return False
        return False

    def _not(self, index: int, token: Token) -> None:
        """Reject the mention before ("A is not ...") or those that follow ("not A")."""
        sentence = self._sentence
        if self._follows_mention(index) and not self._mention_follows(index):
            self._reject_last()
        sentence.negated, sentence.adjacent, sentence.unclear = True, True, False

    def _no(self, index: int, token: Token) -> None:
        """Read "no" as a verdict on the option before, as a correction, or as a negation."""
        following = self._next_kind(index)
        if self._is_verdict_on_letter(index, following):
            self._reject_last()
        elif following is Kind.COMMA:
            self._revise(plainly=False)
        elif following in {None, Kind.STOP, Kind.QUESTION, Kind.LINK}:
            self._wrong(index, token)
        else:
            self._not(index, token)

    def _is_verdict_on_letter(self, index: int, following: Kind | None) -> bool:
        """Tell the "no" of ``A) no B) yes`` from that of ``A - no dog is heard``."""
        before = [token.kind for token in self._tokens[max(0, index - 2) : index] if token.kind is not Kind.LINK]
        return before[-1:] == [Kind.LETTER] and following in {None, Kind.STOP, Kind.LETTER}

    def _yes(self, index: int, token: Token) -> None:
        if self.mentions and not self._sentence.words:
            self._approve(self.mentions[-1])

    def _right(self, index: int, token: Token) -> None:
        """Approve the mention before ("B is right"), or announce the next one ("the right one: B")."""
        sentence = self._sentence
        if sentence.negated:
            sentence.negated = False
            if sentence.mentions and sentence.judged:
                self._reject_last()
        elif self._follows_mention(index) and sentence.judged:
            for mention in self._last_group():
                self._approve(mention)
        else:
            sentence.stated = True

    def _wrong(self, index: int, token: Token) -> None:
        """Reject the mention before, or, where a sentence begins with the verdict, the ones that it names."""
        sentence = self._sentence
        if sentence.negated:
            sentence.negated = False
        elif sentence.mentions:
            if sentence.judged:
                self._reject_last()
        elif self._mention_follows(index, anywhere=True):
            sentence.negated = sentence.adjacent = True
        elif not sentence.words and sentence.judged:
            self._reject_last()

    def _approve(self, mention: Mention) -> None:
        if mention.stance in {Stance.FOR, Stance.OPEN} or mention.asked:
            mention.stance = Stance.FOR
            mention.weight = max(mention.weight, Weight.STATED)

    def _follows_mention(self, index: int) -> bool:
        """Tell whether only small words stand between the last mention of the sentence and here."""
        for token in reversed(self._tokens[max(0, index - 8) : index]):
            if token.kind in MENTIONS:
                return True
            if token.kind not in {Kind.GLUE, Kind.BE, Kind.LEAN, Kind.LINK, Kind.NOT, Kind.MAYBE, Kind.OPTION}:
                return False
        return False

    def _mention_follows(self, index: int, anywhere: bool = False) -> bool:
        """Tell whether the next mention comes before other words, or anywhere in the sentence."""
        for token in self._tokens[index + 1 : index + 30]:
            if token.kind in MENTIONS:
                return True
            if token.kind in {Kind.STOP, Kind.QUESTION, Kind.BUT, Kind.COMMA, Kind.BECAUSE}:
                return False
            if not anywhere and token.kind not in {Kind.GLUE, Kind.BE, Kind.OPTION}:
                return False
        return False

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
            if mention.kind in {Kind.LETTER, Kind.CLASH} and not clause.words:
                mention.weight = max(mention.weight, Weight.STATED)
        self._clause = _Clause()

    def _stop(self, index: int, token: Token) -> None:
        """End the sentence; a line such as "Answer:" reaches into the next one."""
        sentence = self._sentence
        if token.kind is Kind.QUESTION and sentence.asks:
            for mention in sentence.mentions:
                if not mention.label:
                    mention.stance, mention.asked = Stance.VOID, True
        self._end_clause()
        self._sentence = _Sentence()
        if not sentence.mentions and not sentence.words:
            self._sentence.stated, self._sentence.final = sentence.stated, sentence.final
