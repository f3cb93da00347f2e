import { byId, children, fill, setText } from '../page/dom.js';
import { duration, tick } from '../page/format.js';
import { roundUp, ticks } from '../page/scale.js';
import { problemText } from '../race/lane.js';
import { draw, sentence, summary } from './chart.js';

const TIMEOUT_MS = 60_000;

/** One request over each of two variants, call by call. */
export class WaterfallView {
  #palette; #variants = ''; #isAsking = false;

  constructor(palette) {
    this.#palette = palette;
    byId('waterfall').addEventListener('submit', (event) => { event.preventDefault(); this.#ask(); });
    byId('waterfall-presets').addEventListener('click', ({ target }) => {
      if (!target.dataset.n) return;
      byId('waterfall-n').value = target.dataset.n;
      this.#ask();
    });
  }

  /** The variants that can be asked; at first two that differ most: NATS and REST, where they are there. */
  offer(transports) {
    const names = transports.filter((t) => t.state !== 'disabled' && t.modes?.includes('unary') !== false).map((t) => t.name);
    if (names.join() === this.#variants) return;
    this.#variants = names.join();
    choose(byId('waterfall-first'), names, names.find((name) => name === 'rest') ?? names[0]);
    choose(byId('waterfall-second'), ['', ...names], names.find((name) => name === 'nats') ?? names[1] ?? '');
  }

  async #ask() {
    const n = byId('waterfall-n');
    if (this.#isAsking || !n.reportValidity()) return;
    this.#isAsking = true;
    byId('waterfall').classList.add('busy');
    try {
      await this.#draw(n.value);
    } finally {
      byId('waterfall').classList.remove('busy');
      this.#isAsking = false;
    }
  }

  async #draw(n) {
    const variants = [...new Set([byId('waterfall-first').value, byId('waterfall-second').value])].filter(Boolean);
    const nodes = children(byId('waterfalls'), 'waterfall-panel', variants);
    variants.forEach((variant, i) => {
      this.#palette.paint(nodes[i], variant);
      fill(nodes[i], { name: variant, total: 'asking …' });
    });
    const answers = [];
    for (const variant of variants) answers.push(await request(variant, n)); // one at a time, so that they do not disturb each other
    const end = roundUp(Math.max(1, ...answers.map((answer) => answer.micros ?? 0)));
    answers.forEach((answer, i) => this.#show(nodes[i], variants[i], answer, end));
  }

  #show(node, name, answer, end) {
    const failed = answer.problem != null;
    fill(node, {
      name,
      total: failed ? 'failed' : duration(answer.micros / 1e6),
      summary: failed ? answer.problem : summary(answer),
      hovered: failed ? '' : 'Point at a call.',
    });
    for (const part of node.querySelectorAll('svg, .axis')) part.toggleAttribute('hidden', failed);
    if (failed) return;
    node.querySelector('svg').setAttribute('aria-label', summary(answer));
    draw(node.querySelector('svg'), answer, end, (bar) => setText(node.querySelector('.hovered'), sentence(bar)));
    const marks = ticks(end);
    const format = tick((micros) => duration(micros / 1e6));
    children(node.querySelector('.axis'), 'tick', marks.map(String)).forEach((mark, i) => {
      mark.style.left = `${(100 * i) / (marks.length - 1)}%`;
      setText(mark, i ? format(marks[i]) : '0');
    });
  }
}

function choose(select, names, first) {
  const before = select.value;
  select.replaceChildren(...names.map((name) => new Option(name || 'none', name)));
  select.value = names.includes(before) && before ? before : first;
}

/** The waterfall, or `{ problem }`; never throws. */
async function request(variant, n) {
  try {
    const response = await fetch(`${encodeURIComponent(variant)}/square/unary/${n}?trace=true`,
      { cache: 'no-store', headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.json();
    return { problem: problemText(await response.text()) ?? `HTTP ${response.status}` };
  } catch (e) {
    return { problem: `No usable answer: ${e.message}` };
  }
}
