const COLOURS = 7; // --series-1 … --series-7 in page.css

const DASHES = [undefined, [7, 4], [2, 3], [11, 4, 2, 4], [11, 3, 2, 3, 2, 3]];
const MARKS = '●■▲◆○□△◇';

/**
 * How a variant looks, as in the report (Palette.java): a colour, a dash and a mark by its place among the sorted names, of
 * which memory is the last. They start over after different counts, so that an eighth variant has the colour of the first
 * and looks different all the same.
 */
export class Palette {
  names = [];
  show = (names) => {
    const sorted = [...new Set(names)].sort();
    this.names = [...sorted.filter((name) => name !== 'memory'), ...sorted.filter((name) => name === 'memory')];
  };
  css = (name) => (this.names.includes(name) ? `var(--series-${(this.names.indexOf(name) % COLOURS) + 1})` : 'var(--muted)');
  dash = (name) => DASHES[Math.max(0, this.names.indexOf(name)) % DASHES.length];
  mark = (name) => MARKS[Math.max(0, this.names.indexOf(name)) % MARKS.length];
  paint = (node, name) => {
    node.style.setProperty('--c', this.css(name));
    node.style.setProperty('--mark', `"${this.mark(name)}"`);
  };
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
