"""A run of the size of the published data set, from recorded responses and verdicts, takes seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.run_parts import CHAT, FOUNDATION

TESTS = Path(__file__).parents[1]
FOUNDATION_ITEMS, CHAT_ITEMS = 24_683, 2_200
ANSWER = "The sound is that of a dog barking in the distance while a car passes by on a wet road. " * 3

PROGRAM = """
import json, resource, sys, time
from pathlib import Path
from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.judges.recorded import RecordedJudge
from airbench_edge.run.answer import answer
from airbench_edge.run.folder import load_run
from airbench_edge.run.judge import judge_chat
from airbench_edge.run.open_run import create_or_open
from helpers.run_parts import load, manifest_of

here = Path(sys.argv[1])
started = time.process_time()
for turn in range(2):
    data = load(here)
    model, judge = RecordedAudioLM(str(here / "responses.jsonl")), RecordedJudge(here / "verdicts.jsonl")
    with create_or_open(here / "run", manifest_of(data, model), data.items, data.notes) as run:
        done = answer(run, model, data).done, judge_chat(run, judge).done
    run = load_run(here / "run")
    print(json.dumps({
        "done": done,
        "held": (len(run.responses), len(run.verdicts["verdicts"].records)),
        "seconds": time.process_time() - started,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }))
    started = time.process_time()
"""


def write_inputs(root: Path) -> None:
    """Metadata, responses and verdicts of a full-size run."""

    def record(number: int, task: str, dataset: str, **more: object) -> dict[str, object]:
        question = "Which of these do you hear at the beginning of the recording, and how can you tell?"
        named = {"uniq_id": number, "task_name": task, "dataset_name": dataset, "path": f"{number}.wav"}
        return {**named, "question": question, **more}

    choices = {f"choice_{letter}": f"a sound of the kind {letter}" for letter in "abcd"}
    foundation = [
        record(number, *FOUNDATION[number % 3], **choices, answer_gt=choices["choice_b"])
        for number in range(FOUNDATION_ITEMS)
    ]
    chat = [record(n, *CHAT[n % 2], answer_gt=ANSWER, meta_info=ANSWER) for n in range(CHAT_ITEMS)]
    for track, records in (("Foundation", foundation), ("Chat", chat)):
        (root / track).mkdir(parents=True)
        (root / track / f"{track}_meta.json").write_text(json.dumps(records))
    responses: list[dict[str, object]] = [{**item, "response": "The answer is (B)."} for item in foundation]
    responses += [{**item, "response": ANSWER} for item in chat]
    orders = ("reference_first", "model_first")
    verdicts = [{"uniq_id": n, "order": order, "text": "8 6"} for n in range(CHAT_ITEMS) for order in orders]
    for name, rows in (("responses", responses), ("verdicts", verdicts)):
        (root / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.slow
def test_a_full_size_run_from_recorded_parts(tmp_path: Path) -> None:
    """First everything is done, then nothing is left: the second turn is the scan of a finished run."""
    write_inputs(tmp_path)
    printed = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{TESTS}:{TESTS.parent}"},
    ).stdout
    whole, again = (json.loads(line) for line in printed.splitlines())
    assert whole["done"] == [FOUNDATION_ITEMS + CHAT_ITEMS, 2 * CHAT_ITEMS]
    assert again["done"] == [0, 0]
    assert whole["held"] == again["held"] == whole["done"]
    assert whole["seconds"] < 30  # half of what a run with its report may take; nearly all of it is reading letters
    assert again["mib"] < 300
