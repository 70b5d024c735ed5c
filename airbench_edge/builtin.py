"""The model and the data set that come with the package, for a first run and for tests."""

from __future__ import annotations

from pathlib import Path

from airbench_edge.given_path import given_path

_PACKAGE = Path(__file__).parent

_PLACES = {
    # In a wheel the model lies inside the package; in a checkout at the top level.
    "nano": (_PACKAGE / "nano", _PACKAGE.parent / "models" / "nano"),
    "small": (_PACKAGE / "small",),
}


def resolve(given: str) -> Path:
    """The folder that the user means: a path, or the name ``nano`` (model) or ``small`` (data set).

    A path that exists wins over a name.
    """
    path = given_path(given)
    if path.exists():
        return path
    return next((place for place in _PLACES.get(given, ()) if place.exists()), path)
