"""The exchange queue over Kafka, as a member of a group that is the run's own."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from confluent_kafka import OFFSET_END, Consumer, KafkaException, Producer, TopicPartition

from square_service.queue import topics

# Messages that are taken before the event loop's other work has its turn.
BATCH = 500

# Seconds for which a thread waits for messages.
WAIT = 0.1

# Seconds for the group to give each consumer its partitions, or none.
ASSIGNED = 5

# Seconds for the last reports to be stored.
FLUSH = 1

# Each consumer waits on a thread, and so does what hears.
THREADS = 101


def polled(consumer, wait):
    """Messages; it waits for the first one only, where consume() alone would wait for as many as it was asked for."""
    first = consumer.poll(wait)
    messages = [] if first is None else [first, *consumer.consume(BATCH - 1, 0)]
    return [message for message in messages if message.error() is None]


def store(consumer, messages):
    """Notes that these are done; they are committed later."""
    for message in {(each.topic(), each.partition()): each for each in messages}.values():
        try:
            consumer.store_offsets(message)
        except KafkaException:
            # The partition went to another member meanwhile, which takes the message again.
            pass


class KafkaQueue:
    """Used on the event loop's thread. The library's calls that wait are made on others."""

    def __init__(self, topic, group, client, consumer):
        """client: the options of each client of the library; consumer: those of each consumer."""
        self.queue = f"{topic}.queue"
        self.group = group
        self.consumer = {**client, **consumer}
        self.producer = Producer({**client, "linger.ms": 0, "message.timeout.ms": 5000})
        self.threads = ThreadPoolExecutor(THREADS, "kafka-queue")

    def _wait(self, work, *arguments):
        return asyncio.get_running_loop().run_in_executor(self.threads, work, *arguments)

    async def hear(self, told, make_topic):
        """Hears what is told of runs, until it is cancelled.

        make_topic: makes a topic of so many partitions, however long that takes; False if the word to end came first.
        """
        for topic in (f"{self.queue}.runs", f"{self.queue}.reports"):
            if not await self._wait(make_topic, topic, 1):
                return
        hearing = Consumer({**self.consumer, "group.id": f"{self.group}.queue", "enable.auto.commit": False})
        hearing.assign([TopicPartition(f"{self.queue}.runs", 0, OFFSET_END)])
        while True:
            for message in await self._wait(polled, hearing, WAIT):
                await told(message.value() or b"")

    async def consume(self, consumed):
        """Returns when each consumer has its partitions, or none."""
        stopping = threading.Event()
        # No other run has this group: what was committed before means nothing.
        run = consumed.run
        options = {**self.consumer, "group.id": f"{self.group}.queue.{run.run:016x}{consumed.suffix}"}
        assigned = [asyncio.Event() for _ in range(run.consumers)]
        readers = [asyncio.create_task(self._read(options, consumed, each, stopping)) for each in assigned]
        await asyncio.wait([asyncio.create_task(each.wait()) for each in assigned], timeout=ASSIGNED)

        async def stop():
            stopping.set()
            await asyncio.gather(*readers)

        return stop

    async def _read(self, options, consumed, assigned, stopping):
        loop = asyncio.get_running_loop()
        consumer = Consumer(options)
        consumer.subscribe(topics(self.queue, consumed.run), on_assign=lambda *_: loop.call_soon_threadsafe(assigned.set))
        while not stopping.is_set():
            messages = await self._wait(polled, consumer, WAIT)
            for message in messages:
                report = consumed.take(message.value() or b"")
                if report is not None:
                    await self.tell(report)
            store(consumer, messages)
        # Commits what was taken, and leaves the group.
        await self._wait(consumer.close)

    async def tell(self, report):
        self.producer.produce(f"{self.queue}.reports", report, partition=0)
        self.producer.poll(0)

    async def close(self):
        await self._wait(self.producer.flush, FLUSH)
