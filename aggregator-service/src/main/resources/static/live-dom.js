// The page's structure stands in index.html, in templates whose [data-f] elements take the fields of the same names.

export const byId = (id) => document.getElementById(id);

const clone = (template) => byId(template).content.firstElementChild.cloneNode(true);

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function fill(node, fields) {
  for (const part of node.querySelectorAll('[data-f]')) setText(part, fields[part.dataset.f] ?? '');
}

/** One child of `parent` for each name, in that order; those that are there already stay, with focus and scroll. */
export function children(parent, template, names) {
  const old = new Map([...parent.querySelectorAll(':scope > [data-name]')].map((node) => [node.dataset.name, node]));
  if (old.size === names.length && [...old.keys()].every((name, i) => name === names[i])) return [...old.values()];
  const nodes = names.map((name) => {
    const node = old.get(name) ?? clone(template);
    node.dataset.name = name;
    return node;
  });
  const kept = new Set(nodes);
  for (const node of [...parent.children]) if (!kept.has(node) && node.tagName !== 'LEGEND') node.remove();
  parent.append(...nodes);
  return nodes;
}

const COLOURS = 7; // --series-1 … --series-7 in live.css

const DASHES = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

/** A transport's colour, by its place among the sorted names; an eighth starts over, with lines of another shape. */
export class Palette {
  names = [];
  css = (name) => (this.names.includes(name) ? `var(--series-${(this.names.indexOf(name) % COLOURS) + 1})` : 'var(--muted)');
  dash = (name) => DASHES[Math.floor(Math.max(0, this.names.indexOf(name)) / COLOURS) % DASHES.length];
  paint = (node, name) => node.style.setProperty('--c', this.css(name));
}
