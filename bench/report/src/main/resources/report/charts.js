// Draws what Charts.java computed: variants as bars, as percentiles or as ratios. Knows no variant by name.
(() => {
  const { charts: DATA, looks: LOOKS } = JSON.parse(document.getElementById('charts-data').textContent);
  const SHADES = [1, 0.75, 0.5, 0.22]; // of a variant's colour, by process; report.css has the key's
  const PRINT_WIDTH = 420; // half an A4 page, in pixels that give readable letters there
  const LINE = 1.85; // height of a line, in em of the charts' letters
  const plots = [...document.querySelectorAll('[data-chart]')];
  const drawn = new Map();
  let printing = false;

  // --- numbers on axes: round ones, so short ---

  const short = (x) => String(Number(x.toPrecision(4)));
  const scaled = (x, steps, last) => {
    const [power, unit] = steps.find(([, , below]) => x < below) ?? last;
    return short(x / power) + unit;
  };
  const AXIS = {
    micros: (x) => (x === 0 ? '0' : short(x) + ' µs'),
    rate: (x) => scaled(x, [[1, '', 1e3], [1e3, ' k', 1e6]], [1e6, ' M']),
    seconds: (x) => scaled(x, [[1e-6, ' µs', 0.9999e-3], [1e-3, ' ms', 0.9999]], [1, ' s']),
    ratio: (x) => '×' + short(x),
  };

  // --- how variants look: Palette.java ---

  const GLYPHS = '●■▲◆○□△◇';
  const look = (variant) => LOOKS[variant] ?? { colour: 0, mark: 0 };

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const rgb = (hex) => (hex.length === 4 ? [...hex.slice(1)].map((c) => c + c) : hex.slice(1).match(/../g)).map((c) => parseInt(c, 16));
  const mix = (a, b, share) => {
    const [x, y] = [rgb(a), rgb(b)];
    return '#' + x.map((c, i) => Math.round(c * share + y[i] * (1 - share)).toString(16).padStart(2, '0')).join('');
  };
  const theme = () => ({
    ink: css('--ink'), muted: css('--muted'), line: css('--line'), panel: css('--panel'), bad: css('--bad'),
    of: (variant) => css(look(variant).colour ? '--series-' + look(variant).colour : '--muted'),
  });
  const HATCH = (colour) => ({ symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -Math.PI / 4, color: colour });

  const escape = (text) => text.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
  const tooltip = (t, size, formatter) => ({
    trigger: 'item', confine: true, transitionDuration: 0, backgroundColor: t.panel, borderColor: t.muted,
    textStyle: { color: t.ink, fontSize: size }, formatter,
  });

  // --- charts of variants ---

  const some = (...xs) => xs.filter((x) => typeof x === 'number');
  // What has no parts is one piece.
  const parts = (bar) => (bar.parts.length ? bar.parts : some(bar.points[0]));
  const values = (bar) => some(...bar.points);

  function barsOption(t, spec, size, width) {
    const log = spec.kind !== 'stack';
    const rich = { name: { color: t.ink, fontSize: size, fontWeight: 600 }, bad: { color: t.bad, fontSize: size }, text: { color: t.muted, fontSize: size } };
    Object.keys(LOOKS).forEach((variant) => { rich['c' + look(variant).colour] = { color: t.of(variant), fontSize: size }; });
    rich.c0 = { color: t.muted, fontSize: size };
    const axis = xAxis(t, spec, log, size, width);
    const longest = Math.max(...spec.bars.map((bar) => bar.label.length), 0);
    const name = (bar) => `{text|${bar.text}} {${bar.doubted ? 'bad' : 'name'}|${bar.variant}} {c${look(bar.variant).colour}|${GLYPHS[look(bar.variant).mark]}}`;
    return {
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: size },
      grid: { left: 4, right: longest * size * 0.56 + 14, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      tooltip: { ...tooltip(t, size, (item) => escape(`${spec.bars[item.dataIndex].variant}: ${spec.bars[item.dataIndex].label}`)), trigger: 'none' },
      xAxis: axis,
      yAxis: {
        type: 'category', inverse: true, data: spec.bars.map((_, i) => String(i)), axisTick: { show: false }, axisLine: { show: false },
        axisLabel: { interval: 0, formatter: (i) => name(spec.bars[i]), rich, fontSize: size, margin: 8 },
      },
      series: SERIES[spec.kind](t, spec, size, axis.min),
    };
  }

  function xAxis(t, spec, log, size, width) {
    const all = spec.bars.flatMap(values).filter((x) => x > 0);
    const common = {
      axisLabel: { color: t.muted, fontSize: size - 1, formatter: AXIS[spec.unit], hideOverlap: true }, axisLine: { show: false }, axisTick: { show: false },
      splitLine: { lineStyle: { color: t.line } },
    };
    if (!all.length) return { ...common, type: 'value', min: 0, max: 1, axisLabel: { show: false } };
    const [min, max] = [Math.min(...all), Math.max(...all)];
    if (!log) return { ...common, type: 'value', min: 0, max, ...ticks([0, max], width, common) };
    // A little more than the numbers need; whole powers would leave half of some charts empty.
    const grow = Math.max(1.06, Math.sqrt(10) / Math.sqrt(max / min));
    const edges = spec.kind === 'ratios' ? [Math.min(min, 0.8) / 1.06, Math.max(max, 1.25) * 1.06] : [min / grow, max * grow];
    return { ...common, type: 'log', logBase: 10, min: edges[0], max: edges[1], ...ticks(edges, width, common) };
  }

  /** Round numbers inside the edges, as many as there is room for: even steps over a short range, else 1, 2, 5. */
  function ticks([min, max], width, common) {
    const room = Math.max(2, Math.floor(width / 80));
    let found = [];
    if (min <= 0 || max / min < 3.2) {
      const raw = (max - Math.max(0, min)) / room;
      const power = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
      for (let k = Math.ceil(Math.max(0, min) / step); k * step <= max * 1.0001; k++) found.push(k * step);
    } else {
      const decades = Math.log10(max / min);
      const steps = [[1, 2, 5], [1, 3], [1]].find((s) => decades * s.length <= room) ?? [1];
      for (let p = Math.floor(Math.log10(min)); p <= Math.ceil(Math.log10(max)); p++) for (const s of steps) found.push(s * 10 ** p);
      const every = Math.max(1, Math.ceil(decades / room));
      found = found.filter((x) => x >= min && x <= max).filter((_, i) => i % every === 0);
    }
    const customValues = found.map((x) => Number(x.toPrecision(6)));
    return { axisTick: { show: false, customValues }, axisLabel: { ...common.axisLabel, customValues } };
  }

  /** The text at the end of a variant; where nothing was measured, at its beginning. */
  const end = (t, spec, size, edge) => ({
    type: 'scatter', symbolSize: 0, clip: false, silent: true, z: 6,
    data: spec.bars.map((bar, i) => ({ value: [Math.max(...values(bar), edge), i], label: { formatter: bar.label, color: bar.doubted ? t.bad : t.ink } })),
    label: { show: true, position: 'right', distance: 9, fontSize: size, opacity: 1 }, itemStyle: { opacity: 1 },
  });

  /** One segment for each variant, as a marker: they need no series of their own. */
  const segments = (spec, from, to, style, symbol = 'none') => ({
    type: 'scatter', data: [], silent: true,
    markLine: {
      symbol, symbolSize: [2, 9], symbolRotate: 0, silent: true, animation: false, label: { show: false }, z: 5,
      data: spec.bars.flatMap((bar, i) => (from(bar) == null || to(bar) == null ? [] : [[{ coord: [from(bar), i], lineStyle: { type: 'solid', ...style(bar) } }, { coord: [to(bar), i] }]])),
    },
  });
  const whiskers = (t, spec) => segments(spec, (bar) => bar.points[1], (bar) => bar.points[2], () => ({ color: t.ink, width: 1.75 }), 'rect');

  const points = (t, spec, size, symbol, of, more = {}) => ({
    type: 'scatter', symbol, symbolSize: size, z: 4, clip: false, silent: true,
    data: spec.bars.flatMap((bar, i) => of(bar).map((x) => ({ value: [x, i], itemStyle: { color: t.of(bar.variant), opacity: 1, borderColor: t.panel, borderWidth: 1, ...more } }))),
  });

  const SERIES = {
    stack: (t, spec, size, edge) => [
      ...Array.from({ length: Math.max(0, ...spec.bars.map((bar) => parts(bar).length)) }, (_, k) => ({
        type: 'bar', stack: 'all', barWidth: '66%', z: 2, silent: true,
        data: spec.bars.map((bar) => ({ value: parts(bar)[k] || null, itemStyle: {
          color: mix(t.of(bar.variant), t.panel, SHADES[Math.min(k, SHADES.length - 1)] * (bar.doubted ? 0.35 : 1)), borderColor: bar.doubted ? t.bad : t.of(bar.variant),
          borderWidth: 1, borderType: bar.doubted ? 'dashed' : 'solid', decal: bar.doubted ? HATCH(t.bad) : undefined } })),
      })),
      whiskers(t, spec), end(t, spec, size, edge),
    ],
    percentiles: (t, spec, size, edge) => [
      segments(spec, (bar) => bar.points[0], (bar) => bar.points.at(-1), (bar) => ({ color: t.of(bar.variant), width: 2 })),
      points(t, spec, size * 0.85, 'circle', (bar) => some(bar.points[0])),
      points(t, spec, size * 0.5, 'circle', (bar) => some(bar.points[1], bar.points[2])),
      points(t, spec, size * 0.95, 'diamond', (bar) => some(bar.points[3])),
      points(t, spec, size * 0.6, 'triangle', (bar) => some(bar.points[4])),
      points(t, spec, [2.5, size * 0.95], 'rect', (bar) => some(bar.points[5]), { borderWidth: 0 }),
      end(t, spec, size, edge),
    ],
    ratios: (t, spec, size, edge) => [
      { type: 'scatter', data: [], silent: true, markLine: { symbol: 'none', silent: true, animation: false, label: { show: false }, z: 1,
        lineStyle: { color: t.muted, width: 1, type: 'solid' }, data: [{ xAxis: 1 }] } },
      whiskers(t, spec), points(t, spec, size * 0.8, 'circle', (bar) => some(bar.points[0])), end(t, spec, size, edge),
    ],
  };

  // --- drawing ---

  function draw(plot) {
    const spec = DATA[plot.dataset.chart];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    // What is folded has no width, and is drawn when it opens.
    const alone = plot.closest('figure').matches(':only-child'); // as wide as the page
    const width = plot.clientWidth && printing ? PRINT_WIDTH * (alone ? 2 : 1) : plot.clientWidth;
    if (!spec || !(width > 0)) return;
    const size = printing ? 12 : Math.round(rem * 0.875);
    const height = Math.round(spec.bars.length * size * LINE + size * 2.4);
    const t = theme();
    plot.style.height = height + 'px';
    const chart = drawn.get(plot) ?? echarts.init(plot, null, { renderer: 'svg', width, height });
    drawn.set(plot, chart);
    chart.resize({ width, height, silent: true });
    chart.setOption(barsOption(t, spec, size, width), true);
    chart.getZr().flush();
    // Paper scales the picture as a whole.
    plot.querySelector('svg')?.setAttribute('viewBox', `0 0 ${width} ${height}`);
    plot.querySelector('svg')?.setAttribute('aria-hidden', 'true');
  }

  const drawAll = () => plots.forEach(draw);
  const print = (on) => { printing = on; drawAll(); };

  drawAll();
  document.addEventListener('themechange', drawAll);
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));

  let waiting = 0;
  new ResizeObserver(() => {
    if (printing) return;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => plots.filter((plot) => drawn.get(plot)?.getWidth() !== plot.clientWidth).forEach(draw));
  }).observe(document.getElementById('main'));
})();
