// A scale from zero to a round number.

/** The next round number, so that a scale moves seldom. */
export function roundUp(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].find((step) => step * power >= x * 0.9999) * power;
}

/** Round numbers from 0 to `max`, which roundUp made. */
export function ticks(max) {
  const parts = /^(1\.5|3|6)/.test(max.toExponential()) ? 3 : 2;
  return Array.from({ length: parts + 1 }, (_, i) => (max * i) / parts);
}
