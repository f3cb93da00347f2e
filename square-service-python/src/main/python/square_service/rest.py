"""GET /api/square/unary/{number} on Granian by its own protocol, RSGI."""

import asyncio

from square_service import web
from square_service.admin import JSON, Admin, problem
from square_service.settings import text
from square_service.squares import Refused, Squares

PATH = "/api/square/unary/"
HEADERS = [("content-type", JSON)]


class RestResponder:
    def __init__(self, squares):
        self.squares = squares
        self.admin = Admin(squares, ("granian", "uvloop"))

    async def __call__(self, scope, protocol):
        path = scope.path
        if scope.method != "GET" or not path.startswith(PATH) or "/" in path[len(PATH) :]:
            web.send(protocol, await web.asked(self.admin, scope, protocol))
            return
        try:
            square, delay = self.squares.answer_digits(path[len(PATH) :])
        except Refused as e:
            web.send(protocol, problem(400, str(e)))
            return
        if square is None:
            # The requester waits for as long as it likes.
            await protocol.client_disconnect()
            return
        if delay:
            await asyncio.sleep(delay)
        protocol.response_str(200, HEADERS, square)


async def respond(stop):
    squares = Squares.told(text("CHATTERBOX_RESPONDER", "square-service-rest-python"))
    await web.serve(RestResponder(squares), stop)


def main():
    web.start(respond)
