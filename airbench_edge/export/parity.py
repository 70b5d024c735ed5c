"""What a comparison of PyTorch and ONNX found. No PyTorch is needed to read it."""

from __future__ import annotations

import msgspec

BOUND = 1e-3
"""Largest difference of two logits in float32, in parts of their range. What is right stays far below it."""


class Parity(msgspec.Struct, frozen=True):
    """PyTorch and ONNX on one clip.

    Tokens alone prove little, since weights that say one thing only agree by luck: the logits are compared as well.

    Attributes:
        clip: Name of the clip.
        tokens: Tokens that PyTorch said.
        first_difference: Place of the first token on which ONNX would have gone elsewhere; None if there is none.
        logit_difference: Largest difference of two logits, at all tokens up to that place.
        logit_range: Largest logit less smallest one of PyTorch, to compare the difference with.
    """

    clip: str
    tokens: int
    first_difference: int | None
    logit_difference: float
    logit_range: float


class TypeParity(msgspec.Struct, frozen=True):
    """All clips in one number type.

    Attributes:
        dtypes: Graph to number type.
        clips: Each clip.
        equal: Clips with the same response.
        logit_difference: Largest of all.
        holds: Whether the export is proved: in float32 every response is the same and no logit is further off than
            ``BOUND``; smaller types need not be the same, and always hold.
    """

    dtypes: dict[str, str]
    clips: list[Parity]
    equal: int
    logit_difference: float
    holds: bool

    @classmethod
    def of(cls, dtypes: dict[str, str], clips: list[Parity]) -> TypeParity:
        """Add clips up."""
        equal = sum(clip.first_difference is None for clip in clips)
        near = all(clip.logit_difference <= BOUND * clip.logit_range for clip in clips)
        holds = set(dtypes.values()) != {"fp32"} or (equal == len(clips) and near)
        return cls(dtypes, clips, equal, max(clip.logit_difference for clip in clips), holds)


class FolderParity(msgspec.Struct, frozen=True):
    """An export against its checkpoint.

    Attributes:
        checkpoint: The checkpoint.
        folder: The export.
        question: What was asked about every clip.
        types: Each number type that the folder holds its decoder in.
    """

    checkpoint: str
    folder: str
    question: str
    types: list[TypeParity]
