"""How the HTML report does with as many items as the published data set has: 24,683 questions and 2,200 chat items.

    python scripts/bench/html_report.py

Prints the time to write the page, its size and, where there is a Chromium, the time until it can be used, until a
filter and a search have taken effect and until an item is shown. Needs no model and no data set.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from pathlib import Path

import msgspec

_ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "scripts"), str(_ROOT / "tests")]

from helpers.full_size_run import full_size_run  # noqa: E402

from airbench_edge.benchmark.items import ChatItem, Item  # noqa: E402
from airbench_edge.report.build import build_report  # noqa: E402
from airbench_edge.report.html import write_html  # noqa: E402
from airbench_edge.run.folder import RunData  # noqa: E402
from browser import Browser, chromium  # noqa: E402

# What a person does, and the seconds that it may take.
_ACTIONS = {
    "filter by a result": ("form.elements.strict.value = 'u'; input()", 0.2),
    "filter by a task": ("form.elements.task.value = 'foundation/Sound_AQA'; input()", 0.2),
    "search two words": ("form.elements.search.value = 'woman laughing'; input()", 0.2),
    "sort by response": ("document.querySelector('[data-sort=response]').click()", 0.5),
    "scroll to the end": ("scroller.scrollTop = 1e9", 0.2),
    "show an item": ("document.querySelector('tr[data-place]').click()", 0.2),
}
_TIMED = """new Promise((done) => {{
  const form = document.getElementById("filters"), scroller = document.getElementById("scroller");
  const input = () => form.dispatchEvent(new Event("input", {{ bubbles: true }}));
  const begun = performance.now();
  {script};
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
}})"""


def main() -> None:
    """Measure and print a line for each figure; exit with 1 where the browser is slower than it may be."""
    run = _with_long_texts(full_size_run())
    begun = time.perf_counter()
    model = build_report(run)
    print(f"{'scores of the run':28}{time.perf_counter() - begun:8.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        begun = time.perf_counter()
        write_html(page, run, model)
        print(f"{'write the page':28}{time.perf_counter() - begun:8.2f} s")
        print(f"{'size of the page':28}{page.stat().st_size / 1e6:8.2f} MB, {len(run.items):,} items")
        if (program := chromium()) is None:
            print("No Chromium here: the page was not opened.")
        elif not _in_browser(program, page):
            sys.exit(1)


def _in_browser(program: str, page: Path) -> bool:
    """Open the page, act, and tell whether all was fast enough."""
    with Browser(program) as browser:
        times = [("open", browser.show(page), 3.0)]
        browser.run("new Promise((done) => setTimeout(done, 1000))")  # what it prepares when idle
        for name, (script, most) in _ACTIONS.items():
            browser.run("document.getElementById('filters').reset()")
            browser.run("new Promise((done) => setTimeout(done, 100))")
            times.append((name, float(browser.run(_TIMED.format(script=script))) / 1000, most))
    for name, seconds, most in times:
        print(f"{name:28}{seconds:8.3f} s, at most {most} s")
    return all(seconds <= most for _, seconds, most in times)


def _with_long_texts(run: RunData) -> RunData:
    """The same run with questions and clip names as long as real ones, and chat answers of a paragraph."""
    items = tuple(_real_size(item) for item in run.items)
    chat = {item.key for item in items if isinstance(item, ChatItem)}
    responses = {
        key: msgspec.structs.replace(response, text=f"{response.text} Number {key.uniq_id}. " * 12)
        if key in chat
        else response
        for key, response in run.responses.items()
    }
    return RunData(**{**vars(run), "items": items, "responses": responses})


def _real_size(item: Item) -> Item:
    path = hashlib.sha256(repr(item.key).encode()).hexdigest()[:32] + ".wav"
    if isinstance(item, ChatItem):
        question = f"What can be said about the mood of the person who speaks in clip {item.uniq_id}, and why?"
        meta = f"{{'caption': 'A woman laughs while a dog barks, number {item.uniq_id}.', 'gender': 'female'}}" * 4
        return msgspec.structs.replace(item, path=path, question=question, meta_info=meta)
    return msgspec.structs.replace(item, path=path, question=f"What is heard at second {item.uniq_id} of the clip?")


if __name__ == "__main__":
    main()
