"""Make the pictures of the README from the run folder of the demo; remade by ``make pictures``.

    python scripts/make_pictures.py [RUN]

The report in the terminal becomes an SVG, two views of the HTML report become PNGs. Exits with 1 where there is no
Chromium, which draws the latter.
"""

from __future__ import annotations

import argparse
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from airbench_edge.report.build import build_report
from airbench_edge.report.html import write_html
from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal.print_report import print_on
from airbench_edge.run.folder import load_run
from browser import Browser, chromium

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"

COLUMNS = 100
"""As many as stay legible in the width that a README has."""

_SHOWN = ("Result", "Worth knowing")
"""Headings at which the picture of the terminal begins, and before which it ends."""

_MOST_DISPUTED = """
document.getElementById("items").scrollIntoView({ behavior: "instant" });
document.querySelector("[data-sort=spread]").click();
document.querySelector("tr[data-place]").click();
"""


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?", type=Path, default=Path("runs/demo"), help="run folder of the demo")
    run = load_run(parser.parse_args().run)
    model = build_report(run)
    PICTURES.mkdir(exist_ok=True)
    svg = terminal_picture(model, f"airbench-edge report {run.path.as_posix()}")
    (PICTURES / "terminal.svg").write_text(svg, encoding="utf-8", newline="\n")
    if (program := chromium()) is None:
        raise SystemExit("No Chromium here: the pictures of the page were not made.")
    with tempfile.TemporaryDirectory() as folder, Browser(program) as browser:
        page = Path(folder) / "report.html"
        write_html(page, run, model)
        browser.show(page, 1280, 1200)
        browser.picture(PICTURES / "page.png")
        browser.show(page, 1280, 860)
        browser.run(_MOST_DISPUTED)
        browser.picture(PICTURES / "item.png")


def terminal_picture(model: ReportModel, title: str) -> str:
    """The figures of the report as they look in a terminal, as SVG that loads nothing.

    Args:
        model: The report.
        title: What stands in the bar of the window.
    """
    report = Console(file=io.StringIO(), width=COLUMNS, force_terminal=True, record=True, markup=False, highlight=False)
    print_on(report, model)
    lines = Text.from_ansi(report.export_text(styles=True)).split()
    plain = [line.plain.strip() for line in lines]
    begin, end = (plain.index(heading) if heading in plain else None for heading in _SHOWN)
    picture = Console(file=io.StringIO(), width=COLUMNS, record=True)
    for line in lines[begin:end]:
        line.rstrip()
        picture.print(line)
    # Rich has the picture load a font from elsewhere; one of the reader's does as well.
    return re.sub(r"@font-face \{.*?\}\n?", "", picture.export_svg(title=title), flags=re.DOTALL)


if __name__ == "__main__":
    main()
