// The page's structure stands in index.html, in templates whose [data-f] elements take the fields of the same names.

export const byId = (id) => document.getElementById(id);

export const clone = (template) => byId(template).content.firstElementChild.cloneNode(true);

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
