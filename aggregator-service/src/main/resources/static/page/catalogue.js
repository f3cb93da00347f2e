const RETRY_MS = 10_000;

/** GET /transports: which variants there are, and what is to be known of each. */
export class Catalogue {
  problem = ''; // why it could not be read
  #entries = []; #changed; #retry;

  constructor(changed) {
    this.#changed = changed;
  }

  async load() {
    clearTimeout(this.#retry);
    try {
      const response = await fetch('transports', { cache: 'no-store', headers: { Accept: 'application/json' } });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      this.#entries = await response.json();
      this.problem = '';
    } catch (e) {
      this.problem = `GET /transports failed: ${e.message}. Trying again every ten seconds.`;
      this.#retry = setTimeout(() => this.load(), RETRY_MS);
    }
    this.#changed();
  }

  /** Every variant, with its latest sample over its entry: by name, those that are disabled last. */
  with(live) {
    const entries = new Map(this.#entries.map((entry) => [entry.name, entry]));
    const names = [...new Set([...entries.keys(), ...Object.keys(live)])].sort();
    // A reason belongs to its state: a sample with a state and no reason has none.
    const variants = names.map((name) => ({
      kind: '', state: 'unknown', ...entries.get(name), ...(live[name]?.state && { reason: undefined }), ...live[name], name,
    }));
    const isDisabled = (variant) => variant.state === 'disabled';
    return [...variants.filter((variant) => !isDisabled(variant)), ...variants.filter(isDisabled)];
  }
}
