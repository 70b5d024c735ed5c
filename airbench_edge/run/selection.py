"""Which items of a data set a run is about."""

from __future__ import annotations

import difflib
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from airbench_edge.benchmark.items import ChatItem, FoundationItem, Item, Track
from airbench_edge.errors import InputError

AnyItem = TypeVar("AnyItem", FoundationItem, ChatItem, Item)


class Selection(msgspec.Struct, frozen=True):
    """What a command asked for.

    Attributes:
        tracks: The tracks, sorted.
        tasks: Names of tasks or folders, sorted; empty for all.
        limit: Most items of the run; None for all.
        seed: Decides which items a limit picks, here and in the judge stage.
    """

    tracks: tuple[Track, ...]
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0

    @classmethod
    def of(cls, tracks: Iterable[Track], tasks: Iterable[str], limit: int | None, seed: int) -> Selection:
        """What was asked for in whatever order; names may come several in one text, with commas between.

        Raises:
            InputError: A text names no task; it would otherwise mean all of them.
        """
        texts = tuple(tasks)
        if blank := [text for text in texts if not text.strip(" ,")]:
            raise InputError(f"--task {blank[0]!r} names no task: give a name, or leave the option out for all tasks.")
        names = {name.strip() for text in texts for name in text.split(",") if name.strip()}
        return cls(tuple(sorted(tracks)), tuple(sorted(names)), limit, seed)


def select(items: Sequence[Item], selection: Selection) -> list[Item]:
    """Give the selected items in their own order.

    Raises:
        InputError: A task is unknown, or nothing is left.
    """
    offered = [item for item in items if item.key.track in selection.tracks]
    _check_tasks(offered, selection.tasks)
    wanted = [item for item in offered if not selection.tasks or {item.task, item.folder} & set(selection.tasks)]
    if not wanted:
        raise InputError(
            "The data set has no usable item of the tracks asked for: choose another --track, or let "
            "`airbench-edge data check` say what is wrong with its records."
        )
    return spread(wanted, selection.limit, selection.seed)


def spread(items: Sequence[AnyItem], limit: int | None, seed: int) -> list[AnyItem]:
    """Pick ``limit`` items evenly over the folders, by the seed alone; a larger limit keeps what a smaller one picked.

    Within a folder, and among the folders of a round, the order is that of a hash, which no library version changes.
    """
    if limit is None or limit >= len(items):
        return list(items)
    folders: defaultdict[str, list[AnyItem]] = defaultdict(list)
    for item in items:
        folders[f"{item.key.track}/{item.folder}"].append(item)
    turns: list[tuple[int, bytes, AnyItem]] = []
    for folder, members in folders.items():
        members.sort(key=lambda item: _rank(seed, f"{item.key.track}/{item.uniq_id!r}"))
        turns += [(turn, _rank(seed, folder), item) for turn, item in enumerate(members)]
    turns.sort(key=lambda entry: entry[:2])
    picked = {item.key for _, _, item in turns[:limit]}
    return [item for item in items if item.key in picked]


def _rank(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}/{name}".encode()).digest()


def _check_tasks(items: Iterable[Item], tasks: Iterable[str]) -> None:
    known = sorted({name for item in items for name in (item.task, item.folder)})
    for task in tasks:
        if task in known:
            continue
        folded = {name.casefold(): name for name in known}
        near = [folded[name] for name in difflib.get_close_matches(task.casefold(), folded, n=3)]
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}."
        raise InputError(f"No task or folder of the chosen tracks is called {task!r}: {hint}")
