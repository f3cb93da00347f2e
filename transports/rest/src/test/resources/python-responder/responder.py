"""The square calculator over REST, with Python's standard library alone.

Told by its environment: PORT, CHATTERBOX_RESPONDER, CHATTERBOX_FAULTS_TOKEN, CHATTERBOX_FAULTS_DELAY, _DROP and _WRONG.
"""

import hmac
import ipaddress
import json
import os
import random
import re
import sys
import threading
import time
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

NAME = os.environ.get("CHATTERBOX_RESPONDER", "square-service-python")
TOKEN = os.environ.get("CHATTERBOX_FAULTS_TOKEN", "")
LARGEST = 2**31 - 1
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400, "": 1e-3}
ISO_8601 = re.compile(r"(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")


def seconds(text):
    """A duration as 20ms or as PT0.02S, in seconds."""
    simple = re.fullmatch(r"([+-]?\d+)(ns|us|ms|s|m|h|d|)", text)
    if simple:
        return round(int(simple[1]) * UNITS[simple[2]], 9)
    iso = ISO_8601.fullmatch(text)
    if not iso or text.endswith("T"):
        raise ValueError(f"'{text}' is not a duration")
    total = int(iso[2] or 0) * 3600 + int(iso[3] or 0) * 60 + float(iso[4] or 0)
    return -total if iso[1] else total


@dataclass(frozen=True)
class Faults:
    """The delay of every answer in seconds, and the probabilities that one is dropped or one too large."""

    delay: float = 0.0
    drop: float = 0.0
    wrong: float = 0.0

    def __post_init__(self):
        if not 0 <= self.delay <= 3600:
            raise ValueError(f"delay must be 0s to 1h, but it is {self.delay} s")
        for name in ("drop", "wrong"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be 0 to 1, but it is {getattr(self, name)}")

    def changed(self, members):
        if not isinstance(members, dict):
            raise ValueError("the body must be a JSON object")
        values = {}
        for name, value in members.items():
            if name == "delay" and isinstance(value, str):
                values[name] = seconds(value)
            elif name in ("drop", "wrong") and isinstance(value, (int, float)) and not isinstance(value, bool):
                values[name] = float(value)
            else:
                raise ValueError(f"{name} cannot be {value!r}")
        return replace(self, **values)

    def members(self):
        return {"delay": f"PT{self.delay:.9f}".rstrip("0").rstrip(".") + "S", "drop": self.drop, "wrong": self.wrong}


class Squares:
    """What becomes of each request; counted for Prometheus."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = dict.fromkeys(("ok", "wrong", "dropped", "invalid", "undeliverable"), 0)
        self.faults = Faults(
            seconds(os.environ.get("CHATTERBOX_FAULTS_DELAY", "0ms")),
            float(os.environ.get("CHATTERBOX_FAULTS_DROP", "0")),
            float(os.environ.get("CHATTERBOX_FAULTS_WRONG", "0")),
        )
        if self.faults != Faults():
            self.log_faults()

    def count(self, outcome):
        with self.lock:
            self.counts[outcome] += 1
            return self.counts[outcome]

    def change(self, members):
        with self.lock:
            changed = self.faults.changed(members)
            if changed != self.faults:
                self.faults = changed
                self.log_faults()
            return changed

    def log_faults(self):
        on = self.faults != Faults()
        log(f"{NAME} fails on demand: {self.faults}" if on else f"{NAME} no longer fails on demand")

    def answer(self, number):
        """The square, or None where the request is to be dropped. ValueError where there is no such number."""
        if not re.fullmatch("[1-9][0-9]{0,9}", number, re.ASCII) or int(number) > LARGEST:
            reason = f"the number must be 1 to {LARGEST}, but it is '{number}'"
            if self.count("invalid") == 1:
                log(f"An invalid request: {reason} (further ones are only counted)")
            raise ValueError(reason)
        faults = self.faults
        if random.random() < faults.drop:
            self.count("dropped")
            return None
        if faults.delay:
            time.sleep(faults.delay)
        wrong = random.random() < faults.wrong
        self.count("wrong" if wrong else "ok")
        return int(number) ** 2 + wrong

    def metrics(self):
        with self.lock:
            counts, faults = dict(self.counts), self.faults
        lines = ["# TYPE chatterbox_squares_total counter"]
        lines += [f'chatterbox_squares_total{{responder="{NAME}",outcome="{o}"}} {n}' for o, n in counts.items()]
        lines += ["# TYPE chatterbox_faults gauge"]
        lines += [f'chatterbox_faults{{fault="{f}"}} {getattr(faults, f)}' for f in ("delay", "drop", "wrong")]
        return "\n".join(lines) + "\n"


def log(text):
    print(text, flush=True)


SQUARES = Squares()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/health":
            self.reply(200, "application/json", '{"status":"UP"}')
        elif path == "/metrics":
            self.reply(200, "text/plain; version=0.0.4; charset=utf-8", SQUARES.metrics())
        elif path == "/faults" and self.may_see_faults():
            self.reply_faults(SQUARES.faults)
        elif path.startswith("/api/square/unary/"):
            self.square(path[len("/api/square/unary/"):])
        else:
            self.problem(404, "there is nothing here")

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if urlsplit(self.path).path == "/faults" and self.may_see_faults():
            try:
                self.reply_faults(SQUARES.change(json.loads(body)))
            except ValueError as e:
                self.problem(400, str(e))
        else:
            self.other_method()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.other_method()

    do_DELETE = do_PATCH = do_POST

    def other_method(self):
        if re.fullmatch("/api/square/unary/[^/]+", urlsplit(self.path).path):
            self.problem(405, "only GET is supported", ("Allow", "GET"))
        else:
            self.problem(404, "there is nothing here")

    def square(self, segment):
        if "/" in segment:
            self.problem(404, "there is nothing here")
            return
        if re.search("%(?![0-9a-fA-F]{2})", segment):
            self.problem(400, "a percent sign must be followed by two hexadecimal digits")
            return
        try:
            square = SQUARES.answer(unquote(segment))
        except ValueError as e:
            self.problem(400, str(e))
            return
        if square is None:
            # The requester waits for as long as it likes.
            self.rfile.read(1)
            self.close_connection = True
        else:
            self.reply(200, "application/json", str(square))

    def may_see_faults(self):
        peer = ipaddress.ip_address(self.client_address[0])
        authorization = self.headers.get("Authorization", "")
        return (
            TOKEN != "" and peer.is_loopback and hmac.compare_digest(authorization.encode(), f"Bearer {TOKEN}".encode())
        )

    def reply_faults(self, faults):
        self.reply(200, "application/json", json.dumps(faults.members()))

    def problem(self, status, detail, *headers):
        problem = {"status": status, "title": self.responses[status][0], "detail": detail}
        self.reply(status, "application/problem+json", json.dumps(problem, ensure_ascii=False), *headers)

    def reply(self, status, content_type, text, *headers):
        body = text.encode()
        self.send_response(status)
        for header, value in (("Content-Type", content_type), ("Content-Length", str(len(body))), *headers):
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        # A requester that went away: its thread ends, and there is nobody to tell.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


Server(("127.0.0.1", int(os.environ.get("PORT", "7575"))), Handler).serve_forever()
