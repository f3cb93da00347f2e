const MANTISSAS = [1, 1.5, 2, 3, 5, 7];

/** What the slider offers: whole numbers from 1 to `max`, about six to a power of ten, so that it is logarithmic. */
export function steps(max) {
  const all = [];
  for (let power = 1; power <= max; power *= 10) all.push(...MANTISSAS.map((mantissa) => mantissa * power));
  return [...new Set([...all.filter((n) => Number.isInteger(n) && n < max), max])];
}

/** The powers of ten among them. */
export const presets = (max) => steps(max).filter((n) => Number.isInteger(Math.log10(n)));

/** GET /actuator/info tells how many calls a request may ask for. */
export async function mostCalls() {
  const response = await fetch('actuator/info', { cache: 'no-store', headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()).chatterbox.fanOut.maxCalls;
}
