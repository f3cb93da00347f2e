const KEY = 'chatterbox.races';
const KEPT = 300;

/** Calls over a variant before which its times say more about start-up than about the variant: see docs/workshop.md. */
export const WARM_CALLS = 10_000;

export const isCold = (callsBefore) => callsBefore != null && callsBefore < WARM_CALLS;

/** The races of this tab, the oldest first. They outlive a reload, where the browser lets them. */
export class RaceHistory {
  #races = stored();

  /** Keeps a race that is over. */
  add(lanes) {
    const variants = lanes.map(({ variant, seconds, callsBefore }) => ({ variant, seconds, cold: isCold(callsBefore) }));
    this.#races = [...this.#races, { n: lanes[0].n, variants }].slice(-KEPT);
    this.#store();
  }

  clear() {
    this.#races = [];
    this.#store();
  }

  get length() {
    return this.#races.length;
  }

  /** Of the latest race: the number of calls. */
  get latestSize() {
    return this.#races.at(-1)?.n;
  }

  /** The numbers of calls that were raced, ascending. */
  sizes() {
    return [...new Set(this.#races.map((race) => race.n))].sort((a, b) => a - b);
  }

  /** What the races of `n` calls gave for each variant, by name. */
  summaries(n) {
    const entries = this.#races.filter((race) => race.n === n).flatMap((race) => race.variants);
    return [...new Set(entries.map((entry) => entry.variant))].sort().map((variant) =>
      ({ variant, ...summary(entries.filter((entry) => entry.variant === variant)) }));
  }

  #store() {
    try { sessionStorage.setItem(KEY, JSON.stringify(this.#races)); } catch { /* forbidden, as in private windows */ }
  }
}

function stored() {
  try { return JSON.parse(sessionStorage.getItem(KEY)) ?? []; } catch { return []; }
}

/** Median, least and most of those that were answered right and not cold; null where there are none. Seconds. */
export function summary(entries) {
  const right = entries.filter((entry) => entry.seconds != null);
  const times = right.filter((entry) => !entry.cold).map((entry) => entry.seconds).sort((a, b) => a - b);
  const middle = times.length / 2;
  return {
    entries: right,
    warm: times.length,
    cold: right.length - times.length,
    failed: entries.length - right.length,
    median: times.length ? (times[Math.ceil(middle) - 1] + times[Math.floor(middle)]) / 2 : null,
    least: times[0] ?? null,
    most: times.at(-1) ?? null,
  };
}
