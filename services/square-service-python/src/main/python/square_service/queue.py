"""The consuming side of the exchange queue: one-way messages, whatever transport brings them."""

import asyncio
import logging
import random
import time

from google.protobuf.message import DecodeError
from queue_pb2 import QueueMessage, QueueReport, QueueRun

# Seconds between two reports, where something has come.
REPORT_EVERY = 0.2

# After so many messages there is a report at once: a requester without acknowledgements waits for it.
REPORT_EACH = 1024

# The most bytes of numbers in a report: brokers take messages of this size by default.
PART = 64 << 10

# Seconds after which a run is forgotten of which no aggregator tells any more.
FORGET_AFTER = 60

MOST_RUNS = 4

# The most groups, and the most topics × groups.
MOST_GROUPS = 50
MOST_SPREAD = 1000

log = logging.getLogger("square_service")


def micros():
    return time.time_ns() // 1000


def topics(queue, run):
    """Those over which the run's messages are spread. One has the queue's own name."""
    return [f"{queue}.topic.{topic}" for topic in range(run.topics)] if run.topics > 1 else [queue]


class ConsumedRun:
    """What one group of this responder has consumed of one run."""

    def __init__(self, run, group, squares):
        """group: from 0."""
        self.run = run
        self._group = group
        # Ends the names of consumer groups. One group has the name itself.
        self.suffix = f"-{group}" if run.groups > 1 else ""
        # A coroutine function, once it consumes, and also when the run is over: what has ended is not begun again.
        self.stop = None
        self._squares = squares
        self._instance = random.getrandbits(64)
        # As the bytes of a java.util.BitSet.
        self._numbers = bytearray()
        self._received = self._doubled = self._sum = self._first = self._last = self._sequence = 0
        self._reported = self._out_of_order = 0
        self._highest = [0] * max(1, run.topics)

    def take(self, body):
        """Counts a message, or refuses one that is not of this run. Returns a report where one is due at once."""
        try:
            message = QueueMessage.FromString(body)
        except DecodeError as e:
            self._squares.refuse(f"the body is not a square.QueueMessage: {e}")
            return None
        number = message.number
        run = self.run
        if message.run != run.run or not 1 <= number <= run.n or len(message.payload) != run.payload:
            self._squares.refuse(
                "a message of the queue that belongs to no run,"
                f" or has no payload of {run.payload} bytes: number {number}"
            )
            return None
        square = self._squares.consume(number)
        if square is None:
            return None
        self._count(number, square)
        return self.report() if self._received % REPORT_EACH == 0 else None

    def _count(self, number, square):
        self._last = micros()
        if self._received == 0:
            self._first = self._last
        self._received += 1
        numbers, at, bit = self._numbers, number >> 3, 1 << (number & 7)
        if at >= len(numbers):
            numbers.extend(bytes(at + 1 - len(numbers)))
        if numbers[at] & bit:
            self._doubled += 1
        else:
            numbers[at] |= bit
            self._sum += square
            topic = number % len(self._highest)
            if number < self._highest[topic]:
                self._out_of_order += 1
            else:
                self._highest[topic] = number

    def report(self):
        self._reported = self._received
        return self._next().SerializeToString()

    def news(self):
        """What has come since the last report; None where nothing has."""
        return self.report() if self._received != self._reported else None

    def last_reports(self):
        """Those after the end of the run."""
        numbers = bytes(self._numbers)
        parts = [numbers[at : at + PART] for at in range(0, len(numbers), PART)] or [b""]
        return [
            self._next(parts=len(parts), part=index, numbers=part).SerializeToString()
            for index, part in enumerate(parts)
        ]

    def _next(self, **more):
        self._sequence += 1
        return QueueReport(
            run=self.run.run,
            instance=self._instance,
            sequence=self._sequence,
            received=self._received,
            doubled=self._doubled,
            out_of_order=self._out_of_order,
            group=self._group,
            sum=self._sum,
            first=self._first,
            last=self._last,
            consuming=self.stop is not None,
            **more,
        )


class QueueResponder:
    """Consumes while an aggregator tells it that a run goes on, and reports what has come. It never decides that a run
    is over. Used on the event loop's thread.

    A connection has three coroutine functions: consume(consumed), which gives each message to consumed.take, and
    returns one that ends the consuming; tell(report); and close(). It hands what it hears to told.
    """

    def __init__(self, connection, squares):
        self._connection = connection
        self._squares = squares
        # The groups of each, by their ids, in the order of their beginnings.
        self._runs = {}
        # When each was told of last.
        self._heard = {}
        self._reporting = None

    async def told(self, message):
        try:
            run = QueueRun.FromString(message)
        except DecodeError as e:
            self._squares.refuse(f"what was told of the exchange queue is not a square.QueueRun: {e}")
            return
        groups = max(1, run.groups)
        if groups > MOST_GROUPS or max(1, run.topics) * groups > MOST_SPREAD:
            self._squares.refuse(f"what was told of the exchange queue has {run.topics} topics, {run.groups} groups")
            return
        if run.run not in self._runs:
            if run.ended:
                return
            self._runs[run.run] = [ConsumedRun(run, group, self._squares) for group in range(groups)]
            if len(self._runs) > MOST_RUNS:
                await self._forget(next(iter(self._runs)))
        self._heard[run.run] = time.monotonic()
        consumed = self._runs[run.run]
        if run.ended:
            await self._end(consumed)
        elif run.held:
            await self._stop_consuming(consumed)
            for group in consumed:
                group.stop = None
        else:
            # Each tells of itself before it consumes, so that what it has taken is known to be unknown if it dies.
            for group in consumed:
                if group.stop is None:
                    await self._tell(group.report())
            await asyncio.gather(*(self._consume(group) for group in consumed))

    async def _consume(self, consumed):
        try:
            if consumed.stop is None:
                consumed.stop = await self._connection.consume(consumed)
        except Exception as e:
            # It is told again within a second.
            log.warning("The queue cannot be consumed: %r", e)
            return
        # Also where nothing is new: an earlier report may be lost.
        await self._tell(consumed.report())
        if self._reporting is None or self._reporting.done():
            self._reporting = asyncio.create_task(self._report())

    async def _report(self):
        while self._runs:
            await asyncio.sleep(REPORT_EVERY)
            for run, groups in list(self._runs.items()):
                if time.monotonic() - self._heard[run] > FORGET_AFTER:
                    await self._forget(run)
                    continue
                for consumed in groups:
                    news = consumed.news() if consumed.stop is not None else None
                    if news is not None:
                        await self._tell(news)

    async def _forget(self, run):
        self._heard.pop(run, None)
        await self._stop_consuming(self._runs.pop(run, []))

    async def _end(self, groups):
        await self._stop_consuming(groups)
        for group in groups:
            for report in group.last_reports():
                await self._tell(report)

    @staticmethod
    async def _stop_consuming(groups):
        ends = await asyncio.gather(*(group.stop() for group in groups if group.stop is not None), return_exceptions=True)
        for error in ends:
            if error is not None:
                log.debug("The connection is gone: %r", error)

    async def _tell(self, report):
        """One that is lost makes no difference: the next one says the same and more."""
        try:
            await self._connection.tell(report)
        except Exception as e:
            log.debug("Not told: %r", e)

    async def stop(self):
        """Consumes no more, says what it has consumed, and closes."""
        for groups in list(self._runs.values()):
            await self._end(groups)
        await self._connection.close()
