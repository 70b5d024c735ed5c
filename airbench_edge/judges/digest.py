"""A judge's identity as one short name."""

from __future__ import annotations

import hashlib

import msgspec

from airbench_edge.judges.contract import JudgeIdentity


def digest(identity: JudgeIdentity) -> str:
    """SHA-256 of everything in an identity, in hexadecimal; equal for equal instruments only."""
    return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()
