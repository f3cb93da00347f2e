"""GET /api/square/unary/{number}, and POST for protobuf, on Granian by its own protocol, RSGI."""

import asyncio

from square_service import traces, web
from square_service.admin import JSON, Admin, problem
from square_service.settings import text
from square_service.squares import Refused, Squares

PATH = "/api/square/unary/"
HEADERS = [("content-type", JSON)]
PROTOBUF = [("content-type", "application/x-protobuf")]


class RestResponder:
    def __init__(self, squares):
        self.squares = squares
        self.admin = Admin(squares, ("granian", "uvloop"))

    async def __call__(self, scope, protocol):
        path = scope.path
        if scope.method == "POST" and path == PATH[:-1]:
            await self.post(scope, protocol)
            return
        if scope.method != "GET" or not path.startswith(PATH) or "/" in path[len(PATH) :]:
            web.send(protocol, await web.asked(self.admin, scope, protocol))
            return
        work = traces.begin(self.squares.name, scope.headers.get(traces.PARENT))
        try:
            square, delay = self.squares.answer_digits(path[len(PATH) :], scope.query_string)
        except Refused as e:
            web.send(protocol, problem(400, str(e), *worked([], work)))
            return
        if await self.held(protocol, square, delay):
            protocol.response_str(200, worked(HEADERS, work), square)

    async def post(self, scope, protocol):
        """A square.Input, answered by a square.Output."""
        work = traces.begin(self.squares.name, scope.headers.get(traces.PARENT))
        try:
            answer, delay = self.squares.answer(await self.squares.body(protocol))
        except Refused as e:
            web.send(protocol, problem(400, str(e), *worked([], work)))
            return
        if await self.held(protocol, answer, delay):
            protocol.response_bytes(200, worked(PROTOBUF, work), answer)

    @staticmethod
    async def held(protocol, answer, delay):
        """Returns when the answer is to be sent; False where it is not."""
        if answer is None:
            # The requester waits for as long as it likes.
            await protocol.client_disconnect()
            return False
        if delay:
            await asyncio.sleep(delay)
        return True


def worked(headers, work):
    """The headers of a reply."""
    return [*headers, (traces.WORK, work.end())] if work else headers


async def respond(stop):
    squares = Squares.of_environment(text("CHATTERBOX_RESPONDER", "square-service-rest-python"))
    await web.serve(RestResponder(squares), stop)


def main():
    web.start(respond)
