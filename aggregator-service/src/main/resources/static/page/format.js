// Numbers for people: three digits at most, always the same number of them, so that columns stand still.

export const NONE = '–';
const SPACE = '\u00a0';

const threeDigits = (x) => x.toFixed(x < 9.995 ? 2 : x < 99.95 ? 1 : 0);

/** Something per second. */
export function rate(x) {
  if (x == null) return NONE;
  if (x === 0) return '0';
  if (x < 0.05) return '<0.1';
  if (x < 9.95) return x.toFixed(1);
  return count(x);
}

/** A whole number of things. */
export function count(x) {
  if (x == null) return NONE;
  if (x < 999.5) return x.toFixed(0);
  if (x < 999_500) return threeDigits(x / 1e3) + SPACE + 'k';
  return threeDigits(x / 1e6) + SPACE + 'M';
}

/** Seconds. */
export function duration(x) {
  if (x == null) return NONE;
  if (x < 0.0009995) return threeDigits(x * 1e6) + SPACE + 'µs';
  if (x < 0.9995) return threeDigits(x * 1e3) + SPACE + 'ms';
  return threeDigits(x) + SPACE + 's';
}

/** Seconds on this browser's clock, which tells tenths of a millisecond. */
export function clock(x) {
  if (x == null) return NONE;
  return x < 0.99995 ? (x * 1e3).toFixed(1) + SPACE + 'ms' : x.toFixed(2) + SPACE + 's';
}

const GROUPED = new Intl.NumberFormat('en-GB');

/** A whole number in full: 10,000. */
export const grouped = (x) => GROUPED.format(x);

/** Of a ratio: 2.8, 45, 310. */
export const twoDigits = (x) => Number(x.toPrecision(2));

/** Of a ratio above one: 5 %. */
export const percentMore = (ratio) => `${Math.round(100 * (ratio - 1))}${SPACE}%`;

/** The same for an axis, where a tick is a round number: "10 k", not "10.0 k". */
export const tick = (format) => (x) => format(x).replace(/\.0+(?!\d)|(\.\d*[1-9])0+(?!\d)/, '$1');

/** "a, b and c" */
export const list = (words) => new Intl.ListFormat('en-GB').format(words);
