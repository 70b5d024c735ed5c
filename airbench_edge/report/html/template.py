"""The templates, the style and the scripts of the pages, and the policy under which they run."""

from __future__ import annotations

from functools import cache

import jinja2

from airbench_edge.report.html.inline import policy_hash
from airbench_edge.report.terminal import figures
from airbench_edge.report.terminal.console import literal
from airbench_edge.report.terminal.standing import rank_words

_STYLE = "report.css"


def template(name: str) -> jinja2.Template:
    """One of the templates; whatever it is filled with is escaped."""
    return _environment().get_template(name)


def fixed_parts(*scripts: str, media: str = "'none'") -> dict[str, str]:
    """What stands in a page whatever is reported: ``style``, ``script``, and a ``policy`` that lets only them pass.

    Args:
        scripts: Assets that are joined to the one script of the page.
        media: What the policy must allow for the clips.
    """
    style, script = _asset(_STYLE), "".join(map(_asset, scripts))
    policy = (
        f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)}; "
        f"media-src {media}; base-uri 'none'; form-action 'none'"
    )
    return {"style": style, "script": script, "policy": policy}


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "assets"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        literal=literal,
        percent=figures.percent,
        percent_interval=figures.percent_interval,
        score=figures.score,
        score_interval=figures.score_interval,
        number=figures.number,
        plural=figures.plural,
        rank=rank_words,
    )
    environment.globals.update(coverage=figures.coverage)
    return environment


def _asset(name: str) -> str:
    loader = _environment().loader
    assert loader is not None
    return loader.get_source(_environment(), name)[0]
