"""The weights of a CTranslate2 model file, as arrays.

The format is that of ``ModelSpec.save`` and ``models::Model::load`` in OpenNMT/CTranslate2, versions 5 and 6, little-
endian: a header, named tensors each with its type and number of bytes, and aliases of tensors.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from airbench_edge.errors import InputError

Weights: TypeAlias = dict[str, npt.NDArray[Any]]

_DTYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
_VERSIONS = (5, 6)


def read_ctranslate2(path: Path) -> Weights:
    """Read all tensors of a ``model.bin``, aliases included.

    Raises:
        InputError: The file cannot be read, is cut, or is of another version or number type.
    """
    try:
        return _Reader(path.read_bytes()).weights()
    except (OSError, struct.error, ValueError, KeyError) as error:
        raise InputError(f"{path} is no CTranslate2 model of a known form ({error}): get it again.") from error


class _Reader:
    """A cursor over the bytes of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def weights(self) -> Weights:
        """All tensors, then the aliases."""
        version = self._number("I")
        if version not in _VERSIONS:
            raise ValueError(f"version {version}")
        self._text()  # kind of model
        self._number("I")  # its revision
        weights = {self._text(): self._tensor() for _ in range(self._number("I"))}
        for _ in range(self._number("I")):
            alias = self._text()
            weights[alias] = weights[self._text()]
        return weights

    def _tensor(self) -> npt.NDArray[Any]:
        shape = [self._number("I") for _ in range(self._number("B"))]
        dtype = np.dtype(_DTYPES[self._number("B")])
        data = self._take(self._number("I"))
        return np.frombuffer(data, dtype).reshape(shape)

    def _text(self) -> str:
        return self._take(self._number("H")).rstrip(b"\0").decode()

    def _number(self, kind: str) -> int:
        number: int = struct.unpack_from("<" + kind, self._data, self._place)[0]
        self._place += struct.calcsize("<" + kind)
        return number

    def _take(self, count: int) -> bytes:
        taken = self._data[self._place : self._place + count]
        if len(taken) < count:
            raise ValueError(f"cut: {len(taken)} of {count} bytes at {self._place}")
        self._place += count
        return taken
