import { clock, grouped, list, percentMore, twoDigits } from '../page/format.js';
import { isCold } from './history.js';
import { sumOfSquares } from './lane.js';

const ENOUGH_RACES = 5;

/**
 * A race in whole sentences: what it gave, and what is to be known before anybody concludes from it.
 *
 * @param summaries of the races of as many calls, by variant, this one among them
 * @param isBusy whether the aggregator had other work
 * @returns {{headline: string, remarks: string[]}}
 */
export function words(lanes, summaries, isBusy) {
  const { n } = lanes[0];
  const right = lanes.filter((lane) => lane.seconds != null).sort((a, b) => a.seconds - b.seconds);
  return {
    headline: headline(right, calls(n)),
    remarks: [
      ...lanes.filter((lane) => lane.failure).map((lane) => `${lane.variant} failed after ${grouped(lane.count)} of ${grouped(n)} replies: ${lane.failure}.`),
      cold(right.filter((lane) => isCold(lane.callsBefore))),
      isBusy && 'The aggregator was answering other requests when the race began: they use the same cores.',
      overlap(right.map(({ variant }) => summaries.find((summary) => summary.variant === variant)), n),
      checked(right, n),
    ].filter(Boolean),
  };
}

const calls = (n) => (n === 1 ? 'one call' : `${grouped(n)} calls`);

function headline([first, ...others], what) {
  if (!first) return 'No variant answered right.';
  if (!others.length) return `${first.variant} answered ${what} in ${clock(first.seconds)}.`;
  const behind = others.map((lane) => `${lane.variant} took ${clock(lane.seconds)}, ${times(lane.seconds / first.seconds)}`);
  return `${first.variant} was first, with ${what} in ${clock(first.seconds)}; ${behind.join('; ')}.`;
}

function times(ratio) {
  if (ratio < 1.02) return 'nearly the same';
  return ratio < 2 ? `${percentMore(ratio)} longer` : `${twoDigits(ratio)} times as long`;
}

function cold(lanes) {
  if (!lanes.length) return '';
  const before = lanes.map((lane, i) => `${lane.variant} (${i ? grouped(lane.callsBefore) : `${calls(lane.callsBefore)} before this race`})`);
  return `Not warm yet: ${list(before)}. First requests also pay for class loading, for connections and for code that is not `
    + 'compiled yet (JIT): race again before you compare.';
}

function overlap(summaries, n) {
  const few = summaries.filter((summary) => summary.warm < ENOUGH_RACES);
  if (few.length) return `One race is one sample: after ${ENOUGH_RACES} warm ones of ${calls(n)} the medians below say more.`;
  const pairs = summaries.flatMap((one, i) => summaries.slice(i + 1).filter((other) => one.least <= other.most && other.least <= one.most)
    .map((other) => `${one.variant} and ${other.variant}`));
  if (!pairs.length) return summaries.length > 1 ? `In all races of ${calls(n)} so far the order was the same.` : '';
  return `Over all races of ${calls(n)} so far, the times of ${list(pairs)} overlap, so you cannot say which is faster.`;
}

/** Beyond it a sum is not exact in a browser's numbers. */
function checked(right, n) {
  const sum = sumOfSquares(n);
  if (!right.length || !Number.isSafeInteger(sum)) return '';
  return `Checked: ${right.length > 1 ? 'each answer has' : 'the answer has'} every number from 1 to ${grouped(n)} once, with its square; `
    + `the squares add up to ${grouped(sum)}.`;
}
