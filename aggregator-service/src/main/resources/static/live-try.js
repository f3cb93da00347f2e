import { byId, children, fill } from './live-dom.js';
import { duration } from './live-format.js';

const TIMEOUT_MS = 60_000;

/** Why the entries are not 1 … n, ascending, each with its square; null if they are. */
function fault(entries, n) {
  if (!Array.isArray(entries)) return 'not an array';
  if (entries.length !== n) return `${entries.length} entries instead of ${n}`;
  const wrong = entries.findIndex((entry, i) => entry[i + 1] !== (i + 1) ** 2 || Object.keys(entry).length !== 1);
  return wrong < 0 ? null : `entry ${wrong + 1} is ${JSON.stringify(entries[wrong])}`;
}

function problemText(response, body) {
  const status = `HTTP ${response.status}`;
  try {
    const { title, detail } = JSON.parse(body);
    return [status, title, detail].filter(Boolean).join(' – ');
  } catch {
    return status; // not a problem detail: a proxy's page, perhaps
  }
}

/** One request, timed from sending to the last byte; never throws. */
async function send(name, n) {
  const start = performance.now();
  try {
    const response = await fetch(`${encodeURIComponent(name)}/square/unary/${encodeURIComponent(n)}`,
      { cache: 'no-store', headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.text();
    const seconds = (performance.now() - start) / 1000;
    if (!response.ok) return { seconds, failed: true, text: '✗ ' + problemText(response, body) };
    const wrong = fault(JSON.parse(body), Number(n));
    if (wrong) return { seconds, failed: true, text: '✗ Wrong answer: ' + wrong };
    return { seconds, text: `✓ ${n} entries in order, every square right` };
  } catch (e) {
    const why = e.name === 'TimeoutError' ? `No answer within ${TIMEOUT_MS / 1000} s` : `No usable answer: ${e.message}`;
    return { failed: true, text: '✗ ' + why };
  }
}

export class TryIt {
  #form; #palette; #names = []; #n; #results = {}; #busy = false;

  constructor(form, palette) {
    this.#form = form;
    this.#palette = palette;
    form.addEventListener('submit', (event) => { event.preventDefault(); this.#run([form.elements.transport?.value]); });
    byId('every').addEventListener('click', () => this.#run(this.#names));
    byId('presets').addEventListener('click', ({ target }) => {
      if (target.tagName === 'BUTTON') form.elements.n.value = target.textContent;
    });
  }

  /** A radio button for each transport; one that is down stays available, to see how it fails. */
  offer(transports) {
    const labels = children(byId('try-transports'), 'choice', transports.map((t) => t.name));
    const radios = labels.map((label) => label.querySelector('input'));
    transports.forEach(({ name, state }, i) => {
      radios[i].value = name;
      radios[i].disabled = state === 'disabled';
      labels[i].dataset.state = state;
      this.#palette.paint(labels[i], name);
      fill(labels[i], { name });
    });
    const first = transports.findIndex((t) => t.state === 'up');
    if (first >= 0 && !radios.some((radio) => radio.checked)) radios[first].checked = true;
    this.#names = transports.filter((t) => t.state !== 'disabled').map((t) => t.name);
    this.#draw();
  }

  async #run(names) {
    // Not the buttons' `disabled`: it would take the focus away from the keyboard's user.
    if (this.#busy || !names[0]) return;
    this.#busy = true;
    const n = this.#form.elements.n.value.trim();
    if (n !== this.#n) this.#results = {}; // times of another n do not belong beside it
    this.#n = n;
    for (const name of names) this.#results[name] = { text: 'waits for its turn' };
    for (const name of names) {
      this.#results[name] = { text: 'sent …' };
      this.#draw();
      this.#results[name] = await send(name, n);
    }
    this.#draw();
    this.#busy = false;
  }

  #draw() {
    const rows = children(byId('results'), 'result', this.#names);
    const slowest = Math.max(...Object.values(this.#results).map((result) => result.seconds ?? 0));
    this.#names.forEach((name, i) => {
      const { seconds, text = 'not asked yet', failed = false } = this.#results[name] ?? {};
      this.#palette.paint(rows[i], name);
      rows[i].classList.toggle('failed', failed);
      rows[i].querySelector('.bar').style.width = seconds ? `${(100 * seconds) / slowest}%` : 0;
      fill(rows[i], { name, time: duration(seconds), verdict: text });
    });
  }
}
