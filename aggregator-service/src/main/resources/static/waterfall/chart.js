import { duration, grouped } from '../page/format.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 1000; // units of the drawing, which is stretched to its panel
const LEAST_LINES = 20; // a lone call is a line, too
const LEAST = 1; // the narrowest part that can be seen

/** Where a call was at each time: parts of its bar, in microseconds, from left to right. */
function parts(bar) {
  const wait = ['wait', 0, bar.sent];
  return bar.responder == null
    ? [wait, ['call', bar.sent, bar.ended]]
    : [wait, ['there', bar.sent, bar.begun], ['work', bar.begun, bar.answered], ['back', bar.answered, bar.ended]];
}

/** Draws the bars of a waterfall, of which the last ends before `end` microseconds; `hovered` takes the bar under the pointer. */
export function draw(svg, waterfall, end, hovered) {
  const height = Math.max(LEAST_LINES, waterfall.bars.length);
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.replaceChildren(...waterfall.bars.map((bar, i) => {
    const group = document.createElementNS(SVG, 'g');
    group.append(...parts(bar).map(([part, from, to]) => rect(part, from, to, i + 0.1, 0.8, end)), rect('hit', 0, end, i, 1, end));
    group.addEventListener('pointerenter', () => {
      svg.querySelector('.chosen')?.classList.remove('chosen');
      group.classList.add('chosen');
      hovered(bar);
    });
    return group;
  }));
}

function rect(part, from, to, y, height, end) {
  const node = document.createElementNS(SVG, 'rect');
  node.dataset.part = part;
  node.setAttribute('x', (WIDTH * from) / end);
  node.setAttribute('width', Math.max(part === 'wait' ? 0 : LEAST, (WIDTH * (to - from)) / end));
  node.setAttribute('y', y);
  node.setAttribute('height', height);
  return node;
}

const time = (micros) => duration(micros / 1e6);

/** What became of one call, in words. */
export function sentence(bar) {
  const waited = `Call ${grouped(bar.number)} waited ${time(bar.sent)} for its turn`;
  return bar.responder == null
    ? `${waited} and was answered ${time(bar.ended - bar.sent)} later; its reply does not say when its responder worked.`
    : `${waited}, was ${time(bar.begun - bar.sent)} on its way, ${time(bar.answered - bar.begun)} with ${bar.responder}, `
      + `and ${time(bar.ended - bar.answered)} on its way back.`;
}

/** All calls, in words: what a person sees who sees no picture. */
export function summary(waterfall) {
  const { bars, n, clockOffsets } = waterfall;
  if (n === 1) return sentence(bars[0]);
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const known = bars.filter((bar) => bar.responder != null);
  const moved = Object.entries(clockOffsets).filter(([, offset]) => offset !== 0);
  return [
    n > bars.length ? `${grouped(bars.length)} of ${grouped(n)} calls are drawn: the fastest, the slowest, and some of all speeds between.` : '',
    `Half of the calls were sent within ${time(middle(bars.map((bar) => bar.sent)))};`,
    `the median call took ${time(middle(bars.map((bar) => bar.ended - bar.sent)))}`
      + (known.length ? `, of which its responder worked ${time(middle(known.map((bar) => bar.answered - bar.begun)))}.` : '.'),
    ...moved.map(([responder, offset]) => `The clock of ${responder} was shifted by ${time(Math.abs(offset))}.`),
  ].filter(Boolean).join(' ');
}
