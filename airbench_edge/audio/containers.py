"""Which kind of file this is, by its first bytes."""

from __future__ import annotations

from collections.abc import Callable

from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.flac import take_flac
from airbench_edge.audio.id3 import skip_id3
from airbench_edge.audio.mpeg import is_mpeg, take_mpeg
from airbench_edge.audio.ogg import take_ogg
from airbench_edge.audio.other import OTHER_MARKS, take_other
from airbench_edge.audio.piece import Sound
from airbench_edge.audio.wav import take_wav

_TAKERS: dict[bytes, Callable[[bytes], Sound]] = {
    b"RIFF": take_wav,
    b"RIFX": take_wav,
    b"RF64": take_wav,
    b"BW64": take_wav,
    b"fLaC": take_flac,
    b"OggS": take_ogg,
}
_OTHER_CODECS = {
    b"\x1a\x45\xdf\xa3": "Matroska or WebM",
    b"\x30\x26\xb2\x75": "Windows Media",
    b"#!AMR": "AMR",
    b"ADIF": "AAC",
    b"MAC ": "Monkey's Audio",
    b"wvpk": "WavPack",
    b"Creative Voice File": "Creative Voice",
    b"MThd": "MIDI, which holds notes and no sound",
}
_NO_SOUND = {
    b"version https://git-lfs": "a Git LFS pointer; fetch the real file with git lfs pull",
    b"<": "a web page or other markup",
    b"{": "JSON, perhaps the error message of a server",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
}


def take_apart(data: bytes) -> Sound:
    """Find out what a file is and take it apart; its name is never asked.

    Raises:
        AudioError: It is no sound, of a kind that is not supported, or broken.
    """
    start = skip_id3(data)
    data = data[start:] if data[start : start + 4] in _TAKERS else data
    if taker := _TAKERS.get(data[:4]):
        return taker(data)
    if any(magic.startswith(data) for magic in (*_TAKERS, *OTHER_MARKS)):
        raise AudioError(Fault.TRUNCATED_HEADER, f"The header is cut off after {len(data)} bytes.")
    if data.startswith(OTHER_MARKS):
        return take_other(data)
    _refuse(data)
    if start or is_mpeg(data):
        return take_mpeg(data)
    raise AudioError(Fault.NOT_AUDIO, f"This is no audio file; it starts with the bytes {data[:8].hex(' ')}.")


def _refuse(data: bytes) -> None:
    for magic, name in _OTHER_CODECS.items():
        if data.startswith(magic):
            raise AudioError(Fault.UNSUPPORTED_CODEC, f"Files of this kind are not supported ({name}).")
    if data[4:8] == b"ftyp":
        raise AudioError(Fault.UNSUPPORTED_CODEC, "MP4 and M4A are not supported; convert the sound to FLAC.")
    if data[0] == 0xFF and data[1:2] in (b"\xf0", b"\xf1", b"\xf8", b"\xf9"):
        raise AudioError(Fault.UNSUPPORTED_CODEC, "AAC is not supported; convert the sound to FLAC.")
    text = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n")
    for magic, name in _NO_SOUND.items():
        if text.startswith(magic):
            raise AudioError(Fault.NOT_AUDIO, f"This is no audio file but {name}.")
