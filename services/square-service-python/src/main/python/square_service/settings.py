"""What a responder is told by its environment."""

import os
import re
from dataclasses import dataclass, replace

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400, "": 1e-3}
ISO_8601 = re.compile(r"(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")


class SettingsError(ValueError):
    """A value that cannot be; its message says what would be right."""


def text(variable, default):
    return os.environ.get(variable) or default


def number(variable, default):
    try:
        return float(text(variable, default))
    except ValueError:
        raise SettingsError(f"{variable} must be a number, but it is '{text(variable, default)}'") from None


def seconds(duration):
    """A duration as 20ms or as PT0.02S, in seconds."""
    simple = re.fullmatch(r"([+-]?\d+)(ns|us|ms|s|m|h|d|)", duration)
    if simple:
        return round(int(simple[1]) * UNITS[simple[2]], 9)
    iso = ISO_8601.fullmatch(duration)
    if not iso or duration.endswith("T"):
        raise SettingsError(f"'{duration}' is not a duration")
    total = int(iso[2] or 0) * 3600 + int(iso[3] or 0) * 60 + float(iso[4] or 0)
    return -total if iso[1] else total


@dataclass(frozen=True)
class Faults:
    """Failures on demand: the delay of every answer in seconds, and the probabilities that one is dropped or wrong."""

    delay: float = 0.0
    drop: float = 0.0
    wrong: float = 0.0

    def __post_init__(self):
        if not 0 <= self.delay <= 3600:
            raise SettingsError(f"chatterbox.faults.delay must be 0s to 1h, but it is {self.delay} s")
        for name in ("drop", "wrong"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"chatterbox.faults.{name} must be 0 to 1, but it is {getattr(self, name)}")

    @staticmethod
    def of_environment():
        """Those that the environment asks for."""
        return Faults(
            seconds(text("CHATTERBOX_FAULTS_DELAY", "0s")),
            number("CHATTERBOX_FAULTS_DROP", "0"),
            number("CHATTERBOX_FAULTS_WRONG", "0"),
        )

    def changed(self, members):
        """These with other values for the members that are there, as JSON gave them."""
        if not isinstance(members, dict):
            raise SettingsError("the body must be a JSON object")
        values = {}
        for name, value in members.items():
            if name == "delay" and isinstance(value, str):
                values[name] = seconds(value)
            elif name in ("drop", "wrong") and isinstance(value, (int, float)) and not isinstance(value, bool):
                values[name] = float(value)
            else:
                raise SettingsError(
                    'delay must be a text as "20ms", drop and wrong must be numbers, and there is nothing else;'
                    f" but {name} is {value!r}"
                )
        return replace(self, **values)

    def members(self):
        return {"delay": f"PT{self.delay:.9f}".rstrip("0").rstrip(".") + "S", "drop": self.drop, "wrong": self.wrong}


NO_FAULTS = Faults()
