"""Text that Whisper repeats without end is cut back to its first round."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST_ROUND = 64  # tokens
_ROUNDS = 4  # people say a thing three times


def without_loop(made: Sequence[int]) -> list[int]:
    """Tokens up to the end of the first round of what repeats itself at their end; all of them where nothing does.

    A window that got into a loop stays in it, so the loop is at its end, perhaps with a round that was broken off. Of
    all lengths of a round, that of the longest loop counts.

    Args:
        made: Tokens of a window, timestamps left out.
    """
    end, longest = len(made), 0
    for size in range(1, min(_LONGEST_ROUND, len(made) // _ROUNDS) + 1):
        same = 0
        while same < len(made) - size and made[-1 - same] == made[-1 - same - size]:
            same += 1
        looped = same + size
        if looped >= _ROUNDS * size and looped > longest:
            longest, end = looped, len(made) - looped + size
    return list(made[:end])
