"""Request-reply over core NATS, by the NATS services convention, as a member of a queue group."""

import asyncio
import contextlib
import logging

import nats
from nats.aio.client import Client
from nats.micro import add_service

from square_service import traces, web
from square_service.admin import Admin
from square_service.settings import text
from square_service.squares import Refused, Squares

# Seconds. Back within a second, instead of two, when the server is.
RECONNECT_WAIT = 0.5

# Seconds for the requests that wait here when it stops.
DRAIN = 2

log = logging.getLogger("square_service")


class NatsResponder:
    """Connects and reconnects for ever. Used on the event loop's thread."""

    def __init__(self, squares):
        self.squares = squares
        self.server = text("NATS_SERVER", "nats://localhost:4222")
        self.subject = text("NATS_SUBJECT", "nats.square.service")
        self.queue_group = text("NATS_QUEUE_GROUP", "square-service")
        self.client = Client()
        self.listens = False
        self.warned = False
        # What is held back: a task that nobody refers to may be forgotten.
        self.delayed = set()

    async def connect(self):
        """Until the server is there, however long that takes."""
        await self.client.connect(
            servers=self.server.split(","),
            name=self.squares.name,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RECONNECT_WAIT,
            drain_timeout=DRAIN,
            error_cb=self.failed,
            disconnected_cb=self.disconnected,
            reconnected_cb=self.connected,
        )
        service = await add_service(
            self.client,
            # The aggregator pings the service by the name of its queue group.
            name=self.queue_group,
            version="1.0.0",
            description="Squares a number",
        )
        await service.add_endpoint(
            name="square", subject=self.subject, queue_group=self.queue_group, handler=self.answer
        )
        # A server that stands still just then gets the subscription again when it is back.
        with contextlib.suppress(asyncio.TimeoutError):
            await self.client.flush()
        self.listens = True
        await self.connected()

    async def answer(self, request):
        # A Request does not tell it; and its respond_error() would not tell a reply subject that cannot be.
        reply = request._msg.reply
        if not reply:
            self.squares.refused("it names no subject to reply to")
            return
        headers = request._msg.headers
        work = headers and traces.begin(self.squares.name, headers.get(traces.PARENT))
        try:
            answer, delay = self.squares.answer(request.data)
        except Refused as e:
            worked(work)
            await self.publish(reply, b"", {"Nats-Service-Error": str(e), "Nats-Service-Error-Code": "400"})
            return
        if delay:
            held = asyncio.create_task(self.publish_later(delay, reply, answer, work))
            self.delayed.add(held)
            held.add_done_callback(self.delayed.discard)
        elif answer is not None:
            await self.publish(reply, answer, worked(work))

    async def publish_later(self, delay, reply, answer, work):
        await asyncio.sleep(delay)
        await self.publish(reply, answer, worked(work))

    async def publish(self, subject, body, headers=None):
        """While the connection is away nats-py keeps what is published, up to a bound; then it raises."""
        try:
            await self.client.publish(subject, body, headers=headers)
        except (nats.errors.Error, ValueError) as e:
            self.squares.undeliverable(f"{type(e).__name__} {e}")

    async def trouble(self):
        connected = self.listens and self.client.is_connected
        reason = None if connected else f"not connected to {self.server}; it keeps trying"
        return reason, {"server": self.server}

    async def failed(self, error):
        """nats-py reports each failed attempt to connect: the first one says it all."""
        if isinstance(error, nats.errors.SlowConsumerError):
            log.warning("Requests were dropped: too many wait here")
        elif not self.client.is_connected and not self.warned:
            self.warned = True
            log.warning("No NATS server answers at %s (%s); keeps trying", self.server, error)

    async def connected(self):
        self.warned = False
        log.info("Connected to %s", self.server)

    async def disconnected(self):
        if not self.warned:
            log.info("Disconnected from %s", self.server)

    async def stop(self):
        """Takes no more requests, answers those that wait. Without its server it has none."""
        if self.listens and self.client.is_connected:
            try:
                await asyncio.wait_for(self.client.drain(), 2 * DRAIN)
            except (nats.errors.Error, asyncio.TimeoutError) as e:
                log.warning("Some requests were not answered: %r", e)


def worked(work):
    """The headers of a reply."""
    return {traces.WORK: work.end()} if work else None


async def respond(stop):
    responder = NatsResponder(Squares.of_environment(text("CHATTERBOX_RESPONDER", "square-service-nats-python")))
    connecting = asyncio.create_task(responder.connect())
    # An address that cannot be read, for example, ends it: there is nothing left to serve then.
    connecting.add_done_callback(lambda ended: ended.cancelled() or ended.exception() is None or stop.set())
    admin = Admin(responder.squares, ("nats-py", "protobuf", "uvloop"), responder.trouble)
    await web.serve(web.admin_app(admin), stop)
    if connecting.done():
        connecting.result()
    connecting.cancel()
    await responder.stop()


def main():
    web.start(respond)
