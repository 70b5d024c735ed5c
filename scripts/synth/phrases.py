"""The closed worlds of words from which speech clips are drawn."""

from __future__ import annotations

from typing import NamedTuple

NUMBERS = ("one", "two", "three", "four")
WORDS = ("kitchen", "music", "seven", "window", "coffee", "garden", "yellow", "market")
AGES = ("teens to twenties", "thirties to fourties", "fifties to sixties", "seventies to eighties")


class Acting(NamedTuple):
    """How an emotion is played: words a minute, pitch 0..99, level, and whether the voice is rough or trembles."""

    rate: int
    pitch: int
    loudness: float
    rough: bool = False
    tremble: bool = False


EMOTIONS = {
    "neutral": Acting(172, 50, 0.09),
    "angry": Acting(215, 62, 0.22, rough=True),
    "happy": Acting(200, 88, 0.13),
    "sad": Acting(118, 20, 0.05),
    "fearful": Acting(225, 75, 0.05, tremble=True),
}
LANGUAGES = {
    "English": (
        "en-us",
        "the house is very big today because children play with many friends near old water street morning always",
    ),
    "German": ("de", "das haus ist heute sehr gross weil kinder mit vielen freunden spielen und wasser strasse morgen"),
    "French": (
        "fr-fr",
        "la maison est très grande aujourd'hui parce que les enfants jouent avec beaucoup amis eau rue matin",
    ),
    "Spanish": ("es", "la casa es muy grande hoy porque los niños juegan con muchos amigos agua calle mañana siempre"),
    "Russian": ("ru", "дом сегодня очень большой потому что дети играют много друзья вода улица утро всегда счастье"),
    "Chinese": ("cmn", "今天 房子 很大 因为 孩子 朋友 一起 街道 早上 总是 快乐 河流 我们 学习"),
}
"""Language to its espeak-ng code and a pool of words."""
_CITIES = ("london", "paris", "tokyo", "berlin")
INTENTS = {
    "weather query": ("city", _CITIES, ("what is the weather in {}", "will it rain in {}", "how hot is it in {}")),
    "alarm setting": (
        "time",
        ("six", "nine", "eleven", "two"),
        ("wake me up at {}", "set an alarm for {}", "I need an alarm at {}"),
    ),
    "music request": (
        "style",
        ("jazz", "rock", "opera", "blues"),
        ("play some {}", "I want to hear {}", "put on {} songs"),
    ),
    "device control": (
        "device",
        ("lights", "heater", "radio", "fan"),
        ("turn on the {}", "switch the {} on", "start the {}"),
    ),
    "taxi booking": ("city", _CITIES, ("get me a taxi to {}", "I need a cab to {}", "call a car to {}")),
    "email sending": (
        "person",
        ("anna", "peter", "laura", "victor"),
        ("write an email to {}", "send {} a message", "mail {} for me"),
    ),
}
"""Intent to the kind of entity it names, the entities, and ways to say it."""
ENTITY_KINDS = {kind: values for kind, values, _ in INTENTS.values()}
