"""The tokenizer of the first Qwen, kept as ``qwen.tiktoken``, with the tokens that Qwen-Audio adds."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, normalizers

from airbench_edge.errors import InputError
from airbench_edge.export.byte_pairs import byte_level

# The published tokenizer's pattern, and its special tokens in the order of their ids.
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ENDS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_EXTRAS = tuple(f"<|extra_{number}|>" for number in range(205))
PAD = "[[[AUDIO:modality]]]"
BEGIN, END = "<audio>", "</audio>"


def _tags(names: str) -> list[str]:
    return [f"<|{name}|>" for name in names.split()]


_AUDIO = (
    PAD,
    *_tags("startoftranscript startofanalysis translate transcribe caption keyword unknown"),
    *_tags("en zh de es ko fr ja it zh_tr notimestamps sil timestamps"),
    *(f"<|{step * 0.01:.2f}|>" for step in range(3001)),
    *_tags("caption_audiocaps caption_clotho audioset_ontology caption_plain itn wo_itn"),
    *_tags("startofentityvalue endofentityvalue startofentitytype endofentitytype named_entity_recognition"),
    *_tags("audio_grounding startofword endofword delim emotion_recognition music_description note_analysis pitch"),
    *(f"<|midi_pitch_{pitch}|>" for pitch in range(128)),
    "<|velocity|>",
    *(f"<|midi_velocity_{velocity}|>" for velocity in range(128)),
    *_tags("sonic instrument speaker_meta song_meta question answer choice scene event vocal_classification"),
    *_tags("speech_understanding scenario action entities speech_edit"),
    BEGIN,
    END,
)


def read_tiktoken(file: Path) -> Tokenizer:
    """Read ``qwen.tiktoken`` and add the special tokens of Qwen-Audio.

    Its tags of time, pitch and the like stay in decoded text, as the published ``chat`` leaves them there.

    Raises:
        InputError: There is no such file, or it is not of this form.
    """
    tokenizer = byte_level(_read_ranks(file), _WORDS)
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.add_special_tokens([AddedToken(token, normalized=False) for token in (*ENDS, *_EXTRAS)])
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in _AUDIO])
    return tokenizer


def _read_ranks(file: Path) -> dict[bytes, int]:
    try:
        lines = [line.split() for line in file.read_bytes().splitlines() if line]
        ranks = {base64.b64decode(token, validate=True): int(rank) for token, rank in lines}
    except FileNotFoundError as error:
        raise InputError(f"Not a complete checkpoint: {file} is missing.") from error
    except (ValueError, binascii.Error) as error:
        raise InputError(
            f"{file} is no list of tokens and ranks ({error}): restore it from the model's source."
        ) from error
    if sorted(ranks.values()) != list(range(len(ranks))):
        raise InputError(f"{file} lacks ranks or has some twice: restore it from the model's source.")
    return ranks
