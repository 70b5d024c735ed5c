"""WAV: the description of the samples, checked against the samples, and what the decoder needs to read them.

Source: Microsoft, Multiple Channel Audio Data and WAVE Files (WAVE_FORMAT_EXTENSIBLE); format tags of RFC 2361.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from airbench_edge.audio.decode import CHANNELS, RATES
from airbench_edge.audio.faults import AudioError, Fault
from airbench_edge.audio.mpeg import find_run, take_mpeg
from airbench_edge.audio.piece import Layout, Piece, Sound
from airbench_edge.audio.riff import Wave, read_wave

_PCM, _FLOAT, _ALAW, _ULAW, _MPEG, _MP3, _EXTENSIBLE = 1, 3, 6, 7, 0x50, 0x55, 0xFFFE
_BY_DECODER = (2, 0x11, 0x14, 0x31, 0x38, 0x40)  # MS and IMA ADPCM, G.723, GSM 6.10, NMS ADPCM, G.721
_PCM_SUBTYPES = {1: "PCM_U8", 2: "PCM_16", 3: "PCM_24", 4: "PCM_32"}
_STREAMS = (b"fLaC", b"OggS", b"ID3", b"RIFF")
_PEEK = 1 << 13  # bytes: more than three frames of MPEG audio
_FLOAT_SUBTYPES = {4: "FLOAT", 8: "DOUBLE"}
_GUID_ENDS = (
    bytes.fromhex("800000aa00389b71"),  # the tag in front means what it means in a plain header
    bytes.fromhex("8644c8c1ca000000"),  # the same, for ambisonic recordings
)


class Format(NamedTuple):
    """The ``fmt`` chunk; the tag is that of the subformat if it is extensible."""

    tag: int
    channels: int
    sample_rate: int
    byte_rate: int
    block: int
    bits: int


def take_wav(data: bytes) -> Sound:
    """Take a WAV file apart.

    Raises:
        AudioError: It has no usable header, no samples, or samples in a codec that is not supported.
    """
    wave = read_wave(data)
    form = _read_format(wave)
    body = memoryview(data)[wave.start : wave.start + wave.length]
    if not body:
        raise AudioError(Fault.NO_SAMPLES, "The WAV header is followed by no samples.")
    sound = _take_samples(form, wave, body)
    if wave.announced > wave.length:
        sentence = f"the header announces {wave.announced} bytes of samples, {wave.length} are there."
        sound.warnings.append(Fault.TRUNCATED.says(sentence))
    sound.warnings.extend(wave.warnings)
    return sound


def _read_format(wave: Wave) -> Format:
    order = ">" if wave.big_endian else "<"
    form = Format(*struct.unpack_from(order + "HHIIHH", wave.fmt))
    if form.tag == _EXTENSIBLE:
        form = form._replace(tag=_subformat(form, wave.fmt, order))
    if form.sample_rate not in RATES or form.channels not in CHANNELS:
        raise AudioError(
            Fault.BAD_HEADER, f"The WAV header announces {form.channels} channels at {form.sample_rate} Hz."
        )
    return form


def _subformat(form: Format, fmt: bytes, order: str) -> int:
    if len(fmt) < 40:
        if form.bits >= 32:
            raise AudioError(Fault.BAD_HEADER, "The extensible WAV header does not say if its samples are integers.")
        return _PCM
    if fmt[32:40] not in _GUID_ENDS:
        raise AudioError(Fault.UNSUPPORTED_CODEC, f"The WAV subformat {fmt[24:40].hex()} is not supported.")
    tag: int = struct.unpack_from(order + "I", fmt, 24)[0]
    return tag


def _take_samples(form: Format, wave: Wave, body: memoryview) -> Sound:
    if form.tag in (_MPEG, _MP3):
        return take_mpeg(bytes(body))
    if bytes(body[:4]).startswith(_STREAMS) or find_run(bytes(body[:_PEEK]), 0, 1):
        raise AudioError(Fault.BAD_HEADER, f"The WAV header says format tag {form.tag}, its data is a compressed file.")
    if form.tag in _BY_DECODER:
        return Sound([Piece((_plain_header(wave, len(body)), body))])
    if form.tag == _PCM and form.bits == 32 and _are_floats(body, wave):
        sound = _take_linear(form, wave, body, _FLOAT_SUBTYPES)
        sound.warnings.append(Fault.BAD_HEADER.says("the header says integers, the samples are floats."))
        return sound
    if form.tag == _PCM:
        return _take_linear(form, wave, body, _PCM_SUBTYPES)
    if form.tag == _FLOAT:
        return _take_linear(form, wave, body, _FLOAT_SUBTYPES)
    if form.tag in (_ALAW, _ULAW):
        return _take_linear(form._replace(bits=8), wave, body, {1: "ALAW" if form.tag == _ALAW else "ULAW"})
    raise AudioError(
        Fault.UNSUPPORTED_CODEC, f"WAV with the codec {form.tag:#06x} is not supported; convert it to PCM."
    )


def _plain_header(wave: Wave, length: int) -> bytes:
    order = ">" if wave.big_endian else "<"
    fmt = b"fmt " + struct.pack(order + "I", len(wave.fmt)) + wave.fmt
    riff = b"RIFX" if wave.big_endian else b"RIFF"
    head = b"WAVE" + fmt + b"data" + struct.pack(order + "I", length)
    return riff + struct.pack(order + "I", len(head) + length) + head


def _take_linear(form: Format, wave: Wave, body: memoryview, subtypes: Mapping[int, str]) -> Sound:
    """Samples of a fixed width, side by side."""
    width = _width(form, wave, body, subtypes)
    if len(body) < width * form.channels:
        raise AudioError(Fault.NO_SAMPLES, "The WAV file holds less than one sample of every channel.")
    sound = Sound([Piece((body,), Layout(subtypes[width], wave.big_endian, form.channels, form.sample_rate))])
    block = width * form.channels
    if (form.block, form.byte_rate) != (block, block * form.sample_rate):
        sentence = f"{form.block} bytes a frame, {form.byte_rate} a second; its samples say {block}."
        sound.warnings.append(Fault.BAD_HEADER.says(f"the header announces {sentence}"))
    return sound


def _width(form: Format, wave: Wave, body: memoryview, subtypes: Mapping[int, str]) -> int:
    """Bytes of a sample: from its bits, from the bytes of a frame only where the samples bear that out."""
    width, (announced, uneven) = -(-form.bits // 8), divmod(form.block, form.channels)
    if not uneven and (width == 0 or (announced in subtypes and _is_padded(body, width, announced, wave))):
        width = announced
    if width not in subtypes:
        kind = Fault.UNSUPPORTED_CODEC if width else Fault.BAD_HEADER
        raise AudioError(kind, f"WAV samples of {form.bits} bits under format tag {form.tag} cannot be read.")
    return width


def _is_padded(body: memoryview, width: int, container: int, wave: Wave) -> bool:
    """Whether samples lie in wider containers: the unused low bytes are all 0, as the format demands."""
    if container <= width:
        return False
    samples = np.frombuffer(body[: len(body) // container * container], dtype=np.uint8).reshape(-1, container)
    unused = samples[:, width:] if wave.big_endian else samples[:, : container - width]
    return not unused.any()


def _are_floats(body: memoryview, wave: Wave) -> bool:
    """Whether 32-bit integers are floats in truth: integers read as floats hold NaN, or values far from any sound."""
    values = np.frombuffer(body[: len(body) // 4 * 4], dtype=">f4" if wave.big_endian else "<f4")
    sizes = np.abs(values[values != 0])
    return len(sizes) > 0 and bool(sizes.max() <= 4.0 and np.median(sizes) > 1e-6)
