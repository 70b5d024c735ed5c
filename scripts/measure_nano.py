"""Measure a model folder on the built-in small data set, with sound and with silence in its place.

    python scripts/measure_nano.py models/nano [--dtype int8] [--responses FILE]

Prints accuracy per foundation task with its 95 % interval, the share of chat answers that name the right content, and
how much is left when the model hears nothing. All of it concerns synthetic tasks.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from airbench_edge.audiolm.onnx.model import OnnxAudioLM
from airbench_edge.statistics.wilson import wilson
from nano.exam import Heard, Mark, answers, average, mark_chats, mark_choices, small


def table(marks: dict[str, Mark], deaf: dict[str, Mark]) -> list[str]:
    """A line of Markdown for every task."""
    lines = ["| task | right | accuracy | 95 % interval | chance | with silence |", "|---|---|---|---|---|---|"]
    for task, mark in marks.items():
        interval = wilson(mark.right, mark.items)
        lines.append(
            f"| `{task}` | {mark.right}/{mark.items} | {mark.share:.2f} | {interval.low:.2f} to {interval.high:.2f} "
            f"| {mark.chance:.2f} | {deaf[task].share:.2f} |"
        )
    return lines


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path, help="folder with config.json and onnx/")
    parser.add_argument("--dtype", help="number type of the graphs")
    parser.add_argument("--responses", type=Path, help="file for the responses, one JSON object a line")
    given = parser.parse_args()
    model, data = OnnxAudioLM(given.model, device="cpu", dtype=given.dtype), small()
    began = time.monotonic()
    said = answers(model, data)
    seconds = time.monotonic() - began
    nothing, length = answers(model, data, Heard.SILENCE), answers(model, data, Heard.ITS_LENGTH)
    choices, deaf = mark_choices(data, said), mark_choices(data, nothing)
    chats, deaf_chats = mark_chats(data, said), mark_chats(data, nothing)
    print("\n".join([*table(choices, deaf), "", *table(chats, deaf_chats), ""]))
    above = sum(wilson(mark.right, mark.items).low > mark.chance for mark in choices.values())
    named = sum(mark.right for mark in chats.values()) / sum(mark.items for mark in chats.values())
    print(f"foundation average {average({task: mark.share for task, mark in choices.items()}):.3f}")
    print(f"  with silence     {average({task: mark.share for task, mark in deaf.items()}):.3f}")
    deaf_long = mark_choices(data, length)
    print(f"  as long as clips {average({task: mark.share for task, mark in deaf_long.items()}):.3f}")
    print(f"  chance           {average({task: mark.chance for task, mark in choices.items()}):.3f}")
    print(f"clearly above chance in {above} of {len(choices)} tasks; right content in {named:.2f} of the chat answers")
    print(f"{len(said)} answers in {seconds:.1f} s")
    if given.responses:
        lines = [json.dumps({"track": k.track, "uniq_id": k.uniq_id, "response": v}) for k, v in said.items()]
        given.responses.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
