"""A page as a browser would take it apart: elements, attributes, and what stands in its scripts and its style."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from airbench_edge.benchmark.rules_name import RulesName
from airbench_edge.report.build import build_report
from airbench_edge.report.compare import compare_runs
from airbench_edge.report.html import NO_SOUNDS, Sounds
from airbench_edge.report.html.comparison_page import comparison_parts
from airbench_edge.report.html.page import page_parts
from airbench_edge.run.folder import RunData

Attributes = dict[str, str | None]


class Markup(HTMLParser):
    """Any page.

    Attributes:
        source: Its text.
        elements: Name and attributes of each element.
        inner: Attributes and content of each script and style.
        words: What a person reads, in pieces.
    """

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.elements: list[tuple[str, Attributes]] = []
        self.inner: list[tuple[str, Attributes, str]] = []
        self.words: list[str] = []
        self._raw: tuple[str, Attributes] | None = None
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._raw = (tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self._raw = None

    def handle_data(self, data: str) -> None:
        if self._raw:
            self.inner.append((*self._raw, data))
        elif data.strip():
            self.words.append(" ".join(data.split()))

    @property
    def text(self) -> str:
        """Everything that is read."""
        return " ".join(self.words)

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        found: dict[str, Any] = json.loads(next(text for _, attrs, text in self.inner if attrs.get("id") == "data"))
        return found

    @property
    def shape(self) -> Counter[tuple[str, ...]]:
        """Elements with the names of their attributes: equal pages of different texts have equal shapes."""
        return Counter((tag, *sorted(attrs)) for tag, attrs in self.elements)

    def values(self, *names: str) -> list[str]:
        """Values of attributes of these names."""
        return [attrs[name] or "" for _, attrs in self.elements for name in names if name in attrs]


class Page(Markup):
    """The page of a run."""

    def __init__(self, run: RunData, sounds: Sounds = NO_SOUNDS) -> None:
        super().__init__("".join(page_parts(run, build_report(run), sounds)))


class ComparisonPage(Markup):
    """The page of a comparison."""

    def __init__(self, *runs: RunData, rules: RulesName = "strict") -> None:
        super().__init__("".join(comparison_parts(runs[0], compare_runs(runs, rules))))
