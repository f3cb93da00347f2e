import { byId, children, fill, setText } from '../page/dom.js';
import { clock, grouped, NONE, tick } from '../page/format.js';
import { roundUp } from '../page/scale.js';
import { WARM_CALLS } from './history.js';

/** The races so far, of one number of calls at a time: a line per variant, with median, spread and each of them. */
export class Past {
  #history; #palette; #n;

  constructor(history, palette) {
    this.#history = history;
    this.#palette = palette;
    this.#n = history.latestSize;
    setText(byId('history-warm'), grouped(WARM_CALLS));
    byId('history-n').addEventListener('change', ({ target }) => this.show(Number(target.value)));
    byId('history-clear').addEventListener('click', () => { history.clear(); this.draw(); });
    this.draw();
  }

  /** Those of so many calls. */
  show(n) {
    this.#n = n;
    this.draw();
  }

  draw() {
    const sizes = this.#history.sizes();
    byId('history').hidden = !sizes.length;
    const labels = children(byId('history-n'), 'past-n', sizes.map(String));
    sizes.forEach((n, i) => {
      const radio = labels[i].querySelector('input');
      radio.value = n;
      radio.checked = n === this.#n;
      fill(labels[i], { label: n === 1 ? '1 call' : `${grouped(n)} calls` });
    });
    this.#drawVariants(this.#history.summaries(this.#n));
  }

  #drawVariants(summaries) {
    const end = roundUp(Math.max(1e-4, ...summaries.flatMap((summary) => summary.entries.map((entry) => entry.seconds))));
    setText(byId('history-end'), tick(clock)(end));
    const nodes = children(byId('history-variants'), 'past', summaries.map((summary) => summary.variant));
    summaries.forEach((summary, i) => {
      this.#palette.paint(nodes[i], summary.variant);
      fill(nodes[i], {
        name: summary.variant,
        races: summary.warm,
        besides: [summary.cold && `${summary.cold} cold`, summary.failed && `${summary.failed} failed`].filter(Boolean).join(', '),
        median: clock(summary.median),
        spread: summary.warm ? `${clock(summary.least)} – ${clock(summary.most)}` : NONE,
      });
      nodes[i].querySelector('.strip').replaceChildren(...marks(summary, end));
    });
  }
}

/** One for each race, and one for the median. */
function marks({ entries, median }, end) {
  const mark = (kind, seconds) => {
    const node = document.createElement('i');
    node.className = kind;
    node.style.left = `${(100 * seconds) / end}%`;
    return node;
  };
  const all = entries.map((entry) => mark(entry.cold ? 'cold' : 'warm', entry.seconds));
  return median == null ? all : [...all, mark('median', median)];
}
