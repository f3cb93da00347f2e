"""What both proofs share: compose/prove runs the containers, kubernetes/prove the chart. A proof says what it sees, checks it,
and asks an aggregator."""
import dataclasses
import http.client
import json
import pathlib
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
AGGREGATOR_SERVICE = "aggregator-service"
troubles = []


def say(text):
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)


def check(holds, text):
    """Goes on after a failed check, so that one run shows everything that is wrong."""
    say(("ok      " if holds else "WRONG   ") + text)
    if not holds:
        troubles.append(text)


def first(faults):
    """The first three of several faults, as the end of a line."""
    return "".join(f"; {fault}" for fault in faults[:3]) + (f" and {len(faults) - 3} more" if len(faults) > 3 else "")


@dataclasses.dataclass
class Variant:
    """A variant as its file describes it. `responder` and `broker` are names of services of compose.yaml; empty if the variant has none."""

    name: str
    transport: str
    group: str
    kind: str
    responder: str
    program: str  # the folder of the responder's program
    broker: str
    nodes: list  # the names of services of compose.yaml that are the broker: one, those of a cluster, or none
    settings: dict

    def processes(self):
        """The processes that work for the variant, by the process exporter's names."""
        return {AGGREGATOR_SERVICE, *([self.responder] if self.responder else []), *([f"{self.broker}-broker"] if self.broker else [])}

    @property
    def image(self):
        """The variable of .env that has the image of its broker."""
        return f"{self.nodes[0].rstrip('-123456789').upper()}_IMAGE" if self.nodes else ""

    def services(self):
        """The services of compose.yaml that work for the variant."""
        return {AGGREGATOR_SERVICE, self.responder, *self.nodes} - {""}


def properties(file):
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return {key.strip(): text.strip() for key, _, text in (line.partition("=") for line in lines if line and not line.startswith("#"))}


def read_variants():
    files = {file.stem: properties(file) for file in sorted((ROOT / "variants").glob("*.properties"))}
    variants = {}
    for name, own in files.items():
        # A variant inherits the settings that its own file does not have.
        base = files[own["transport"]] if own["transport"] != name else {}
        settings = {**{key: text for key, text in base.items() if key not in ("about", "group")}, **own}
        program, broker = settings.get("responder", ""), settings.get("broker", "")
        # A cluster's nodes have the name of the single broker, with which the cluster's name begins.
        nodes = [f"{base['broker']}-{number}" for number in range(1, int(own["broker.nodes"]) + 1)] if "broker.nodes" in own else [broker] * bool(broker)
        variants[name] = Variant(name, own["transport"], settings.get("group", "all"), settings["kind"], settings.get("responder.name", program.rsplit("/", 1)[-1]), program,
                         broker, nodes, settings)
    return variants


VARIANTS = read_variants()


def of_each_transport():
    """One variant of each transport, without those that a user must ask for."""
    return [variant for variant in VARIANTS.values() if variant.name == variant.transport and variant.group in ("default", "all")]


def get(url, timeout=10):
    with urllib.request.urlopen(url, timeout=timeout) as response:
        return response.read()


@dataclasses.dataclass
class Aggregator:
    """The aggregator, asked as a client asks it."""

    url: str

    def fault(self, variant, calls):
        """What is wrong with the answer to a request; empty if it is right."""
        try:
            # Longer than the deadline of a call.
            answer = get(f"{self.url}/{variant}/square/unary/{calls}", timeout=15)
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read().decode(errors='replace').strip()}"
        except (OSError, http.client.HTTPException) as error:
            return repr(error)
        wanted = ("[" + ",".join(f'{{"{k}":{k * k}}}' for k in range(1, calls + 1)) + "]").encode()
        return "" if answer == wanted else f"{WRONG}: {answer[:200]!r}"

    def transports(self):
        """What the aggregator says of its variants; empty if it does not answer."""
        try:
            return json.loads(get(f"{self.url}/transports"))
        except (OSError, http.client.HTTPException, ValueError):
            return []

    def connected(self, variants, within):
        """Waits until the aggregator says that each of these variants is up, and it has no other."""
        deadline, states, wanted = time.time() + within, {}, {variant: "up" for variant in variants}
        while states != wanted and time.time() < deadline:
            time.sleep(0.5)
            states = {one["name"]: one["state"] for one in self.transports()}
        check(states == wanted, f"all variants are up within {within} s: {states}")


# An answer that has other squares. No fault may ever bring one.
WRONG = "not the squares"


class Prober(threading.Thread):
    """Asks one variant again and again, after some seconds each, and keeps for each answer what was wrong with it, and its time."""

    def __init__(self, aggregator, variant, pause=0.05):
        super().__init__(daemon=True)
        self.aggregator, self.variant, self.pause, self.answers, self.stopping = aggregator, variant, pause, [], False
        self.start()

    def run(self):
        while not self.stopping:
            self.answers.append((self.aggregator.fault(self.variant, 100), time.time()))
            time.sleep(self.pause)

    def end(self):
        self.stopping = True
        self.join()

    def troubles(self, since=0.0, until=float("inf")):
        """The faults of answers that came in this time, each with its time."""
        return [(trouble, at) for trouble, at in self.answers if trouble and since <= at < until]

    def back(self, since):
        """The time of the first right answer after the last wrong one since `since`; None if there is none."""
        last = max([since, *(at for _, at in self.troubles(since))])
        return next((at for trouble, at in self.answers if not trouble and at >= last), None)


def probe(aggregator, variants):
    """Starts a prober for each. More than three ask together as often as three: else they take both processors of a small machine."""
    return [Prober(aggregator, variant, 0.05 * max(1, len(variants) / 3)) for variant in variants]
