// Draws what ChartData.java computed: bars and points by row in groups, or lines over a number. Knows no row by name.
(() => {
  const DATA = JSON.parse(document.getElementById('charts-data').textContent);
  const SHADES = [1, 0.68, 0.45, 0.24, 0.12]; // of a row's colour, by process; report.css has the key's
  const PRINT_WIDTH = 420; // half an A4 page, in pixels that give readable letters there
  const ROW = 1.85; // height of a row, in em of the charts' letters
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
    plain: (x) => x.toLocaleString('en-US'),
  };

  // --- colours ---

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const rgb = (hex) => (hex.length === 4 ? [...hex.slice(1)].map((c) => c + c) : hex.slice(1).match(/../g)).map((c) => parseInt(c, 16));
  const mix = (a, b, share) => {
    const [x, y] = [rgb(a), rgb(b)];
    return '#' + x.map((c, i) => Math.round(c * share + y[i] * (1 - share)).toString(16).padStart(2, '0')).join('');
  };
  const theme = () => ({
    ink: css('--ink'), muted: css('--muted'), line: css('--line'), panel: css('--panel'), bad: css('--bad'), off: css('--off-soft'),
    series: (number) => css(number ? '--series-' + number : '--muted'),
  });

  const escape = (text) => text.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
  const tipTable = (title, rows) => `<div class="tip"><b>${escape(title)}</b><table>${rows
    .map(([name, value]) => `<tr><th>${escape(name)}</th><td>${escape(value)}</td></tr>`).join('')}</table></div>`;

  // --- charts of rows ---

  const some = (...xs) => xs.filter((x) => typeof x === 'number');
  const most = (...xs) => (some(...xs).length ? Math.max(...some(...xs)) : null);

  // The colours start over after seven rows; lines and points are told apart by their shapes then.
  const TURNS = [{ type: 'solid', symbol: 'circle' }, { type: 'dashed', symbol: 'rect' }, { type: 'dotted', symbol: 'triangle' }, { type: [8, 3, 2, 3], symbol: 'diamond' }];
  const turnOf = (row) => TURNS[(row.turn ?? 0) % TURNS.length];
  const HATCH = (colour) => ({ symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -Math.PI / 4, color: colour });

  const colourOf = (t, row) => (row.invalid ? t.muted : row.faint ? mix(t.series(row.colour), t.panel, 0.45) : t.series(row.colour));

  function label(t) {
    return (row) => {
      if (row.group !== undefined) return `{group|${row.group}}`;
      return `{${row.invalid ? 'bad' : 'name'}|${row.text ?? row.name}} {c${row.colour}|■}`;
    };
  }

  function rowsOption(t, spec, size, width) {
    const rows = spec.rows;
    const log = spec.kind === 'percentiles' || spec.kind === 'rounds' || spec.kind === 'ratios';
    const rich = { group: { fontWeight: 700, color: t.ink, fontSize: size }, name: { color: t.ink, fontSize: size }, bad: { color: t.bad, fontSize: size } };
    for (let i = 0; i <= 7; i++) rich['c' + i] = { color: t.series(i), fontSize: size };
    const words = label(t);
    const axis = xAxis(t, spec, log, size, width);
    const longest = Math.max(...rows.map((row) => (row.label ?? '').length), 0);
    return {
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: size },
      grid: { left: 4, right: longest * size * 0.56 + 14, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      tooltip: {
        trigger: 'axis', axisPointer: { type: 'shadow', shadowStyle: { color: t.ink, opacity: 0.05 } }, confine: true, transitionDuration: 0,
        backgroundColor: t.panel, borderColor: t.muted, textStyle: { color: t.ink, fontSize: size },
        formatter: (items) => {
          const row = rows[items[0].dataIndex];
          return row?.tip ? tipTable(row.text ? `${row.name}, ${row.text}` : row.name, row.tip) : '';
        },
      },
      xAxis: axis,
      yAxis: {
        type: 'category', inverse: true, data: rows.map((_, i) => String(i)), axisTick: { show: false }, axisLine: { show: false },
        axisLabel: { interval: 0, formatter: (i) => words(rows[i]), rich, fontSize: size, margin: 8 },
      },
      series: SERIES[spec.kind](t, spec, size, axis.min),
    };
  }

  const values = (spec) => spec.rows.flatMap((row) => [row.value, row.min, row.max, ...(row.percentiles ?? []), ...(row.points ?? []).map((p) => p.value)])
    .filter((x) => typeof x === 'number' && x > 0);

  function xAxis(t, spec, log, size, width) {
    const all = spec.range ?? values(spec);
    const common = {
      axisLabel: { color: t.muted, fontSize: size - 1, formatter: AXIS[spec.unit], hideOverlap: true }, axisLine: { show: false }, axisTick: { show: false },
      splitLine: { lineStyle: { color: t.line } }, 
    };
    if (!all.length) return { ...common, type: 'value', min: 0, max: 1, axisLabel: { show: false } };
    const [min, max] = [Math.min(...all), Math.max(...all)];
    if (!log) return { ...common, type: 'value', min: 0, max, ...ticks([0, max], width, common) };
    // A little more than the numbers need; whole powers would leave half of some charts empty.
    const grow = Math.max(1.06, Math.sqrt(spec.unit === 'ratio' ? 1.35 : 10) / Math.sqrt(max / min));
    const edges = spec.kind === 'ratios' ? [Math.min(min, 0.8) / 1.06, Math.max(max, 1.25) * 1.06] : [min / grow, max * grow];
    return { ...common, type: 'log', logBase: 10, min: edges[0], max: edges[1], ...ticks(edges, width, common) };
  }

  /** Round numbers inside the edges, as many as there is room for: even steps over a short range, else 1, 2, 5. */
  function ticks([min, max], width, common) {
    const room = Math.max(2, Math.floor(width / 80));
    let values = [];
    if (min <= 0 || max / min < 3.2) {
      const raw = (max - Math.max(0, min)) / room;
      const power = 10 ** Math.floor(Math.log10(raw));
      const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
      for (let k = Math.ceil(Math.max(0, min) / step); k * step <= max * 1.0001; k++) values.push(k * step);
    } else {
      const decades = Math.log10(max / min);
      const steps = [[1, 2, 5], [1, 3], [1]].find((s) => decades * s.length <= room) ?? [1];
      for (let p = Math.floor(Math.log10(min)); p <= Math.ceil(Math.log10(max)); p++) for (const s of steps) values.push(s * 10 ** p);
      const every = Math.max(1, Math.ceil(decades / room));
      values = values.filter((x) => x >= min && x <= max).filter((_, i) => i % every === 0);
    }
    const customValues = values.map((x) => Number(x.toPrecision(6)));
    return { axisTick: { show: false, customValues }, axisLabel: { ...common.axisLabel, customValues } };
  }

  /** The words at the end of a row; where nothing was measured, at its beginning. */
  const end = (t, spec, size, edge, at) => ({
    type: 'scatter', symbolSize: 0, clip: false, silent: true, z: 5,
    data: spec.rows.map((row, i) => (row.group !== undefined ? null : { value: [at(row) ?? edge, i], label: { formatter: row.label ?? '', color: row.invalid ? t.bad : t.ink } })),
    label: { show: true, position: 'right', distance: 9, fontSize: size, opacity: 1 }, itemStyle: { opacity: 1 },
  });

  /** One segment for each row, as a marker: they need no series of their own. */
  const segments = (t, spec, from, to, width) => ({
    type: 'scatter', data: [], silent: true,
    markLine: {
      symbol: 'none', silent: true, animation: false, label: { show: false }, z: 3,
      data: spec.rows.flatMap((row, i) => (from(row) == null || to(row) == null ? [] : [[
        { coord: [from(row), i], lineStyle: { color: width === 'ink' ? t.ink : colourOf(t, row), width: width === 'ink' ? 1.5 : width, type: 'solid' } },
        { coord: [to(row), i] }]])),
    },
  });

  const scatter = (t, spec, size, symbol, points, more = {}) => ({
    type: 'scatter', symbol, symbolSize: size, z: 4, clip: false,
    data: spec.rows.flatMap((row, i) => points(row).map((x) => ({ value: [x, i], itemStyle: { color: colourOf(t, row), opacity: 1, borderColor: t.panel, borderWidth: 1, ...more } }))),
  });

  // The tooltip finds its row by data index: one invisible point for each row.
  const rowsFor = (spec, at) => ({ type: 'scatter', symbolSize: 0, data: spec.rows.map((row, i) => [at(row) ?? null, i]) });


  const SERIES = {
    stack: (t, spec, size, edge) => {
      const parts = Math.max(0, ...spec.rows.map((row) => row.parts?.length ?? 0));
      const bars = Array.from({ length: parts }, (_, k) => ({
        type: 'bar', stack: 'cpu', barWidth: '68%', z: 2,
        data: spec.rows.map((row) => ({ value: row.parts?.[k] ?? null, itemStyle: row.group !== undefined ? {} : {
          color: mix(colourOf(t, row), t.panel, SHADES[Math.min(k, SHADES.length - 1)] * (row.invalid ? 0.35 : 1)), borderColor: row.invalid ? t.bad : colourOf(t, row),
          borderWidth: 1, borderType: row.invalid ? 'dashed' : turnOf(row).type, decal: row.invalid ? HATCH(t.bad) : undefined } })),
      }));
      return [...bars, end(t, spec, size, edge, (row) => row.value)];
    },
    bars: (t, spec, size, edge) => [
      { type: 'bar', barWidth: '60%', z: 2,
        data: spec.rows.map((row) => ({ value: row.value ?? null, itemStyle: row.group !== undefined ? {} : { color: row.invalid ? mix(t.muted, t.panel, 0.3) : colourOf(t, row), borderColor: row.invalid ? t.bad : colourOf(t, row), borderWidth: 1, borderType: row.invalid ? 'dashed' : turnOf(row).type, decal: row.invalid ? HATCH(t.bad) : undefined } })) },
      segments(t, spec, (row) => (row.invalid ? null : row.min), (row) => row.max, 'ink'),
      end(t, spec, size, edge, (row) => most(row.value, row.invalid ? null : row.max)),
    ],
    percentiles: (t, spec, size, edge) => {
      const ends = (row) => some(...(row.percentiles ?? []));
      return [
        rowsFor(spec, (row) => ends(row)[0]),
        segments(t, spec, (row) => ends(row)[0], (row) => ends(row).at(-1), 2),
        scatter(t, spec, size * 0.85, 'circle', (row) => some(row.percentiles?.[0])),
        scatter(t, spec, size * 0.5, 'circle', (row) => some(row.percentiles?.[1], row.percentiles?.[2])),
        scatter(t, spec, size * 0.95, 'diamond', (row) => some(row.percentiles?.[3])),
        scatter(t, spec, size * 0.6, 'triangle', (row) => some(row.percentiles?.[4])),
        scatter(t, spec, [2.5, size * 0.95], 'rect', (row) => some(row.percentiles?.[5]), { borderWidth: 0 }),
        end(t, spec, size, edge, (row) => ends(row).at(-1)),
      ];
    },
    rounds: (t, spec, size, edge) => [
      rowsFor(spec, (row) => row.value),
      scatter(t, spec, [2.5, size * 1.35], 'rect', (row) => some(row.value), { borderWidth: 0 }),
      { type: 'scatter', symbol: 'circle', symbolSize: size * 0.7, z: 5, clip: false,
        data: spec.rows.flatMap((row, i) => (row.points ?? []).filter((p) => p.valid).map((p) => ({ value: [p.value, i], itemStyle: { color: colourOf(t, row), opacity: 0.75, borderColor: t.panel, borderWidth: 1 } }))) },
      { type: 'scatter', symbol: 'path://M1 0 5 4 9 0 10 1 6 5 10 9 9 10 5 6 1 10 0 9 4 5 0 1z', symbolSize: size * 0.75, z: 5, clip: false, itemStyle: { color: t.bad },
        data: spec.rows.flatMap((row, i) => (row.points ?? []).filter((p) => !p.valid).map((p) => [p.value, i])) },
      end(t, spec, size, edge, (row) => most(row.value, ...(row.points ?? []).map((p) => p.value))),
    ],
    // B by A: a point, and around 1 what is no more than noise
    ratios: (t, spec, size, edge) => [
      rowsFor(spec, (row) => row.value),
      { type: 'scatter', data: [], silent: true, markLine: { symbol: 'none', silent: true, animation: false, label: { show: false }, z: 1,
        lineStyle: { color: t.muted, width: 1, type: 'solid' }, data: [{ xAxis: 1 }] } },
      { type: 'scatter', data: [], silent: true, markLine: { symbol: 'none', silent: true, animation: false, label: { show: false }, z: 1,
        data: spec.rows.flatMap((row, i) => (row.min == null ? [] : [[{ coord: [row.min, i], lineStyle: { color: t.muted, opacity: 0.3, width: size * 0.9, type: 'solid', cap: 'butt' } }, { coord: [row.max, i] }]])) } },
      { type: 'scatter', symbol: 'circle', symbolSize: size * 0.85, z: 5, clip: false,
        data: spec.rows.map((row, i) => ({ value: [row.value ?? null, i], itemStyle: { opacity: 1, color: row.outside ? colourOf(t, row) : t.panel, borderColor: row.value == null ? 'transparent' : colourOf(t, row), borderWidth: 2 } })) },
      end(t, spec, size, edge, (row) => most(row.value, row.max)),
    ],
  };

  // --- lines ---

  /** How far each line's name at the right end must move, so that none covers another: pixels by name. */
  function apart(lines, [min, max], height, size) {
    const scale = height / Math.log(max / min);
    const ends = lines.map((line) => ({ name: line.name, x: line.points.at(-1)[0], y: Math.log(max / line.points.at(-1)[1]) * scale }));
    const moved = new Map();
    for (const x of new Set(ends.map((end) => end.x))) {
      const column = ends.filter((end) => end.x === x).sort((a, b) => a.y - b.y);
      const gap = size * 1.25;
      const places = [];
      column.forEach((end, i) => places.push(i ? Math.max(end.y, places[i - 1] + gap) : end.y));
      // Half of the shift upwards, so that names stay near their lines.
      const shift = Math.max(0, ...column.map((end, i) => places[i] - end.y)) / 2;
      column.forEach((end, i) => moved.set(end.name, Math.round(places[i] - shift - end.y)));
    }
    return moved;
  }

  function linesOption(t, spec, size, width, height) {
    const format = AXIS[spec.unit];
    const ys = spec.lines.flatMap((line) => line.points.flatMap(([, y, min, max]) => [y, min, max]));
    const longest = Math.max(...spec.lines.map((line) => line.name.length), 0);
    const range = ys.length ? [Math.min(...ys) / 1.3, Math.max(...ys) * 1.3] : [1, 10];
    const xs = spec.xs;
    const moved = apart(spec.lines, range, height - size * 2.4 - 14, size);
    const common = { splitLine: { lineStyle: { color: t.line } }, axisLine: { show: false }, axisTick: { show: false } };
    const axisLabel = { color: t.muted, fontSize: size - 1, hideOverlap: true };
    const yTicks = ticks(range, size * 26, { axisLabel: { ...axisLabel, formatter: format }, splitLine: common.splitLine });
    return {
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif', fontSize: size },
      grid: { left: 4, right: longest * size * 0.62 + 16, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      tooltip: {
        trigger: 'axis', confine: true, transitionDuration: 0, backgroundColor: t.panel, borderColor: t.muted, textStyle: { color: t.ink, fontSize: size },
        axisPointer: { type: 'line', lineStyle: { color: t.muted }, label: { show: false } },
        formatter: (items) => {
          const x = items[0]?.value[0];
          const rows = spec.lines.flatMap((line) => line.points.filter((p) => p[0] === x).map((p) => [line.name, p[4]]));
          return rows.length ? tipTable(`${AXIS.plain(x)} ${spec.of}${x === 1 ? '' : 's'}`, rows) : '';
        },
      },
      xAxis: { ...common, type: 'log', logBase: 10, min: xs[0], max: xs.at(-1),
        axisLabel: { ...axisLabel, customValues: xs, formatter: (x) => `${AXIS.plain(x)}${x === xs[0] ? ` ${spec.of}${x === 1 ? '' : 's'}` : ''}`, alignMinLabel: 'left', showMinLabel: true, showMaxLabel: true, hideOverlap: false },
        axisTick: { show: false, customValues: xs } },
      yAxis: { ...common, type: 'log', logBase: 10, min: range[0], max: range[1], ...yTicks },
      series: spec.lines.map((line) => ({
        type: 'line', name: line.name, symbol: line.level ? 'none' : turnOf(line).symbol, symbolSize: size * 0.6, clip: false,
        data: line.points.map((p) => [p[0], p[1]]), itemStyle: { color: t.series(line.colour) },
        lineStyle: { width: line.level ? 1 : 2.5, type: line.level ? 'dotted' : turnOf(line).type, color: t.series(line.colour) },
        endLabel: { show: true, formatter: line.name, color: t.ink, fontSize: size, fontWeight: line.level ? 400 : 600, distance: 8, offset: [0, moved.get(line.name)] },
        emphasis: { disabled: true },
        markLine: { symbol: 'none', silent: true, animation: false, label: { show: false }, lineStyle: { color: t.series(line.colour), width: 1.5, type: 'solid' },
          data: line.points.map((p) => [{ coord: [p[0], p[2]] }, { coord: [p[0], p[3]] }]) },
      })),
    };
  }

  // --- drawing ---

  function draw(plot) {
    const spec = DATA[plot.dataset.chart];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const width = printing ? PRINT_WIDTH : plot.clientWidth;
    if (!spec || !(width > 0)) return;
    const size = printing ? 12 : Math.round(rem * 0.875);
    const lines = spec.kind === 'lines';
    const height = Math.round(lines ? Math.min(width * 0.62, size * 24) : spec.rows.length * size * ROW + size * 2.4);
    const t = theme();
    plot.style.height = height + 'px';
    const chart = drawn.get(plot) ?? echarts.init(plot, null, { renderer: 'svg', width, height });
    drawn.set(plot, chart);
    chart.resize({ width, height, silent: true });
    chart.setOption(lines ? linesOption(t, spec, size, width, height) : rowsOption(t, spec, size, width), true);
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
