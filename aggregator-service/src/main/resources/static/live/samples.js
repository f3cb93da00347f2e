// The last minutes of samples, and what is computed from several of them.

const KEEP_MS = 15 * 60_000;
const KEEP_SAMPLES = 1000; // a second bound, should a sample come more often than once a second
const CPU_SAMPLES = 10;
const CPU_MIN_CALLS_PER_SECOND = 100;

const isActive = (transport) => transport.calls > 0 || transport.requests > 0 || transport.inFlight > 0;

/** The only transport that worked in the sample, or null. */
function soleTransport(sample) {
  const active = Object.keys(sample.transports).filter((name) => isActive(sample.transports[name]));
  return active.length === 1 ? active[0] : null;
}

export class Samples {
  all = [];
  #interrupted = false;

  get latest() {
    return this.all.at(-1);
  }

  /** The next sample does not continue the last one: the lines get a gap between them. */
  interrupt() {
    this.#interrupted = true;
  }

  /** What the aggregator kept; it stands in place of whatever was received here of the same time. */
  addHistory(history) {
    if (!history.length) return;
    this.all = this.all.filter((sample) => sample.time < history[0].time);
    for (const sample of history) this.add(sample);
  }

  add(sample) {
    const last = this.latest;
    if (last && sample.time <= last.time) {
      if (last.time - sample.time < 5000) return; // the same again after a reconnection
      this.all = []; // the clock was set back
    } else if (last && (this.#interrupted || sample.time - last.time > 2500 * sample.seconds)) {
      this.all.push({ time: last.time + 1, seconds: 0, process: {}, transports: {}, sole: null });
    }
    this.#interrupted = false;
    this.all.push({ ...sample, sole: soleTransport(sample) });
    const tooMany = this.all.length - KEEP_SAMPLES;
    const firstKept = this.all.findIndex((s) => s.time >= sample.time - KEEP_MS);
    this.all.splice(0, Math.max(tooMany, firstKept));
  }

  /** Of the transports that have a line in the charts. */
  names() {
    const enabled = ({ transports }) => Object.keys(transports).filter((name) => transports[name].state !== 'disabled');
    return [...new Set(this.all.flatMap(enabled))].sort();
  }

  get hasLoad() {
    return this.all.some((sample) => Object.values(sample.transports).some(isActive));
  }

  /** Seconds of the aggregator's CPU for one call of the transport, or the reason why nobody can say. */
  cpuPerCall(name) {
    const latest = this.latest;
    if (!latest?.transports[name]) return {};
    if (!isActive(latest.transports[name])) return { reason: 'idle' };
    if (latest.sole !== name) return { reason: 'shared' };
    let cpu = 0, calls = 0, seconds = 0;
    for (const sample of this.all.slice(-CPU_SAMPLES).reverse()) {
      if (sample.sole !== name) break;
      cpu += sample.process.cpu * sample.seconds;
      calls += sample.transports[name].calls * sample.seconds;
      seconds += sample.seconds;
    }
    // With fewer, the process's own idle work outweighs the calls.
    return calls < CPU_MIN_CALLS_PER_SECOND * seconds ? { reason: 'few calls' } : { value: cpu / calls, rate: calls / seconds, seconds };
  }
}
