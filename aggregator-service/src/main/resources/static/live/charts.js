import { byId, children, fill, setText } from '../page/dom.js';
import { count, duration, NONE, rate, tick } from '../page/format.js';
import { colour, withAlpha } from '../page/palette.js';
import { roundUp, ticks } from '../page/scale.js';

const TICKS = { 1: [-60, -45, -30, -15, 0], 5: [-300, -240, -180, -120, -60, 0], 15: [-900, -600, -300, 0] };

const MARK_SECONDS = 12; // between two marks of a line, in the shortest chart

const of = (field) => (sample, name) => sample.transports[name]?.[field] ?? null;

const cores = ({ process }) => `${process.cpu.toFixed(2)} of ${process.cpus}`;
const heap = ({ process }) => `heap ${(process.heapBytes / 2 ** 20).toFixed(0)} MiB`;

// One line for each transport and entry of `lines`; `total` is one more line in front, of the whole process.
const CHARTS = [
  { id: 'calls', lines: [{ value: of('calls'), width: 2.5 }], format: rate, least: 10 },
  { id: 'latency', lines: [{ value: of('callP50'), width: 3 }, { value: of('callP99'), width: 1.25 }], format: duration, log: true },
  { id: 'flight', lines: [{ value: of('inFlight'), width: 2.5 }], format: count, least: 10 },
  { id: 'cpu', lines: [{ value: (sample, name) => (sample.sole === name ? sample.process.cpu : null), width: 2.5 }],
    total: (sample) => sample.process.cpu ?? null, format: String, least: 1 },
];

const fromZero = (least) => (u, min, max) => [0, roundUp(Math.max(least, (max ?? 0) * 1.05))];

function decades(u, min, max) {
  if (!(min > 0)) return [1e-4, 1e-1];
  const first = Math.floor(Math.log10(min));
  return [10 ** first, 10 ** Math.max(Math.ceil(Math.log10(max)), first + 1)];
}

function logTicks(u, axis, min, max) {
  const steps = Math.log10(max / min) > 2.5 ? [1] : [1, 3];
  const all = [];
  for (let power = min; power <= max * 1.001; power *= 10) all.push(...steps.map((step) => step * power));
  return all.filter((x) => x <= max * 1.001);
}

const linearTicks = (u, axis, min, max) => ticks(max);

class Chart {
  #spec; #palette; #figure; #plot; #key; #uplot; #samples = []; #names = []; #minutes = 1;

  constructor(spec, palette) {
    this.#spec = spec;
    this.#palette = palette;
    this.#figure = byId('chart-' + spec.id);
    this.#plot = this.#figure.querySelector('.plot');
    new ResizeObserver(() => { if (this.#plot.clientWidth) this.#uplot?.setSize(this.#size()); }).observe(this.#plot);
  }

  update(samples, names, minutes) {
    this.#samples = samples;
    this.#minutes = minutes;
    if (!this.#plot.clientWidth) return; // its view is not shown
    // Whatever is baked into a uPlot instance is in the key; all else only needs new data.
    const key = JSON.stringify([{ ...document.documentElement.dataset }, this.#palette.names, names]);
    const data = this.#columns(samples, names);
    if (key !== this.#key) this.#rebuild(key, names, data);
    else this.#uplot.setData(data, false);
    const now = data[0].at(-1) ?? 0;
    this.#uplot.setScale('x', { min: now - minutes * 60_000, max: now });
    this.#legend();
  }

  #size() {
    return { width: this.#plot.clientWidth, height: this.#plot.clientHeight };
  }

  #columns(samples, names) {
    const { lines, total } = this.#spec;
    const columns = names.flatMap((name) => lines.map((line) => samples.map((sample) => line.value(sample, name))));
    return [samples.map((sample) => sample.time), ...(total ? [samples.map(total)] : []), ...columns];
  }

  #rebuild(key, names, data) {
    this.#key = key;
    this.#names = names;
    this.#uplot?.destroy();
    this.#uplot = new uPlot(this.#options(names), data, this.#plot);
  }

  #options(names) {
    const { log, least } = this.#spec;
    return {
      ...this.#size(),
      padding: [10, 20, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, sync: { key: 'live' } },
      scales: { x: { time: false }, y: log ? { distr: 3, range: decades } : { range: fromZero(least) } },
      axes: this.#axes(),
      series: this.#series(names),
      bands: log ? names.map((name, i) => ({ series: [2 * i + 2, 2 * i + 1], fill: withAlpha(colour(this.#palette.css(name)), 0.1) })) : [],
      hooks: { setCursor: [() => this.#legend()], draw: [(u) => this.#marks(u, names)] },
    };
  }

  #series(names) {
    const ink = colour('var(--muted)');
    const total = { stroke: ink, width: 1.5, fill: withAlpha(ink, 0.08), points: { show: false } };
    const lines = names.flatMap((name) => this.#spec.lines.map(({ width }) => ({
      stroke: colour(this.#palette.css(name)), width, dash: this.#palette.dash(name), points: { show: false } })));
    return [{}, ...(this.#spec.total ? [total] : []), ...lines];
  }

  /** Marks the first line of each variant with the sign that its legend has: colours and dashes alone start over. */
  #marks(u, names) {
    const { lines, total } = this.#spec;
    const { ctx, bbox, data } = u;
    const size = 0.8 * parseFloat(getComputedStyle(document.documentElement).fontSize) * devicePixelRatio;
    const apart = MARK_SECONDS * this.#minutes * 1000;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top - size, bbox.width, bbox.height + 2 * size);
    ctx.clip();
    Object.assign(ctx, { font: `${size}px system-ui, sans-serif`, textAlign: 'center', textBaseline: 'middle', lineJoin: 'round', lineWidth: size / 4, strokeStyle: colour('var(--panel)') });
    names.forEach((name, i) => {
      const values = data[(total ? 2 : 1) + i * lines.length];
      const from = (apart * i) / names.length; // so that marks of neighbours do not hide each other
      ctx.fillStyle = colour(this.#palette.css(name));
      let marked = null;
      values.forEach((value, at) => {
        const place = Math.floor((data[0][at] - from) / apart);
        if (!(value > 0) || place === marked) return;
        marked = place;
        const [x, y] = [u.valToPos(data[0][at], 'x', true), u.valToPos(value, 'y', true)];
        ctx.strokeText(this.#palette.mark(name), x, y);
        ctx.fillText(this.#palette.mark(name), x, y);
      });
    });
    ctx.restore();
  }

  #axes() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const font = `${Math.round(0.875 * rem)}px system-ui, sans-serif`; // uPlot scales whole pixels only
    const common = { stroke: colour('var(--muted)'), font, ticks: { show: false } };
    const grid = { stroke: colour('var(--line)'), width: 1 };
    // Ticks stand still, relative to now: labels that move with the clock are hard to read.
    const xTicks = (u, axis, min, max) => TICKS[this.#minutes].map((seconds) => max + seconds * 1000);
    const xLabels = (u, ticks) => ticks.map((x) => relative(x - u.scales.x.max));
    const format = tick(this.#spec.format);
    return [
      { ...common, grid, size: 2 * rem, gap: 8, splits: xTicks, values: xLabels },
      { ...common, grid, size: 4.25 * rem, gap: 6, splits: this.#spec.log ? logTicks : linearTicks,
        filter: (u, ticks) => ticks, values: (u, ticks) => ticks.map(format) },
    ];
  }

  /** Values at the cursor, or the latest. */
  #legend() {
    const { lines, total, format } = this.#spec;
    const { cursor, data } = this.#uplot ?? {};
    const at = cursor?.idx ?? this.#samples.length - 1;
    const sample = this.#samples[at];
    if (!sample) return;
    setText(this.#figure.querySelector('time'), cursor.idx == null ? '' : relative(sample.time - this.#samples.at(-1).time));
    const legend = this.#figure.querySelector('.legend');
    if (total) {
      const process = sample.process.cpus ? { name: `${heap(sample)} · CPU`, value: cores(sample) } : {};
      return fill(children(legend, 'legend', ['process'])[0], process);
    }
    children(legend, 'legend', this.#names).forEach((item, i) => {
      const values = lines.map((_, k) => format(data[1 + i * lines.length + k][at]));
      this.#palette.paint(item, this.#names[i]);
      fill(item, { name: this.#names[i], value: values.every((value) => value === NONE) ? NONE : values.join(' · ') });
    });
  }
}

function relative(ms) {
  const seconds = Math.round(-ms / 1000);
  return seconds === 0 ? 'now' : seconds % 60 ? `−${seconds} s` : `−${seconds / 60} min`;
}

export class Charts {
  #charts;

  constructor(palette) {
    this.#charts = CHARTS.map((spec) => new Chart(spec, palette));
  }

  update(samples, names, minutes) {
    for (const chart of this.#charts) chart.update(samples, names, minutes);
  }
}
