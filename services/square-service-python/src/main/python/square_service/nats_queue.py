"""The exchange queue over core NATS, as a member of a queue group."""

import asyncio
import contextlib

from nats.aio.client import Client
from nats.errors import Error

# Seconds for the last reports to leave.
FLUSH = 1


class NatsQueue:
    """A connection of its own, which requests do not use: the server may end it because messages come too fast.
    Used on the event loop's thread.
    """

    def __init__(self, subject, group):
        self.queue = f"{subject}.queue"
        self.group = group
        self.client = Client()

    async def hear(self, told, **options):
        """Connects, for as long as that takes, and hears what is told of runs. The options are those of the client."""

        async def heard(message):
            await told(message.data)

        async def failed(error):
            """The connection of the requests tells of it."""

        await self.client.connect(error_cb=failed, **options)
        await self.client.subscribe(f"{self.queue}.runs", cb=heard)

    async def consume(self, consumed):
        async def taken(message):
            report = consumed.take(message.data)
            if report is not None:
                await self.tell(report)
                # Where messages wait, nats-py hands over one after the other, and sends nothing meanwhile.
                await asyncio.sleep(0)

        run = consumed.run
        subject = f"{self.queue}.topic.*" if run.topics > 1 else self.queue
        consumers = [
            await self.client.subscribe(subject, queue=self.group + consumed.suffix, cb=taken)
            for _ in range(run.consumers)
        ]
        await self.client.flush()

        async def stop():
            while consumers:
                await consumers.pop().unsubscribe()

        return stop

    async def tell(self, report):
        await self.client.publish(f"{self.queue}.reports", report)

    async def close(self):
        with contextlib.suppress(Error, asyncio.TimeoutError):
            await self.client.flush(FLUSH)
        await self.client.close()
