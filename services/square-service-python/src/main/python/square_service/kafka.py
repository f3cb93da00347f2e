"""Answers what is sent to the topic of requests, as a member of a group, with spring-kafka's own header names."""

import asyncio
import heapq
import itertools
import logging
import re
import threading
import time

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from square_service import traces, web
from square_service.admin import Admin
from square_service.settings import text
from square_service.squares import Refused, Squares

CORRELATION_ID = "kafka_correlationId"
REPLY_TOPIC = "kafka_replyTopic"
REPLY_PARTITION = "kafka_replyPartition"

# As many responders can share the work as there are partitions; more of them would split batches further.
PARTITIONS = 4

# As the responder in Java: a bound in bytes keeps the disk free.
RETENTION = {"retention.ms": "600000", "retention.bytes": "268435456", "segment.bytes": "67108864"}

# Seconds for which it waits for a request: what is held back, and the word to end, wait no longer.
WAIT = 0.1

# Seconds for the replies to a batch of requests to be stored. Replies that cannot be sent keep others waiting no longer;
# and while these are on their way, the next batch gathers.
STORED = 0.002

# Once a second it waits for so long, so that under steady load too there is a moment at which all of them are stored.
ALL_STORED = 0.05

# Seconds for replies that are on their way when it ends.
FLUSH = 2

LEGAL_NAME = re.compile(rb"[a-zA-Z0-9._-]{1,249}")

# The library keeps what it knows of each topic for as long as it lives; this bounds what made-up names can take.
MOST_TOPICS = 1000

ANY_PARTITION = -1

CLIENT = {
    # It would tell of each attempt to connect; what matters is told here.
    "log_level": 0,
    # A broker that comes back is found within a second.
    "reconnect.backoff.max.ms": 1000,
}

CONSUMER = {
    # A request that came before the group's first member is answered too.
    "auto.offset.reset": "earliest",
    # At least once: a responder that dies answers again what it answered in its last second or two. What is committed
    # is what has replies that are stored, not what was fetched.
    "auto.commit.interval.ms": 1000,
    "enable.auto.offset.store": False,
    # What a responder that dies leaves behind waits for so long; 45 s is the default, and this the least that a broker
    # takes. Where the broker is away for longer, librdkafka joins as a new member (Java's client as the one that it was),
    # and the group waits out the old one: so it answers within ten seconds of a broker's return.
    "session.timeout.ms": 6000,
    # Who joins or leaves is known to the others within so much; 3 s by default.
    "heartbeat.interval.ms": 1000,
}

PRODUCER = {
    "acks": "all",
    # Replies to a batch of requests leave together, when they are flushed. Without that a reply waits for so long; with
    # 0 librdkafka makes a batch of almost every single one, which cost the broker eight times as much.
    "linger.ms": 5,
    # A reply is worth nothing after its requester's deadline.
    "message.timeout.ms": 5000,
    # A topic that a second's look-ups do not find is missing.
    "topic.metadata.propagation.max.ms": 1000,
    "delivery.report.only.error": True,
}

# Messages that are taken before others have their turn.
BATCH = 500

log = logging.getLogger("square_service")


def polled(consumer, wait):
    """Messages; it waits for the first one only, where consume() alone would wait for as many as it was asked for."""
    first = consumer.poll(wait)
    messages = [] if first is None else [first, *consumer.consume(BATCH - 1, 0)]
    return [message for message in messages if message.error() is None]


def store(consumer, last):
    """Notes that these, and all before them, are done; they are committed later."""
    while last:
        try:
            consumer.store_offsets(last.popitem()[1])
        except KafkaException:
            # The partition went to another member meanwhile, which takes the message again.
            pass


class Replies:
    """Sends to whatever topic and partition a request names. Used on one thread.

    The library looks topics up in the background, so one that does not exist holds up no other's replies.
    """

    def __init__(self, settings, squares):
        self._settings = {**settings, "on_delivery": self._failed}
        self._squares = squares
        self._producer = Producer(self._settings)
        self._topics = set()
        # Producers that were replaced, until their last replies are sent.
        self._retired = []

    def send(self, topic, partition, correlation, value, work, *headers):
        """work is None where the call is not traced."""
        if not LEGAL_NAME.fullmatch(topic):
            self._squares.undeliverable("the reply topic's name is none that a topic can have")
            return
        if topic not in self._topics:
            if len(self._topics) >= MOST_TOPICS:
                self._retired.append(self._producer)
                self._producer = Producer(self._settings)
                self._topics.clear()
            self._topics.add(topic)
        if correlation is not None:
            headers = (*headers, (CORRELATION_ID, correlation))
        if work is not None:
            headers = (*headers, (traces.WORK, work.end().encode()))
        try:
            self._producer.produce(topic.decode(), value, partition=partition, headers=list(headers))
        except (BufferError, KafkaException) as e:
            self._squares.undeliverable(e)

    def _failed(self, error, message):
        if error is not None:
            self._squares.undeliverable(f"partition {message.partition()} of {message.topic()}: {error}")

    def serve(self, wait):
        """Sends what waits, and hears of what could not be sent. Returns whether all is stored that could be."""
        left = self._producer.flush(wait)
        if self._retired:
            for producer in self._retired:
                producer.poll(0)
            self._retired = [producer for producer in self._retired if len(producer)]
        return left == 0 and not self._retired


class KafkaResponder:
    """Waits for the broker for as long as it takes. Its clients are used on a thread of its own, but for the health."""

    def __init__(self, squares):
        self.squares = squares
        self.servers = text("KAFKA_BOOTSTRAP_SERVERS", "localhost:9092")
        self.topic = text("KAFKA_REQUEST_TOPIC", "square.requests")
        self.group = text("KAFKA_GROUP", "square-service")
        self.client = {**CLIENT, "bootstrap.servers": self.servers}
        self.admin = AdminClient(self.client)
        self.replies = Replies({**self.client, **PRODUCER}, squares)
        self.stopping = threading.Event()
        self.joined = False
        self.warned = False
        # What is held back: when to send, a number for those of the same moment, and the reply.
        self.delayed = []
        self.order = itertools.count()
        # When the last of all that was ever held back is to be sent.
        self.latest = 0.0

    def run(self):
        if not self.make_topic(self.topic, PARTITIONS):
            return
        consumer = Consumer({**self.client, **CONSUMER, "group.id": self.group})
        consumer.subscribe([self.topic], on_assign=self.assigned, on_lost=self.lost)
        # The last request of each partition.
        last = {}
        # The same of an earlier moment. They are done when all is sent that was held back then, and is stored.
        earlier, due = {}, 0.0
        waited_at = time.monotonic()
        while not self.stopping.is_set():
            # So many requests are answered before replies are looked after and the others' turn comes.
            for request in polled(consumer, self.patience()):
                self.answer(request)
                last[request.topic(), request.partition()] = request
            if not earlier:
                earlier, due, last = last, self.latest, {}
            now = time.monotonic()
            while self.delayed and self.delayed[0][0] <= now:
                self.replies.send(*heapq.heappop(self.delayed)[2])
            patience = STORED
            if now - waited_at > 1:
                patience = ALL_STORED
                waited_at = now
            if self.replies.serve(patience) and due <= now:
                store(consumer, earlier)
        if self.replies.serve(FLUSH) and not self.delayed:
            store(consumer, earlier)
            store(consumer, last)
        # Commits what was answered, and leaves the group.
        consumer.close()

    def make_topic(self, topic, partitions):
        """Returns whether it is there; False where the word to end came first."""
        while not self.stopping.is_set():
            try:
                wanted = NewTopic(topic, partitions, config=RETENTION)
                self.admin.create_topics([wanted], request_timeout=1)[topic].result()
                return True
            except KafkaException as e:
                if e.args[0].code() == KafkaError.TOPIC_ALREADY_EXISTS:
                    return True
                if not self.warned:
                    self.warned = True
                    log.warning("No Kafka broker answers at %s yet (%s); keeps trying", self.servers, e)
            self.stopping.wait(WAIT)
        return False

    def assigned(self, consumer, partitions):
        self.joined = True
        log.info("Answers %s", ", ".join(f"{each.topic}-{each.partition}" for each in partitions) or "no partition")

    def lost(self, consumer, partitions):
        self.joined = False
        log.info("No longer answers: the group went on without this responder")

    def patience(self):
        return max(0.0, min(WAIT, self.delayed[0][0] - time.monotonic())) if self.delayed else WAIT

    def answer(self, message):
        """Never raises and never waits: a request that is at fault must not hold up those behind it."""
        headers = dict(message.headers() or ())
        topic = headers.get(REPLY_TOPIC)
        partition = reply_partition(headers)
        correlation = headers.get(CORRELATION_ID)
        work = traces.begin(self.squares.name, headers.get(traces.PARENT))
        try:
            if partition is None:
                topic = None
                raise self.squares.refused(f"{REPLY_PARTITION} must be a 4-byte integer from 0")
            if topic is None:
                raise self.squares.refused(f"it names no topic to reply to in {REPLY_TOPIC}")
            if correlation is None:
                raise self.squares.refused(f"it has no {CORRELATION_ID}")
            if message.value() is None:
                raise self.squares.refused("it has no value")
            answer, delay = self.squares.answer(message.value())
        except Refused as e:
            if topic is not None:
                error = (("chatterbox_error", str(e).encode()), ("chatterbox_error_code", b"400"))
                self.replies.send(topic, partition, correlation, b"", work, *error)
            return
        reply = (topic, partition, correlation, answer, work)
        if delay:
            until = time.monotonic() + delay
            self.latest = max(self.latest, until)
            heapq.heappush(self.delayed, (until, next(self.order), reply))
        elif answer is not None:
            self.replies.send(*reply)

    async def trouble(self):
        """Asks the broker, for at most a second; a member without a partition is well too."""
        reason = None if self.joined else "has not joined the group of the responders"
        try:
            await asyncio.to_thread(self.admin.list_topics, timeout=1)
        except KafkaException:
            reason = f"no broker answers at {self.servers}; it keeps trying"
        return reason, {"servers": self.servers}


def reply_partition(headers):
    """None where it is none."""
    if REPLY_PARTITION not in headers:
        return ANY_PARTITION
    value = headers[REPLY_PARTITION]
    if value is None or len(value) != 4:
        return None
    partition = int.from_bytes(value, "big", signed=True)
    return partition if partition >= 0 else None


async def respond(stop):
    responder = KafkaResponder(Squares.of_environment(text("CHATTERBOX_RESPONDER", "square-service-kafka-python")))
    running = asyncio.ensure_future(asyncio.to_thread(responder.run))
    # If it fails, the process is to end, so that whoever looks after it starts another one.
    running.add_done_callback(lambda ended: stop.set())
    admin = Admin(responder.squares, ("confluent-kafka", "protobuf"), responder.trouble)
    await web.serve(web.admin_app(admin), stop)
    responder.stopping.set()
    await asyncio.wait([running], timeout=2 * FLUSH)
    if running.done():
        running.result()


def main():
    web.start(respond)
