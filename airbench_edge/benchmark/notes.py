"""What the reader of a data set has to say about its records."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from airbench_edge.benchmark.items import Track, UniqId


class Severity(StrEnum):
    """What a note means for its record.

    ``set_aside``: not among the items, because something in it cannot be used or it is there already. ``refused``: not
    among the items, because its path leads out of the data set. ``warning``: somebody should look at it.
    """

    SET_ASIDE = "set_aside"
    REFUSED = "refused"
    WARNING = "warning"


class Problem(msgspec.Struct, frozen=True):
    """A note before its record is known: a stable name for programs and a sentence for people."""

    kind: str
    message: str
    severity: Severity = Severity.WARNING


class Unusable(Exception):
    """A record cannot become an item."""

    def __init__(self, kind: str, message: str, severity: Severity = Severity.SET_ASIDE) -> None:
        super().__init__(message)
        self.problem = Problem(kind, message, severity)


class Note(msgspec.Struct, frozen=True):
    """One finding about one record. Every record that is not an item has exactly one note that is no warning.

    Attributes:
        track: Track of the metadata file.
        place: ``record 2`` (counted from 1), or ``file`` where it is about the file as a whole.
        kind: Stable name of the finding.
        severity: What it means for the record.
        message: One sentence.
        uniq_id: Id of the record or item; None where it is about the whole file.
        folder: Folder of the clip; empty where the record does not tell.
    """

    track: Track
    place: str
    kind: str
    severity: Severity
    message: str
    uniq_id: UniqId | None = None
    folder: str = ""
