"""When two words are the same to a reader: number words, spellings, endings, and a few words of sound."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_NUMBER_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPELLINGS: Final = {"fourties": "forties", "fourty": "forty", "colour": "color", "favourite": "favorite"}
_FAMILIES: Final = {
    "male": ("man", "men", "gentleman", "guy"),
    "female": ("woman", "women", "lady"),
    "fake": ("synthesized", "synthesised", "synthetic", "synthesizer-made", "generated", "artificial", "deepfake"),
    "real": ("genuine", "authentic"),
    "clapping": ("applauding", "applause", "applauds", "applauded", "applaud"),
    "people": ("audience", "crowd"),
    "angry": ("anger", "angrily"),
    "happy": ("happiness", "happily"),
    "sad": ("sadness", "sadly"),
    "laughing": ("laughter",),
}
_HEADS: Final = {word: head for head, words in _FAMILIES.items() for word in words}
_SUFFIXES: Final = ("ing", "ed", "s")


@lru_cache(maxsize=4096)
def canonical(word: str) -> str:
    """Return a word or number as it is compared: ``two`` and ``2``, ``1.20`` and ``1.2`` are the same."""
    if word in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(word))
    if word.lstrip("-").replace(".", "", 1).isdecimal():
        return f"{float(word):.12g}"
    return _SPELLINGS.get(word, word)


@lru_cache(maxsize=4096)
def noun_key(word: str) -> str:
    """Return the word's family without a plural ending."""
    word = canonical(word.removesuffix("'s"))
    word = _HEADS.get(word, word)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


@lru_cache(maxsize=4096)
def verb_key(word: str) -> str:
    """Return the word's family without a verb's ending: ``claps``, ``clapped`` and ``clapping`` give ``clap``."""
    word = noun_key(word)
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e")


def is_verb_form(word: str) -> bool:
    """Tell whether the word carries a verb's ending, so that its other forms mean the same."""
    return len(word) > 5 and word.endswith(("ing", "ed"))
