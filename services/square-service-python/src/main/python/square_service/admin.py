"""What every responder says of itself over HTTP: health, information, figures, faults."""

import hmac
import http
import ipaddress
import json
import os
import platform
import re
import time
from dataclasses import dataclass
from importlib.metadata import version

from square_service.settings import SettingsError, text

JSON = "application/json"
PROBLEM = "application/problem+json"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
STARTED = time.time()


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    body: str
    headers: tuple = ()


def problem(status, detail, *headers):
    members = {"status": status, "title": http.HTTPStatus(status).phrase, "detail": detail}
    return Answer(status, PROBLEM, to_json(members), headers)


def to_json(members):
    return json.dumps(members, separators=(",", ":"))


class Admin:
    """Used on the event loop's thread."""

    def __init__(self, squares, libraries, trouble=None):
        """libraries: those that matter, by the names of their packages.

        trouble: a coroutine function that tells why no request can be answered, or None, and what it looks for.
        """
        self._squares = squares
        self._libraries = {name: version(name) for name in libraries}
        self._trouble = trouble
        self._token = text("CHATTERBOX_FAULTS_TOKEN", "")
        self._process = text("METRICS_PROCESS", "")

    async def answer(self, method, path, peer, authorization, read):
        """peer: its address; authorization: the header, or None; read: a coroutine function that reads the body."""
        if path == "/faults" and method in ("GET", "PUT") and self._permits(peer, authorization):
            return self._changed(await read()) if method == "PUT" else self._faults()
        if re.fullmatch("/api/square/unary/[^/]+", path):
            return problem(405, "only GET is supported", ("allow", "GET"))
        if method == "GET" and path == "/actuator/health":
            return await self._health()
        if method == "GET" and path == "/actuator/info":
            return Answer(200, JSON, to_json(self._info()))
        if method == "GET" and path == "/actuator/prometheus":
            return Answer(200, PROMETHEUS, self._figures())
        return problem(404, "there is nothing here")

    def _permits(self, peer, authorization):
        """A peer on this machine that has the token; in a time that does not depend on how much of it is right."""
        expected = f"Bearer {self._token}".encode()
        return (
            self._token != ""
            and ipaddress.ip_address(peer).is_loopback
            and hmac.compare_digest((authorization or "").encode(), expected)
        )

    def _faults(self):
        return Answer(200, JSON, to_json(self._squares.faults.members()))

    def _changed(self, body):
        try:
            self._squares.change(json.loads(body))
        except SettingsError as e:
            return problem(400, str(e))
        except ValueError as e:
            return problem(400, f"the body must be a JSON object: {e}")
        return self._faults()

    async def _health(self):
        if self._trouble is None:
            return Answer(200, JSON, '{"status":"UP"}')
        reason, details = await self._trouble()
        if reason is None:
            return Answer(200, JSON, to_json({"status": "UP", "details": details}))
        return Answer(503, JSON, to_json({"status": "DOWN", "details": {"reason": reason, **details}}))

    def _info(self):
        return {
            "chatterbox": {"responder": self._squares.name, "faults": self._squares.faults.members()},
            "python": {"version": platform.python_version(), "libraries": self._libraries},
        }

    def _figures(self):
        faults = self._squares.faults
        figures = [
            ("chatterbox_squares_total", "counter", {"responder": self._squares.name, "outcome": outcome}, count)
            for outcome, count in self._squares.counts().items()
        ]
        figures += [
            ("chatterbox_faults", "gauge", {"fault": fault}, getattr(faults, fault))
            for fault in ("delay", "drop", "wrong")
        ]
        figures += [
            ("process_cpu_time_ns_total", "counter", {}, time.process_time_ns()),
            ("process_start_time_seconds", "gauge", {}, STARTED),
            ("process_uptime_seconds", "gauge", {}, time.time() - STARTED),
        ]
        figures += [("process_resident_memory_bytes", "gauge", {}, memory) for memory in resident_memory()]
        lines, last = [], None
        for name, kind, labels, value in figures:
            if name != last:
                lines.append(f"# TYPE {name} {kind}")
                last = name
            # In containers nothing else says whose figures they are.
            if self._process:
                labels = {**labels, "process": self._process}
            pairs = ",".join(f'{label}="{word}"' for label, word in labels.items())
            lines.append(f"{name}{{{pairs}}} {value}" if pairs else f"{name} {value}")
        return "\n".join(lines) + "\n"


def resident_memory():
    """In bytes; nothing where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as pages:
            return [int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")]
    except OSError:
        return []
