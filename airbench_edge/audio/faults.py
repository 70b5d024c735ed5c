"""What can be wrong with a clip: the kinds of fault, and the error that says one of them makes it unusable."""

from __future__ import annotations

from enum import StrEnum

from airbench_edge.errors import InputError


class Fault(StrEnum):
    """Kinds of fault: the first group refuses a clip, the second refuses it or is mended and told, the third told."""

    MISSING = "missing"
    NOT_A_FILE = "not_a_file"
    UNREADABLE = "unreadable"
    TOO_LONG = "too_long"
    EMPTY_FILE = "empty_file"
    NOT_AUDIO = "not_audio"
    TRUNCATED_HEADER = "truncated_header"
    NO_SAMPLES = "no_samples"
    UNSUPPORTED_CODEC = "unsupported_codec"

    BAD_HEADER = "bad_header"
    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    NON_FINITE = "non_finite"

    CHECKSUM = "checksum"
    EXTRA_DATA = "extra_data"
    SILENCE = "silence"
    CONSTANT = "constant"
    CANCELLED = "cancelled"
    SHORT = "short"
    CLIPPED = "clipped"
    OVER_RANGE = "over_range"
    RESCALED = "rescaled"

    def says(self, sentence: str) -> str:
        """A warning of this kind."""
        return f"{self}: {sentence}"


class AudioError(InputError):
    """A clip that cannot be used.

    Attributes:
        kind: Which fault it is.
        message: One sentence, without the file's name, so that it reads the same wherever the data lies.
        path: The file, once known.
    """

    def __init__(self, kind: Fault, message: str, path: str = "") -> None:
        super().__init__(kind, message, path)
        self.kind = kind
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
