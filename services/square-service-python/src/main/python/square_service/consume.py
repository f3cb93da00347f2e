"""Consumes one-way messages over NATS or Kafka, in the slices that the bench orders, as Consume.java does.

Arguments: --transport=nats or kafka, --queue=NAME, --folder=PATH for the files that MessageFile.java describes.
"""

import asyncio
import mmap
import os
import re
import struct
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote_plus, unquote_plus

from queue_pb2 import QueueMessage

from square_service.settings import text

COUNT, DOUBLED, OUT_OF_ORDER, SUM, LAST = 0, 8, 16, 24, 40
HEADER, MOST = 128, 1 << 24


# Seconds in which the consumers of Kafka have their partitions, or none.
ASSIGNED = 5


class Consumed:
    """What a group has consumed of a slice. What is written to the map is in the file, also after a kill."""

    def __init__(self, path, topics):
        with open(path, "a+b") as file:
            file.truncate(HEADER + 4 * (MOST + 1))
            self.map = mmap.mmap(file.fileno(), 0)
        self.highest, self.lock = [0] * topics, threading.Lock()
        if self.get(COUNT):
            # It may have been killed between a message's state and the counts.
            numbers = [number for number, state in enumerate(struct.iter_unpack("<i", self.map[HEADER:])) if state[0]]
            self.add(COUNT, len(numbers) - self.distinct())
            self.add(SUM, sum(number * number for number in numbers) - self.get(SUM))

    def get(self, field):
        return struct.unpack_from("<q", self.map, field)[0]

    def add(self, field, more):
        struct.pack_into("<q", self.map, field, self.get(field) + more)

    def distinct(self):
        return self.get(COUNT) - self.get(DOUBLED)

    def take(self, number, made):
        now = time.time_ns() // 1000
        at = HEADER + 4 * number
        with self.lock:
            is_new = self.map[at : at + 4] == b"\0\0\0\0"
            if is_new:
                struct.pack_into("<i", self.map, at, max(1, min(now - made, (1 << 31) - 1)))
                self.add(SUM, number * number)
                topic = number % len(self.highest)
                self.add(OUT_OF_ORDER, number < self.highest[topic])
                self.highest[topic] = max(number, self.highest[topic])
            else:
                self.add(DOUBLED, 1)
            struct.pack_into("<q", self.map, LAST, now)
            self.add(COUNT, 1)
        return is_new


class Slice:
    """A slice under way. An order has the words of Slice.java: id, row, workload, requests, and others."""

    def __init__(self, words, folder):
        self.id = words[0]
        workload = dict(word.split("=") for word in words[2].split(" ") if "=" in word)
        self.topics, self.groups = int(workload.get("topics", 1)), int(workload.get("groups", 1))
        self.shape = self.topics, self.groups, int(workload["consumers"])
        self.payload, self.run = int(workload["payload"]), zlib.crc32(self.id.encode())
        self.consumed = [Consumed(f"{folder}/consumed-{group}", self.topics) for group in range(self.groups)]
        self.expected, self.changed = 0, time.monotonic()

    def take(self, group, body):
        message = QueueMessage.FromString(body or b"")
        if message.run == self.run and 1 <= message.number <= MOST and len(message.payload) == self.payload:
            if self.consumed[group].take(message.number, message.made):
                self.changed = time.monotonic()

    def is_over(self, patience):
        complete = all(group.distinct() >= self.expected for group in self.consumed)
        return self.expected > 0 and (complete or time.monotonic() - self.changed > patience)


class Nats:
    patience = 1

    async def consume(self, queue, shape, take):
        from nats.aio.client import Client

        topics, groups, consumers = shape
        subject = f"{queue}.topic.*" if topics > 1 else queue
        client, servers = Client(), text("NATS_SERVER", "nats://localhost:4222").split(",")
        await client.connect(servers=servers, max_reconnect_attempts=-1, reconnect_time_wait=0.5)
        for group in range(groups):

            async def taken(message, group=group):
                take(group, message.data)

            for _ in range(consumers):
                await client.subscribe(subject, queue=f"{queue}.consumers-{group}", cb=taken)
        await client.flush()
        return client.close


class Kafka:
    patience = 15
    threads = ThreadPoolExecutor(101, "consumers")

    async def consume(self, queue, shape, take):
        from confluent_kafka import Consumer

        from square_service.kafka import CLIENT, CONSUMER, polled, store

        topics, groups, consumers = shape
        names = [f"{queue}.topic.{topic}" for topic in range(topics)] if topics > 1 else [queue]
        servers = text("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
        stopping, assigned = threading.Event(), threading.Semaphore(0)

        def read(group):
            options = {**CLIENT, **CONSUMER, "bootstrap.servers": servers, "group.id": f"{queue}.consumers-{group}"}
            consumer = Consumer(options)
            consumer.subscribe(names, on_assign=lambda *_: assigned.release())
            while not stopping.is_set():
                messages = polled(consumer, 0.1)
                for message in messages:
                    take(group, message.value())
                store(consumer, messages)
            # Commits what was taken, and leaves the group.
            consumer.close()

        loop = asyncio.get_running_loop()
        readers = [loop.run_in_executor(self.threads, read, group) for group in range(groups) for _ in range(consumers)]
        for _ in readers:
            await asyncio.to_thread(assigned.acquire, True, ASSIGNED)

        async def stop():
            stopping.set()
            await asyncio.gather(*readers)

        return stop


class Program:
    """Serves the bench until it closes the channel."""

    def __init__(self, arguments):
        self.queue, self.folder = arguments["--queue"], arguments["--folder"]
        self.transport = {"nats": Nats, "kafka": Kafka}[arguments["--transport"]]()
        self.slice = self.shape = self.stop = None
        self.taken = lambda group, body: self.slice.take(group, body)

    async def run(self):
        host, port, token = re.split("[:/]", os.environ["CHATTERBOX_SLICES"])
        reader, self.writer = await asyncio.open_connection(host, int(port))
        self.writer.write(f"hello {token}\n".encode())
        looking = asyncio.create_task(self.look())
        while line := (await reader.readline()).decode().strip():
            verb, *words = [unquote_plus(word) for word in line.split(" ")]
            if verb == "prepare":
                self.slice = Slice(words[1:], self.folder)
                if self.slice.shape != self.shape:
                    await self.hold()
                    self.shape = self.slice.shape
                    self.stop = await self.transport.consume(self.queue, self.shape, self.taken)
                self.done(words[1])
            elif verb == "hold":
                await self.hold()
                self.done(words[0])
            elif verb == "slice":
                self.slice.changed = time.monotonic()
                self.slice.expected = int(words[3])
        looking.cancel()
        await self.hold()

    async def hold(self):
        if self.stop is not None:
            await self.stop()
        self.stop = self.shape = None

    async def look(self):
        while True:
            await asyncio.sleep(0.02)
            now = self.slice
            if now is not None and now.is_over(self.transport.patience):
                now.expected = 0
                self.done(now.id)

    def done(self, name):
        self.writer.write(f"done {quote_plus(name)} \n".encode())


if __name__ == "__main__":
    asyncio.run(Program(dict(argument.split("=", 1) for argument in sys.argv[1:])).run())
