"""What becomes of one request, whatever transport brought it."""

import logging
import random
import re

from google.protobuf.message import DecodeError
from square_pb2 import Input, Output

from square_service.settings import NO_FAULTS, Faults

LARGEST = 2**31 - 1
NUMBER = re.compile("[1-9][0-9]{0,9}", re.ASCII)

log = logging.getLogger("square_service")


class Refused(Exception):
    """A request that is at fault, and counted; its text says what was wrong and what would be right."""


class Squares:
    """Answers and counts. Requests come on one thread; any thread may read the counts and set the faults.

    A request is answered with what is to be sent, None where it is to be dropped, and the seconds for which it is to be
    held back. It is counted when it is answered here, before any delay.
    """

    def __init__(self, name, faults=NO_FAULTS):
        self.name = name
        self.faults = faults
        self._requests = dict.fromkeys(("ok", "wrong", "dropped", "invalid", "undeliverable"), 0)
        if faults != NO_FAULTS:
            self._log_faults()

    @staticmethod
    def told(name):
        return Squares(name, Faults.told())

    def counts(self):
        return dict(self._requests)

    def answer(self, message):
        """Answers a square.Input with a square.Output."""
        try:
            request = Input.FromString(message)
        except DecodeError as e:
            raise self.refused(f"the body is not a square.Input message: {e}") from None
        number = request.number
        if number < 1:
            raise self.refused(f"the number must be 1 to {LARGEST}, but it is {number}")
        square, delay = self._square(number)
        return square and Output(number=number, result=square, payload=request.payload).SerializeToString(), delay

    def answer_digits(self, digits):
        """Answers a number in decimal digits with its square in digits."""
        if not NUMBER.fullmatch(digits) or int(digits) > LARGEST:
            raise self.refused(f"the number must be 1 to {LARGEST}, but it is '{digits}'")
        square, delay = self._square(int(digits))
        return square and str(square), delay

    def _square(self, number):
        faults, counts = self.faults, self._requests
        if faults is NO_FAULTS:
            counts["ok"] += 1
            return number * number, 0
        if random.random() < faults.drop:
            counts["dropped"] += 1
            return None, 0
        wrong = random.random() < faults.wrong
        counts["wrong" if wrong else "ok"] += 1
        return number * number + wrong, faults.delay

    def refused(self, reason):
        """Counts a request that is at fault, and logs the first one."""
        self._requests["invalid"] += 1
        if self._requests["invalid"] == 1:
            log.warning("An invalid request: %s (further ones are only counted)", one_line(reason))
        return Refused(reason)

    def undeliverable(self, reason):
        """Counts an answer that could not be sent, and logs the first one."""
        self._requests["undeliverable"] += 1
        if self._requests["undeliverable"] == 1:
            log.warning("An answer could not be sent: %s (further ones are only counted)", one_line(reason))

    def change(self, members):
        """Sets other faults, for requests that come from now on."""
        changed = self.faults.changed(members)
        if changed != self.faults:
            # The one instance of none, so that a request need not compare.
            self.faults = NO_FAULTS if changed == NO_FAULTS else changed
            self._log_faults()

    def _log_faults(self):
        if self.faults != NO_FAULTS:
            log.warning("%s fails on demand: %s", self.name, self.faults)
        else:
            log.info("%s no longer fails on demand", self.name)


def one_line(reason):
    """What a stranger sent, in the log: one line, and not a long one."""
    return "".join(c if c.isprintable() else "?" for c in str(reason)[:300])
