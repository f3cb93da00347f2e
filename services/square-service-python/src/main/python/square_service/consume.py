"""Consumes one-way messages over NATS or Kafka, in the slices that the bench orders, as Consume.java does.

Arguments: --transport=nats or kafka, --queue=NAME, --folder=PATH for the files that MessageFile.java describes.
"""

import asyncio
import mmap
import os
import re
import socket
import sys
import threading
import time
import traceback
import zlib
from concurrent.futures import ThreadPoolExecutor

from google.protobuf.proto import parse_length_prefixed, serialize_length_prefixed
from queue_pb2 import QueueMessage
from slices_pb2 import SliceAnswer, SliceOrder

from square_service.settings import text

COUNT, DOUBLED, OUT_OF_ORDER, SUM, LAST = 0, 1, 2, 3, 5
HEADER, MOST = 128, 1 << 24

# Seconds in which the consumers of Kafka have their partitions, or none.
ASSIGNED = 5


class Consumed:
    """What a group has consumed of a slice. What is written to the map is in the file, also after a kill."""

    def __init__(self, path, topics):
        with open(path, "a+b") as file:
            file.truncate(HEADER + 4 * (MOST + 1))
            map = memoryview(mmap.mmap(file.fileno(), 0))
        self.header, self.states = map[:HEADER].cast("q"), map[HEADER:].cast("i")
        self.highest, self.lock = [0] * topics, threading.Lock()
        if self.header[COUNT]:
            # It may have been killed between a message's state and the counts.
            numbers = [number for number, state in enumerate(self.states) if state]
            self.header[COUNT] = len(numbers) + self.header[DOUBLED]
            self.header[SUM] = sum(number * number for number in numbers)

    def distinct(self):
        return self.header[COUNT] - self.header[DOUBLED]

    def take(self, number, made):
        now = time.time_ns() // 1000
        with self.lock:
            is_new = self.states[number] == 0
            if is_new:
                self.states[number] = max(1, min(now - made, (1 << 31) - 1))
                self.header[SUM] += number * number
                topic = number % len(self.highest)
                self.header[OUT_OF_ORDER] += number < self.highest[topic]
                self.highest[topic] = max(number, self.highest[topic])
            else:
                self.header[DOUBLED] += 1
            self.header[LAST] = now
            self.header[COUNT] += 1
        return is_new


class Slice:
    """A slice under way."""

    def __init__(self, order, folder):
        workload = dict(word.split("=") for word in order.workload.split(" ") if "=" in word)
        self.shape = [int(workload.get(key, 1)) for key in ("topics", "groups", "consumers")]
        self.id, self.payload, self.run = order.id, int(workload["payload"]), zlib.crc32(order.id.encode())
        self.consumed = [Consumed(f"{folder}/consumed-{group}", self.shape[0]) for group in range(self.shape[1])]
        self.expected, self.changed = 0, time.monotonic()

    def take(self, group, body):
        message = QueueMessage.FromString(body or b"")
        if message.run == self.run and 1 <= message.number <= MOST and len(message.payload) == self.payload:
            if self.consumed[group].take(message.number, message.made):
                self.changed = time.monotonic()

    def is_over(self, patience):
        complete = all(group.distinct() >= self.expected for group in self.consumed)
        return self.expected > 0 and (complete or time.monotonic() - self.changed > patience)


async def consume_nats(queue, topics, groups, consumers, take):
    from nats.aio.client import Client

    client, servers = Client(), text("NATS_SERVER", "nats://localhost:4222").split(",")
    await client.connect(servers=servers, max_reconnect_attempts=-1, reconnect_time_wait=0.5)
    for group in range(groups):

        async def consume(message, group=group):
            take(group, message.data)

        for _ in range(consumers):
            subject = f"{queue}.topic.*" if topics > 1 else queue
            await client.subscribe(subject, queue=f"{queue}.consumers-{group}", cb=consume)
    await client.flush()
    return client.close


def end_if_failed(reader):
    """Ends the program with its reader, or the bench would wait for messages that nobody takes."""
    if reader.exception() is not None:
        traceback.print_exception(reader.exception())
        os._exit(1)


async def consume_kafka(queue, topics, groups, consumers, take):
    from confluent_kafka import Consumer, TopicCollection
    from confluent_kafka.admin import AdminClient

    from square_service.kafka import CLIENT, CONSUMER, polled, store

    names = [f"{queue}.topic.{topic}" for topic in range(topics)] if topics > 1 else [queue]
    servers = {"bootstrap.servers": text("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")}
    stopping, assigned = threading.Event(), threading.Semaphore(0)
    admin = AdminClient({**CLIENT, **servers})
    described = admin.describe_topics(TopicCollection(names[:1]))[names[0]]
    # Topics that were made again have other groups: what was committed before means nothing.
    topic = (await asyncio.to_thread(described.result, ASSIGNED)).topic_id

    def read(group):
        consumer = Consumer({**CLIENT, **CONSUMER, **servers, "group.id": f"{queue}.{topic}.consumers-{group}"})
        consumer.subscribe(names, on_assign=lambda *_: assigned.release())
        while not stopping.is_set():
            messages = polled(consumer, 0.1)
            for message in messages:
                take(group, message.value())
            store(consumer, {(message.topic(), message.partition()): message for message in messages})
        # Commits what was taken, and leaves the group.
        consumer.close()

    loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor(groups * consumers)
    readers = [loop.run_in_executor(threads, read, group) for group in range(groups) for _ in range(consumers)]
    for reader in readers:
        reader.add_done_callback(end_if_failed)
        await asyncio.to_thread(assigned.acquire, True, ASSIGNED)

    async def stop():
        stopping.set()
        await asyncio.gather(*readers)

    return stop


# How a transport's messages are consumed, and after how many seconds nothing more comes.
TRANSPORTS = {"nats": (consume_nats, 1), "kafka": (consume_kafka, 15)}


class Program:
    """Serves the bench until it closes the channel."""

    def __init__(self, arguments):
        self.queue, self.folder = arguments["--queue"], arguments["--folder"]
        self.consume, self.patience = TRANSPORTS[arguments["--transport"]]
        self.slice = self.stop = None
        host, port, token = re.split("[:/]", os.environ["CHATTERBOX_SLICES"])
        bench = socket.create_connection((host, int(port)))
        bench.sendall(token.encode())
        self.stream = bench.makefile("rwb")

    async def run(self):
        looking = asyncio.create_task(self.look())
        while (order := await asyncio.to_thread(parse_length_prefixed, SliceOrder, self.stream)) is not None:
            if order.kind == SliceOrder.BEGIN:
                self.slice.expected, self.slice.changed = order.requests, time.monotonic()
                continue
            if order.kind == SliceOrder.PREPARE:
                await self.prepare(Slice(order, self.folder))
            else:
                await self.hold()
            self.done(order.id)
        looking.cancel()
        await self.hold()

    async def prepare(self, wanted):
        before, self.slice = self.slice, wanted
        if self.stop is None or before.shape != wanted.shape:
            await self.hold()
            self.stop = await self.consume(self.queue, *wanted.shape, lambda *message: self.slice.take(*message))

    async def hold(self):
        if self.stop is not None:
            await self.stop()
        self.stop = None

    async def look(self):
        while True:
            await asyncio.sleep(0.02)
            now = self.slice
            if now is not None and now.is_over(self.patience):
                now.expected = 0
                self.done(now.id)

    def done(self, name):
        serialize_length_prefixed(SliceAnswer(id=name), self.stream)
        self.stream.flush()


if __name__ == "__main__":
    asyncio.run(Program(dict(argument.split("=", 1) for argument in sys.argv[1:])).run())
