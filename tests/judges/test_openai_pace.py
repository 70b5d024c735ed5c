from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import pytest
from helpers.ask_openai import ask, requests
from helpers.chat_server import Scripted, chat_server, completion, failure
from helpers.fake_clock import FakeClock

from airbench_edge.judges.openai.pace import Pace, Stopped


def test_one_worker_holds_all() -> None:
    clock = FakeClock()
    pace = Pace(clock)
    pace.turn()
    assert clock.waits == []
    pace.hold(30)
    pace.hold(5)  # a shorter wait does not shorten a longer one
    pace.turn()
    assert 30 <= sum(clock.waits) <= 33
    pace.turn()
    assert len(clock.waits) == 1


def test_after_a_stop_nobody_has_a_turn() -> None:
    pace = Pace(FakeClock())
    pace.stop()
    with pytest.raises(Stopped):
        pace.turn()
    with pytest.raises(Stopped):
        pace.sleep(1)


class HeldClock(FakeClock):
    """Lets waits pass only when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.open = threading.Event()

    def wait(self, event: threading.Event, seconds: float) -> None:
        self.open.wait(20)
        super().wait(event, seconds)


def test_a_rate_limit_of_one_request_pauses_the_other_workers() -> None:
    """Of four workers one is told to wait; the other three finish what they have and then ask nothing."""
    clock = HeldClock()
    first_three = threading.Barrier(4, timeout=20)
    limited = threading.Event()
    asked_during_pause: list[Any] = []

    def react(body: dict[str, Any]) -> Scripted:
        number = int(body["messages"][0]["content"].split()[1].rstrip("."))
        if number < 4 and not limited.is_set():
            first_three.wait()
            if number == 0:
                limited.set()
                return failure(429, "rate_limit_exceeded", retry_after="60")
            limited.wait(20)
        elif not clock.open.is_set():
            asked_during_pause.append(number)
        return completion("8 7")

    done: dict[Any, Any] = {}
    with chat_server(react) as server:
        asking = threading.Thread(
            target=lambda: done.update(ask(server, requests(12), concurrency=4, clock=clock)), daemon=True
        )
        asking.start()
        limited.wait(20)
        # The others can begin one more each before the refusal has arrived here; let all of them come to rest.
        settled = -1
        while settled != len(server.asked):
            settled = len(server.asked)
            asking.join(0.3)
        before = len(server.asked)
        clock.open.set()
        asking.join(20)
    assert len(done) == 12
    # Four at first; without a common pause the three workers would have asked all of the other eight.
    assert before <= 4 + 3
    assert len(server.asked) == 13  # one was asked twice


_PROGRAM = """
    import sys
    from airbench_edge.benchmark.records import Order
    from airbench_edge.judges.contract import JudgeRequest
    from airbench_edge.judges.openai import OpenAIJudge

    judge = OpenAIJudge("judge-1", base_url=sys.argv[1], concurrency=4)
    try:
        for _ in judge.replies([JudgeRequest(n, Order.MODEL_FIRST, f"Rate {n}.") for n in range(9)]):
            pass
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        judge.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")
@pytest.mark.parametrize("hangs", [False, True], ids=["workers sleep", "the server hangs"])
def test_an_interrupt_ends_the_program_at_once(hangs: bool) -> None:
    """The workers wait for ten minutes, or for a server that has two minutes to answer."""
    asked, release = threading.Event(), threading.Event()

    def react(_: dict[str, Any]) -> Scripted:
        asked.set()
        if hangs:
            release.wait(60)
        return failure(429, "rate_limit_exceeded", retry_after="599")

    with chat_server(react) as server:
        program = subprocess.Popen([sys.executable, "-c", textwrap.dedent(_PROGRAM), server.url])
        try:
            assert asked.wait(60)
            started = time.monotonic()
            program.send_signal(signal.SIGINT)
            assert program.wait(30) == 130
        finally:
            release.set()
            program.kill()
    assert time.monotonic() - started < 10
