"""A whole clip, of any length, to text.

Source: ``transcribe`` in openai/whisper, ``whisper/transcribe.py``. Where a window ends in the middle of a sentence,
the next one starts where the last complete piece ended, as Whisper's own timestamps say: nothing is cut, and nothing is
written twice.

Decoding is greedy throughout, so that the same clip gives the same text. The original tries again with random sampling
where a text repeats itself or is unlikely; here a repetition is cut back (``loops``). Earlier text is not shown to
later windows (``condition_on_previous_text=False`` there), since that makes repetitions contagious.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from airbench_edge.audio import Waveform, log_mel
from airbench_edge.audiolm.whisper.decoding import Decoded, Opening, decode_window, open_window
from airbench_edge.audiolm.whisper.folder import Tokens, WhisperFolder
from airbench_edge.audiolm.whisper.graphs import Mel, WhisperGraphs
from airbench_edge.audiolm.whisper.guards import has_no_speech, repeats_itself
from airbench_edge.audiolm.whisper.loops import without_loop

_FRAMES_A_STEP = 2  # mel frames of 10 ms in a timestamp's step of 20 ms


class Window(NamedTuple):
    """What was heard in a window.

    Attributes:
        opening: Language and silence.
        decoded: Tokens and how sure they are.
        words: Text tokens that count; none where nobody speaks.
        frames: Mel frames after which the next window starts.
    """

    opening: Opening
    decoded: Decoded
    words: tuple[int, ...]
    frames: int


class Transcript(NamedTuple):
    """What was said in a clip.

    Attributes:
        text: The words; empty where nobody speaks.
        language: Code of the language of the first window, as ``en``.
        probability: Its probability among the languages of the model; None for a model of English only.
    """

    text: str
    language: str
    probability: float | None


class Whisper:
    """A Whisper export, opened.

    Args:
        path: The folder of the export.
        device: ``auto``, ``cpu``, ``cuda`` or ``tensorrt``.

    Attributes:
        folder: Its files.
        providers: Graph to the execution provider that it really got.

    Raises:
        InputError: The folder cannot be used.
    """

    def __init__(self, path: Path, device: str = "auto") -> None:
        self.folder = WhisperFolder(path)
        self._tokens = self.folder.tokens
        self._tokenizer = self.folder.tokenizer
        self._graphs = WhisperGraphs(self.folder, device)
        self.providers = self._graphs.providers
        self._languages = {token: code.strip("<|>") for code, token in self._tokens.lang_to_id.items()}

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms that it takes."""
        return self.folder.mel.sampling_rate

    def transcribe(self, waveform: Waveform) -> Transcript:
        """Write down what is said in a clip.

        Args:
            waveform: Mono at ``sample_rate``, [samples].
        """
        windows = self.windows(waveform)
        first = windows[0].opening
        language = "en" if first.language is None else self._languages[first.language]
        text = self._text([token for window in windows for token in window.words]).strip()
        return Transcript(text, language, None if first.language is None else first.probability)

    def windows(self, waveform: Waveform) -> list[Window]:
        """Go through a clip window by window; all are written in the language of the first.

        Args:
            waveform: Mono at ``sample_rate``, [samples].
        """
        settings = self.folder.mel
        mel = log_mel(waveform, settings, len(waveform) + settings.samples)  # a window of silence after the clip
        frames, longest = max(1, len(waveform) // settings.hop_length), settings.samples // settings.hop_length
        windows: list[Window] = []
        start = 0
        while start < frames:
            first = windows[0].opening if windows else None
            windows.append(self._window(mel[:, start : start + longest], min(longest, frames - start), first))
            start += windows[-1].frames
        return windows

    def _window(self, mel: Mel, frames: int, first: Opening | None) -> Window:
        sounding = self._graphs.encode(mel)
        opening = open_window(sounding, self._tokens)
        decoded = decode_window(sounding, opening, (first or opening).language, self._tokens)
        heard, steps = complete_pieces(decoded.tokens, self._tokens)
        words = [token for token in heard if token < self._tokens.eos_token_id]
        text = self._text(words)
        if has_no_speech(opening, decoded, text):
            return Window(opening, decoded, (), frames)
        if repeats_itself(text):
            words = without_loop(words)
        return Window(opening, decoded, tuple(words), frames if steps is None else min(frames, steps * _FRAMES_A_STEP))

    def _text(self, words: Sequence[int]) -> str:
        return str(self._tokenizer.decode(words, skip_special_tokens=False))


def complete_pieces(made: Sequence[int], tokens: Tokens) -> tuple[list[int], int | None]:
    """The tokens of a window that count, and where the next window starts.

    Text that was begun but has no end yet is left to the next window, which starts after the last complete piece.

    Args:
        made: Tokens of the window.
        tokens: What the model says of its tokens.

    Returns:
        The tokens that count, and the steps of 20 ms after which the next window starts; None for the whole window.
    """
    times = [token >= tokens.first_timestamp for token in made]
    pairs = [place for place in range(1, len(made)) if times[place - 1] and times[place]]
    if not pairs or times[-2:] == [False, True]:
        return list(made), None
    return list(made[: pairs[-1]]), made[pairs[-1] - 1] - tokens.first_timestamp
