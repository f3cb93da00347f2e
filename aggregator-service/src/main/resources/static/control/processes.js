const KEEP_MS = 12_000;

/** What the control service tells of the processes, over the last seconds. */
export class Processes {
  latest = [];
  #history = []; // [{ at, cpu: Map of name to [cpuSeconds, uptimeSeconds] }], the oldest first
  #back = new Map(); // when a process ran again that did not before, and after how long all variants were right again

  add(processes, at = performance.now()) {
    const before = new Map(this.latest.map((process) => [process.name, process.state]));
    for (const { name, state } of processes) {
      if (state !== 'up') this.#back.delete(name);
      else if ((before.get(name) ?? 'up') !== 'up') this.#back.set(name, { since: at });
    }
    this.latest = processes;
    this.#history.push({ at, cpu: new Map(processes.map((p) => [p.name, [p.cpuSeconds, p.uptimeSeconds]])) });
    while (at - this.#history[0].at > KEEP_MS) this.#history.shift();
  }

  /** Nobody tells of them any more. */
  clear() {
    this.latest = [];
    this.#history = [];
  }

  /** Processors that it used, by its own clocks; null where that cannot be told yet, or it was started again meanwhile. */
  cores(name, seconds = 5) {
    const last = this.#history.at(-1);
    const first = this.#history.find(({ at }) => last.at - at <= seconds * 1000 + 500);
    const [cpu, uptime] = last?.cpu.get(name) ?? [];
    const [cpuBefore, uptimeBefore] = first?.cpu.get(name) ?? [];
    if (cpu == null || cpuBefore == null || !(uptime - uptimeBefore > 0.5) || cpu < cpuBefore) return null;
    return (cpu - cpuBefore) / (uptime - uptimeBefore);
  }

  /** Seconds from its return to that of all variants that need it; null where it never was away, or they are not right yet. */
  recovery(name, variantsAreUp, at = performance.now()) {
    const back = this.#back.get(name);
    if (back && back.took == null && variantsAreUp) back.took = (at - back.since) / 1000;
    return back?.took ?? null;
  }
}

/** The variants that a process is part of. */
export function variantsOf(process, transports) {
  const enabled = transports.filter(({ state }) => state !== 'disabled');
  if (process === 'aggregator-service' || process === 'network') return enabled;
  return enabled.filter(({ responder, broker }) => responder === process || broker === process);
}
