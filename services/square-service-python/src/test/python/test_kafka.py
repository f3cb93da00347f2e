import asyncio
import unittest
from unittest import mock

from square_service import kafka, web

# Seconds; only a test that fails waits for so long.
PATIENCE = 10


async def serve(app, stop):
    """Serves nothing, until the process is to end."""
    await stop.wait()


class Respond(unittest.IsolatedAsyncioTestCase):
    async def test_ends_the_process_when_the_thread_that_answers_has_failed(self):
        responder = mock.Mock()
        responder.run.side_effect = RuntimeError("the consumer is broken")
        with (
            mock.patch.object(kafka, "KafkaResponder", return_value=responder),
            mock.patch.object(web, "serve", serve),
            self.assertRaisesRegex(RuntimeError, "the consumer is broken"),
        ):
            await asyncio.wait_for(kafka.respond(asyncio.Event()), PATIENCE)


if __name__ == "__main__":
    unittest.main()
