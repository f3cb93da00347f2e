"""GET /api/square/unary/{number}, and POST for protobuf, as FastAPI's documentation shows it first, on uvicorn with its defaults."""

import asyncio

import uvicorn
from fastapi import FastAPI, Request, Response

from square_service.admin import Admin, problem
from square_service.settings import text
from square_service.squares import Refused, Squares

# No pages about itself, and no redirect from a path without a number.
app = FastAPI(openapi_url=None, redirect_slashes=False)
squares = Squares.of_environment(text("CHATTERBOX_RESPONDER", "square-service-rest-python-stock"))
admin = Admin(squares, ("fastapi", "uvicorn", "httptools", "uvloop"))


@app.get("/api/square/unary/")
@app.get("/api/square/unary/{number}")
async def square(request: Request, number: str = ""):
    try:
        digits, delay = squares.answer_digits(number, request.url.query)
    except Refused as e:
        return response(problem(400, str(e)))
    return await held(request, digits, delay) or int(digits)


@app.post("/api/square/unary")
async def square_of_message(request: Request):
    try:
        answer, delay = squares.answer(await squares.body(request.stream()))
    except Refused as e:
        return response(problem(400, str(e)))
    return await held(request, answer, delay) or Response(answer, media_type="application/x-protobuf")


async def held(request, answer, delay):
    """Returns when the answer is to be sent, with another one where it is not."""
    if answer is None:
        # The requester waits for as long as it likes.
        while not await request.is_disconnected():
            await asyncio.sleep(0.1)
        return Response(status_code=204)
    if delay:
        await asyncio.sleep(delay)
    return None


@app.api_route("/{path:path}", methods=["DELETE", "GET", "PATCH", "POST", "PUT"])
async def other(request: Request):
    return response(
        await admin.answer(
            request.method,
            request.url.path,
            request.client.host,
            request.headers.get("authorization"),
            request.body,
        )
    )


def response(answer):
    return Response(answer.body, answer.status, dict(answer.headers), answer.content_type)


def main():
    uvicorn.run(
        app,
        host=text("SERVER_ADDRESS", "127.0.0.1"),
        port=int(text("SERVER_PORT", "7601")),
        # A line per call would fill the disk; and one that is not answered must not keep it from ending.
        access_log=False,
        timeout_graceful_shutdown=2,
    )
