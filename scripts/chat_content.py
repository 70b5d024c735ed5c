"""How many chat answers of runs on the built-in small data set name the right content, without a judge.

    python scripts/chat_content.py runs/nano runs/cascade

Prints a Markdown table with a column for each run. What is right is known from the generators: an answer must
hold the wanted words, in their order.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from airbench_edge.benchmark.items import ItemKey
from airbench_edge.run.folder import load_run
from airbench_edge.statistics.wilson import wilson
from nano.exam import Mark, mark_chats, small


def said(run: Path) -> dict[ItemKey, str]:
    """Responses of a run to the items that it was asked about; one that could not be given is empty."""
    return {key: response.text or "" for key, response in load_run(run).responses.items()}


def cell(mark: Mark) -> str:
    """Share in percent with its interval of 95 %."""
    interval = wilson(mark.right, mark.items)
    return f"{mark.share:.0%} ({interval.low:.0%}-{interval.high:.0%}) of {mark.items}".replace("%", "")


def total(marks: dict[str, Mark]) -> Mark:
    """All tasks as one."""
    return Mark(sum(mark.right for mark in marks.values()), sum(mark.items for mark in marks.values()), 0.0)


def main() -> None:
    """Read the command line, mark, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("run", type=Path, nargs="+", help="run folder on the data set 'small'")
    runs: list[Path] = parser.parse_args().run
    marks = [mark_chats(small(), said(run)) for run in runs]
    print(f"| right content, % | {' | '.join(run.name for run in runs)} |\n|---|{'---|' * len(runs)}")
    for task in dict.fromkeys(task for of_run in marks for task in of_run):
        print(f"| `{task}` | {' | '.join(cell(of_run[task]) if task in of_run else '' for of_run in marks)} |")
    print(f"| all | {' | '.join(cell(total(of_run)) if of_run else '' for of_run in marks)} |")


if __name__ == "__main__":
    main()
