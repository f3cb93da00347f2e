import { byId, children, clone, fill } from '../page/dom.js';
import { pathOf } from './path.js';
import { drawSettings } from './settings.js';

/** The way of a call over each variant, and all settings in a table. */
export class PathsView {
  #palette; #key;

  constructor(palette) {
    this.#palette = palette;
  }

  draw(transports, problem) {
    const known = transports.filter((transport) => transport.settings);
    const key = JSON.stringify([known.map(({ name, state, settings }) => [name, state, settings]), this.#palette.names, problem]);
    if (key === this.#key) return; // samples come each second, and change nothing here
    this.#key = key;
    children(byId('paths'), 'path', known.map((t) => t.name)).forEach((node, i) => {
      this.#palette.paint(node, known[i].name);
      node.dataset.state = known[i].state;
      fill(node, known[i]);
      drawPath(node, pathOf(known[i]));
    });
    drawSettings(known, problem);
  }
}

function drawPath(node, { stations, wires, facts }) {
  const parts = stations.flatMap((each, i) => [...(i ? [filled('wire', wires[i - 1])] : []), station(each)]);
  node.querySelector('.drawing').replaceChildren(...parts);
  node.querySelector('.facts').replaceChildren(...facts.map(([term, value]) => filled('fact', { term, value })));
}

function station(fields) {
  const node = filled('station', fields);
  node.querySelector('ul').append(...fields.lines.map((line) => Object.assign(document.createElement('li'), { textContent: line })));
  return node;
}

function filled(template, fields) {
  const node = clone(template);
  fill(node, fields);
  return node;
}
