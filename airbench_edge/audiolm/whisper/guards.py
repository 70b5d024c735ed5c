"""When a window's text is not believed.

Source of the rules: ``transcribe`` and ``compression_ratio`` in openai/whisper. Its threshold for the mean log-
probability, -1.0, is for sampled texts as well; tiny models write "you" and "Thank you." on silence at -0.7 to -0.9,
and what is really said at -0.1 to -0.5, so that here text is believed against a high probability of no speech only
above -0.5.
"""

from __future__ import annotations

import zlib

from airbench_edge.audiolm.whisper.decoding import Decoded, Opening

NO_SPEECH = 0.6
LOG_PROBABILITY = -0.5
COMPRESSION_RATIO = 2.4


def has_no_speech(opening: Opening, decoded: Decoded, text: str) -> bool:
    """Whether nobody speaks in a window: the model says so, and is not sure of its text or repeats itself.

    A repetition is likely by itself, whatever was heard, so its log-probability says nothing. Text without a letter or
    digit (dots, notes, underscores) is no speech in any case.
    """
    if not any(map(str.isalnum, text)):
        return True
    return opening.no_speech > NO_SPEECH and (decoded.average < LOG_PROBABILITY or repeats_itself(text))


def repeats_itself(text: str) -> bool:
    """Whether a text compresses so well that it must be a loop."""
    return compression_ratio(text) > COMPRESSION_RATIO


def compression_ratio(text: str) -> float:
    """Bytes of a text for one byte of its zlib form."""
    data = text.encode()
    return len(data) / len(zlib.compress(data))
