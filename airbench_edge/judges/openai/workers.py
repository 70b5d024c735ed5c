"""Several requests under way at once, by threads that never keep the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue

from airbench_edge.judges.contract import JudgeReply, JudgeRequest

_Outcome = tuple[JudgeRequest, JudgeReply | BaseException]


def ask_all(
    ask: Callable[[JudgeRequest], JudgeReply], requests: Sequence[JudgeRequest], workers: int, stop: Callable[[], None]
) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
    """Ask all requests, at most ``workers`` at a time, and yield replies as they arrive.

    A request is begun only when there is room for its reply, so that nothing is paid for far ahead of being kept.
    After an error nothing new is begun; the replies under way are awaited and yielded, then the error is raised.

    Args:
        ask: Asks one request, on a thread of its own.
        requests: What to ask.
        workers: Number of threads.
        stop: Called at the end and on the first error: ends the waits of ``ask`` that are no request.
    """
    todo: SimpleQueue[JudgeRequest | None] = SimpleQueue()
    done: SimpleQueue[_Outcome] = SimpleQueue()
    # Daemons, because those of concurrent.futures are joined at exit: Ctrl-C would wait for a server that hangs.
    threads = [
        threading.Thread(target=_work, args=(ask, todo, done), name=f"judge-{number}", daemon=True)
        for number in range(min(workers, len(requests)))
    ]
    for thread in threads:
        thread.start()
    waiting = iter(requests)
    running = 0
    fault: BaseException | None = None
    try:
        while True:
            while running < len(threads) and fault is None and (request := next(waiting, None)) is not None:
                todo.put(request)
                running += 1
            if not running:
                break
            request, outcome = done.get()
            running -= 1
            if isinstance(outcome, JudgeReply):
                yield request, outcome
            elif fault is None:
                fault = outcome
                stop()
        if fault is not None:
            raise fault
    finally:
        stop()
        for _ in threads:
            todo.put(None)


def _work(
    ask: Callable[[JudgeRequest], JudgeReply], todo: SimpleQueue[JudgeRequest | None], done: SimpleQueue[_Outcome]
) -> None:
    while (request := todo.get()) is not None:
        try:
            done.put((request, ask(request)))
        except BaseException as error:  # handed to the thread that waits for it
            done.put((request, error))
