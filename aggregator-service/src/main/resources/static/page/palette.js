const COLOURS = 7; // --series-1 … --series-7 in page.css

const DASHES = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

/** A transport's colour, by its place among the sorted names; an eighth starts over, with lines of another shape. */
export class Palette {
  names = [];
  css = (name) => (this.names.includes(name) ? `var(--series-${(this.names.indexOf(name) % COLOURS) + 1})` : 'var(--muted)');
  dash = (name) => DASHES[Math.floor(Math.max(0, this.names.indexOf(name)) / COLOURS) % DASHES.length];
  paint = (node, name) => node.style.setProperty('--c', this.css(name));
}

/** The canvas knows no CSS variables: an element has to resolve them. */
export function colour(css) {
  const probe = document.createElement('i');
  probe.style.color = css;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

export const withAlpha = (rgb, alpha) => rgb.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`);
