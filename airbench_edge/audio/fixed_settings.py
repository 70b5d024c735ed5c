"""Settings of feature extractors that are built in one way only."""

from __future__ import annotations

from collections.abc import Mapping

from airbench_edge.errors import InputError


def check_settings(found: Mapping[str, object], built: Mapping[str, object], models: str) -> None:
    """Compare the settings of a feature extractor with what is built here; others are taken for the same.

    Args:
        found: ``preprocessor_config.json``; settings may stand in groups.
        built: Name to value.
        models: Whose front end is built here, for the message.

    Raises:
        InputError: One differs; both sides are named.
    """
    groups = [group for group in found.values() if isinstance(group, Mapping)]
    for group in (found, *groups):
        for name in group.keys() & built.keys():
            if group[name] != built[name]:
                raise InputError(
                    f"preprocessor_config.json: {name} is {group[name]!r}, and only {built[name]!r} is built here: "
                    f"this front end knows {models}."
                )
