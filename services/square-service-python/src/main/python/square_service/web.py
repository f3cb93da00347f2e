"""Serves HTTP on the event loop of the responder, until it is told to end."""

import asyncio
import logging
import os
import signal

import uvloop
from granian.constants import Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from square_service import traces
from square_service.settings import text

# The connections of a hundred users, and of those who look.
BACKLOG = 1024

# In milliseconds, also between two requests of a connection: longer than requesters keep idle ones, so that none is
# closed just when it is used.
HEADER_TIMEOUT = 60_000


def start(responder):
    """Runs a coroutine function, which is given what is set when the process is to end, and ends the process."""
    status = 1
    try:
        # Not uvloop.run(), which waits for threads: of Kafka's consumer for a minute, where the broker has just gone.
        uvloop.new_event_loop().run_until_complete(until_told(responder))
        status = 0
    except Exception:
        logging.getLogger("square_service").exception("It ends")
    traces.stop()
    # At once: threads of the libraries may still look a name up.
    logging.shutdown()
    os._exit(status)


async def until_told(responder):
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await responder(stop)


async def serve(app, stop):
    """Serves an RSGI application until stop is set. The port is that of SERVER_PORT."""
    server = Server(
        app,
        address=text("SERVER_ADDRESS", "127.0.0.1"),
        port=int(text("SERVER_PORT", "7601")),
        interface=Interfaces.RSGI,
        websockets=False,
        backlog=BACKLOG,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_TIMEOUT),
        log_enabled=False,
    )
    serving = asyncio.create_task(server.serve())
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        # Its port is taken, say.
        await serving
        raise RuntimeError("the HTTP server has ended")
    server.stop()
    await asyncio.wait((serving,), timeout=2)


def send(protocol, answer):
    protocol.response_str(answer.status, [("content-type", answer.content_type), *answer.headers], answer.body)


def admin_app(admin):
    """An RSGI application that has nothing else."""

    async def app(scope, protocol):
        send(protocol, await asked(admin, scope, protocol))

    return app


async def asked(admin, scope, protocol):
    peer = scope.client.rpartition(":")[0].strip("[]")
    return await admin.answer(scope.method, scope.path, peer, scope.headers.get("authorization"), protocol)
