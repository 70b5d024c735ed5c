"""The one text that the language model of a cascade reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from airbench_edge.audiolm.cascade.tagger import Tag

TEMPLATE = """\
You cannot hear the audio clip that the question below is about. Programs have listened to it and report:
{report}

Answer the question as if you had heard the clip yourself. Rely on the report, and where it does not say enough, give \
the most likely answer.

{prompt}"""

SHOWN_TAGS, LEAST_PROBABILITY = 8, 0.05


class Heard(NamedTuple):
    """What the programs found out about a clip.

    Attributes:
        seconds: Its duration.
        text: What was said; empty where nobody speaks.
        language: Name of the language; empty where nobody speaks.
        probability: Probability of the language; None where the recogniser knows one only.
        tags: Sounds, the most probable first; None without a tagger.
    """

    seconds: float
    text: str
    language: str
    probability: float | None
    tags: Sequence[Tag] | None


def cascade_prompt(heard: Heard, prompt: str) -> str:
    """Put the report before the official prompt of the item, which stays word for word."""
    lines = [f"- Duration: {heard.seconds:.1f} seconds."]
    if heard.text:
        sure = "" if heard.probability is None else f" (probability {heard.probability:.2f})"
        lines += [f"- Language spoken: {heard.language}{sure}.", f'- Transcript of the speech: "{heard.text}"']
    else:
        lines.append("- Speech: none was recognised.")
    if heard.tags is not None:
        shown = [tag for tag in heard.tags[:SHOWN_TAGS] if tag.probability >= LEAST_PROBABILITY]
        named = ", ".join(f"{tag.name} {tag.probability:.2f}" for tag in shown) or "nothing certain"
        lines.append(f"- Sounds recognised, with probabilities: {named}.")
    # Two steps, since a transcript may hold a brace.
    before, after = TEMPLATE.split("{prompt}")
    return before.replace("{report}", "\n".join(lines)) + prompt + after
