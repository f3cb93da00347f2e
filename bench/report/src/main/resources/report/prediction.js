// What a load would cost, as Predictor.java calculates it: processors by process and the median of requests. The models
// come with the page; PredictionScriptTests holds both calculations against each other.
const prediction = (() => {
  const REACH = 2; // Range.java
  const BUSIEST = 0.95; // LatencyModel.java

  const whole = (number) => Math.round(number).toLocaleString('en-US');

  function counted(load) {
    const messages = Math.ceil(load.calls / load.size);
    const size = Math.min(load.size, load.calls);
    return {
      messages, size,
      'calls a request': load.calls, 'calls a message': size, 'requests a second': load.rate,
      'messages a second': load.rate * messages, 'calls a second': load.rate * load.calls,
      'bytes of payload': load.payload, 'bytes a message': size * load.payload,
      'bytes a request': load.calls * load.payload, 'bytes a second': load.rate * load.calls * load.payload,
    };
  }

  const sum = (terms, coefficients) => terms.reduce((all, term, i) => all + term * coefficients[i], 0);

  function cores(process, load, of) {
    const messages = of['messages a second'];
    const inputs = of['calls a second'];
    const stream = load.exchange === 'stream';
    const alone = 1 / (1 + (of.messages - 1 + messages * process.seconds) / process.messages);
    return process.idle + sum([
      load.rate, stream ? 0 : messages, stream ? messages : 0, inputs, inputs * load.payload, messages * alone,
      stream ? load.rate : 0,
    ], process.coefficients);
  }

  // RowPath.java
  function messagesOf(bounds, load, of) {
    const most = Math.min(bounds.messages, Math.floor(bounds.inputs / of.size));
    const bytes = of['bytes a message'];
    return Math.max(1, bytes === 0 ? most : Math.min(most, Math.floor(bounds.bytes / bytes)));
  }
  const inFlight = (path, load, of) => messagesOf(load.exchange === 'stream' ? path.streams : path.all, load, of);
  const turns = (path, load, of) => Math.max(
    Math.ceil(of.messages / messagesOf(path.request, load, of)), Math.ceil(of.messages / inFlight(path, load, of)));

  function p50(row, load, of, distance, busy) {
    const stream = load.exchange === 'stream';
    const own = [1, stream ? 0 : of.messages, stream ? of.messages : 0, load.calls, of['bytes a request']];
    const queue = Math.min(busy, BUSIEST) / (1 - Math.min(busy, BUSIEST));
    return turns(row.path, load, of) * distance + sum([...own, ...own.map((term) => term * queue)], row.latency);
  }

  /** {refusal} or {cores by role, system, p50 or null}; why there is no p50. */
  function predict(row, load, machine) {
    if (row.refusal) return { refusal: row.refusal };
    const of = counted(load);
    const most = row.most[load.exchange];
    if (!most) return { refusal: `${load.exchange} was not measured at three rates` };
    const distance = row.path.links * load.distance / 1e3;
    if (distance >= row.path.deadline) {
      return { refusal: `a call would wait ${whole(1e3 * distance)} ms for the distance alone, and its deadline is ${whole(1e3 * row.path.deadline)} ms` };
    }
    const beyond = Object.keys(most).find((what) => of[what] > REACH * most[what]);
    if (beyond) return { refusal: `${whole(of[beyond])} ${beyond} are more than twice what was measured, ${whole(most[beyond])}` };
    const byRole = Object.fromEntries(Object.entries(row.processes).map(([role, process]) => [role, cores(process, load, of)]));
    const system = Object.values(byRole).reduce((a, b) => a + b, 0);
    const why = !row.latency.length ? 'too few rates'
      : system > row.busiest ? 'busier than measured'
      : of['messages a second'] * distance >= inFlight(row.path, load, of) ? 'too much in flight' : '';
    return { cores: byRole, system, p50: why ? null : p50(row, load, of, distance, (system + cores(row.generator, load, of)) / machine), why };
  }

  return { predict };
})();

// Which rows fit a need, as Adviser.java and AdviceText.java say it; AdviceScriptTests holds both against each other.
const advice = (() => {
  const SAME_RATE = 1.2; // Range.java

  const listed = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);
  const named = (groups) => Object.entries(groups).map(([what, rows]) => `${listed(rows)}: ${what}`).join('; ');
  const grouped = (rows, by) => rows.reduce((all, row) => ({ ...all, [by(row)]: [...(all[by(row)] ?? []), row] }), {});
  const factor = (a, b) => Math.max(a, b) / Math.min(a, b);

  /** The measured load of the same shape with the nearest rate, if it says the same. */
  function near(all, load) {
    return all.filter((one) => load.distance === 0 && ['exchange', 'calls', 'size', 'payload'].every((key) => one[key] === load[key])
      && factor(one.rate, load.rate) <= SAME_RATE).sort((a, b) => factor(a.rate, load.rate) - factor(b.rate, load.rate))[0];
  }

  function measured(load, name, calls) {
    const known = load.figures[name];
    if (!known) return { refusal: load.refusals[name] };
    return {
      system: calls * known.system.value, low: calls * known.system.low, high: calls * known.system.high, p50: known.p50,
      cores: Object.fromEntries(Object.entries(known.cores).map(([role, cores]) => [role, calls * cores])),
    };
  }

  function predicted(data, load, name) {
    const model = data.rows.find((row) => row.row === name);
    if (!model) return { refusal: data.without[name] };
    const known = prediction.predict(model, load, data.cores);
    return known.refusal ? known
      : { ...known, low: known.system / (1 + model.cpuWithin), high: known.system * (1 + model.cpuWithin), within: model.latencyWithin };
  }

  /** @param need {mayBeLost, outlivesRestart, brokers} */
  function answer(data, load, need) {
    const needed = need.outlivesRestart ? 2 : need.mayBeLost ? 0 : 1; // Outlives.java
    const basis = near(data.measured, load);
    const fitting = [];
    const without = { ...data.unknown };
    const unfit = {};
    for (const [name, { level, outlives }] of Object.entries(data.needs)) {
      if (level < needed) {
        unfit[name] = outlives;
        continue;
      }
      const figures = basis ? measured(basis, name, load.rate * load.calls) : predicted(data, load, name);
      if (figures.refusal) without[name] = figures.refusal;
      else fitting.push({ row: name, ...figures });
    }
    fitting.sort((a, b) => a.system - b.system);
    const ties = (a, b) => (basis ? basis.figures[a.row].ties.includes(b.row) : a.low <= b.high && b.low <= a.high);
    const tied = fitting.filter((one, i) => fitting.slice(0, i).every((cheaper) => ties(one, cheaper))).map((one) => one.row);
    const operation = (name) => {
      const { broker } = data.needs[name];
      return !broker ? 'no broker' : `${broker}, ${need.brokers.includes(broker) ? 'there' : 'new'}`;
    };
    const answered = {
      measured: basis?.text ?? null, rows: fitting, tied, without, unfit,
      guarantee: grouped(tied, (name) => data.needs[name].outlives), operation: grouped(tied, operation),
      batching: data.batching.filter((one) => one.row in data.needs && !(one.row in unfit)),
    };
    return { ...answered, sentences: sentences(answered, load) };
  }

  function verdict({ measured, rows, tied }) {
    if (!tied.length) return 'No row that was measured fits and has a figure.';
    if (rows.length === 1) return `Only ${tied[0]} fits and has a figure.`;
    if (tied.length > 1) {
      return `The figures name no single row. Tied are ${listed(tied)}: ${measured ? 'this run could not tell their costs apart.' : 'their ranges overlap.'}`;
    }
    return `The figures name one: ${tied[0]}. ${measured ? 'Each other row that fits costs more beyond doubt (99 %).'
      : 'The range of each other row that fits is above its range.'}`;
  }

  const breaks = (what, groups) => (Object.keys(groups).length === 1
    ? `${what} does not break the tie: ${Object.keys(groups)[0]}, with each.` : `${what} may break the tie (${named(groups)}).`);

  function batching({ batching }, load) {
    if (load.calls === 1) return ['Batching changes nothing: a request has one call.'];
    const none = 'The results hold no batches of these rows: ./chatterbox compare --preset cure measures them, and docs/cure.md has older figures.';
    return [...batching.map((one) => one.text), ...(batching.some((one) => one.batch) ? [] : [none])];
  }

  function sentences(found, load) {
    const all = [verdict(found)];
    if (found.tied.length > 1) {
      all.push(breaks('What a request outlives', found.guarantee), breaks('The broker to operate', found.operation));
    }
    if (found.tied.length) all.push(...batching(found, load));
    const sorted = (rows) => grouped(Object.keys(rows).sort(), (name) => rows[name]);
    all.push(...Object.entries(sorted(found.without)).map(([reason, rows]) => `No figure for ${listed(rows)}: ${reason}.`));
    if (Object.keys(found.unfit).length) {
      all.push(`These do not fit, because a request outlives too little (${named(sorted(found.unfit))}).`);
    }
    return all;
  }

  return { answer };
})();
if (typeof document !== 'undefined') (() => {
  const embedded = document.getElementById('prediction-data');
  if (!embedded) return;
  const data = JSON.parse(embedded.textContent);
  const form = document.getElementById('load');
  const body = document.getElementById('predicted');
  const advised = document.getElementById('advised');
  const digits = (x) => (x >= 99.95 ? x.toFixed(0) : Number(x.toPrecision(3)).toString());
  const time = (s) => (s < 0.0009995 ? digits(s * 1e6) + ' µs' : s < 0.9995 ? digits(s * 1e3) + ' ms' : digits(s) + ' s');
  const range = (low, high, text) => (Number.isFinite(low) ? `${text(low)} – ${text(high)}` : '');
  // A slider's position is a power, so that 1 and 1000 are both within reach; 0 stays 0.
  const amount = (slider) => (Number(slider.value) === Number(slider.min) && slider.dataset.zero ? 0 : Math.round(10 ** slider.value));

  function show() {
    const batch = form.exchange.value === 'batch';
    form.size.disabled = !batch;
    const load = {
      exchange: form.exchange.value, calls: amount(form.calls), size: batch ? amount(form.size) : 1,
      rate: amount(form.rate), payload: amount(form.payload), distance: amount(form.distance),
    };
    for (const slider of form.querySelectorAll('input[type=range]')) {
      form.querySelector(`output[for=${slider.id}]`).textContent = slider.disabled ? '–' : amount(slider).toLocaleString('en-US');
    }
    const found = advice.answer(data, load, {
      mayBeLost: form.lost.value === 'yes', outlivesRestart: form.restart.value === 'yes',
      brokers: [...form.querySelectorAll('[name=broker]:checked')].map((box) => box.value),
    });
    body.replaceChildren(...found.rows.map((one) => {
      const line = document.createElement('tr');
      const cell = (text, name = 'td') => {
        const field = document.createElement(name);
        field.textContent = text;
        line.append(field);
        return field;
      };
      Object.assign(cell(one.row, 'th'), { scope: 'row', className: 'w' });
      cell(found.tied.length > 1 && found.tied.includes(one.row) ? 'tied' : '');
      cell(digits(one.system));
      for (const role of ['aggregator', 'responder', 'broker']) cell(role in one.cores ? digits(one.cores[role]) : '');
      cell(range(one.low, one.high, digits));
      cell(one.p50 == null ? one.why ?? '' : time(one.p50));
      cell(one.p50 == null || !one.within ? '' : range(one.p50 / (1 + one.within), one.p50 * (1 + one.within), time));
      return line;
    }));
    const basis = found.measured ? `This load was measured (${found.measured}); the range is the 99 % interval.` : 'This load was not measured: the figures are predicted.';
    advised.replaceChildren(...[...found.sentences, basis].map((sentence) => Object.assign(document.createElement('p'), { textContent: sentence })));
  }

  form.addEventListener('input', show);
  show();
})();
