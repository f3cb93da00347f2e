"""What becomes of one request, whatever transport brought it."""

import heapq
import logging
import random
import re
import time
from urllib.parse import parse_qs

from google.protobuf.message import DecodeError
from square_pb2 import Input, Output

from square_service.settings import NO_FAULTS, Faults

LARGEST = 2**31 - 1
NUMBER = re.compile("[1-9][0-9]{0,9}", re.ASCII)

# What a call may ask for besides the square, and the most of each in microseconds, as in Java's CallWork.
WORK = {"burn": (10_000, "10ms"), "wait": (1_000_000, "1s")}
NO_WORK = {}
DURATION = re.compile("([0-9]{1,9})(us|ms|s)", re.ASCII)
MICROS = {"us": 1, "ms": 1_000, "s": 1_000_000}

# The largest body of a request that is read, as in Java.
LARGEST_BODY = 4 << 20

# What delayed answers may keep, and what each of them takes besides its payload, in bytes. Further ones are dropped.
MOST_DELAYED = 64 << 20
DELAYED_ANSWER = 1024

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
        # The one instance of none, so that a request need not compare.
        self.faults = NO_FAULTS if faults == NO_FAULTS else faults
        # What is held back, the earliest first: until when, and how many bytes.
        self._delayed = []
        self._delayed_bytes = 0
        self._requests = dict.fromkeys(("ok", "wrong", "dropped", "invalid", "undeliverable"), 0)
        if faults != NO_FAULTS:
            self._log_faults()

    @staticmethod
    def of_environment(name):
        return Squares(name, Faults.of_environment())

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
        work = NO_WORK
        if request.burn_micros or request.wait_micros:
            work = {"burn": request.burn_micros, "wait": request.wait_micros}
            for name, micros in work.items():
                if micros > WORK[name][0]:
                    raise self.refused(out_of_range(name, f"{micros}us"))
        square, delay = self._square(number, work, len(request.payload))
        return square and Output(number=number, result=square, payload=request.payload).SerializeToString(), delay

    def answer_digits(self, digits, query):
        """Answers a number in decimal digits with its square in digits. The query may ask for work."""
        if not NUMBER.fullmatch(digits) or int(digits) > LARGEST:
            raise self.refused(f"the number must be 1 to {LARGEST}, but it is '{digits}'")
        square, delay = self._square(int(digits), self._work(query) if query else NO_WORK)
        return square and str(square), delay

    def _work(self, query):
        asked, work = parse_qs(query, keep_blank_values=True), {}
        for name in WORK.keys() & asked.keys():
            text = asked[name][0]
            duration = DURATION.fullmatch(text)
            work[name] = int(duration[1]) * MICROS[duration[2]] if duration else WORK[name][0] + 1
            if work[name] > WORK[name][0]:
                raise self.refused(out_of_range(name, text))
        return work

    def _square(self, number, work, payload=0):
        faults, counts = self.faults, self._requests
        wait = 0
        if work:
            burn(work.get("burn", 0))
            wait = work.get("wait", 0) / 1e6
        if faults is NO_FAULTS and not wait:
            counts["ok"] += 1
            return number * number, 0
        if random.random() < faults.drop:
            counts["dropped"] += 1
            return None, 0
        delay = faults.delay + wait
        if delay and not self._can_delay(delay, DELAYED_ANSWER + payload):
            counts["dropped"] += 1
            return None, 0
        wrong = random.random() < faults.wrong
        counts["wrong" if wrong else "ok"] += 1
        return number * number + wrong, delay

    def _can_delay(self, delay, size):
        """Whether there is room for one more answer that is held back."""
        now = time.monotonic()
        while self._delayed and self._delayed[0][0] <= now:
            self._delayed_bytes -= heapq.heappop(self._delayed)[1]
        if self._delayed_bytes + size > MOST_DELAYED:
            return False
        self._delayed_bytes += size
        heapq.heappush(self._delayed, (now + delay, size))
        return True

    async def body(self, parts):
        """A request's whole body, of the parts in which it comes."""
        body = bytearray()
        async for part in parts:
            body += part
            if len(body) > LARGEST_BODY:
                raise self.refused(f"the body must be {LARGEST_BODY} bytes at the most")
        return bytes(body)

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
            self.faults = NO_FAULTS if changed == NO_FAULTS else changed
            self._log_faults()

    def _log_faults(self):
        if self.faults != NO_FAULTS:
            log.warning("%s fails on demand: %s", self.name, self.faults)
        else:
            log.info("%s no longer fails on demand", self.name)


def burn(micros):
    """Returns when this thread has spent so much CPU time, by its own clock."""
    end = time.thread_time_ns() + 1000 * micros
    while time.thread_time_ns() < end:
        pass


def out_of_range(name, value):
    return f"{name} must be 0us to {WORK[name][1]}, such as 200us or 2ms, but it is '{value}'"


def one_line(reason):
    """What a stranger sent, in the log: one line, and not a long one."""
    return "".join(c if c.isprintable() else "?" for c in str(reason)[:300])
