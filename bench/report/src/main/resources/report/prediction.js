// What a load would cost, as Predictor.java calculates it: processors by process and the median of requests. The models
// come with the page; PredictionScriptTests holds both calculations against each other.
const prediction = (() => {
  const REACH = 2; // Range.java
  const BUSIEST = 0.95; // LatencyModel.java

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
    if (!most) return { refusal: `${load.exchange} was not measured` };
    const distance = row.path.links * load.distance / 1e3;
    if (distance >= row.path.deadline) return { refusal: 'the distance takes longer than the deadline of a call' };
    const beyond = Object.keys(most).find((what) => of[what] > REACH * most[what]);
    if (beyond) return { refusal: `more than twice the ${beyond} that were measured` };
    const byRole = Object.fromEntries(Object.entries(row.processes).map(([role, process]) => [role, cores(process, load, of)]));
    const system = Object.values(byRole).reduce((a, b) => a + b, 0);
    const why = system > row.busiest ? 'busier than measured'
      : of['messages a second'] * distance >= inFlight(row.path, load, of) ? 'too much in flight' : '';
    return { cores: byRole, system, p50: why ? null : p50(row, load, of, distance, (system + cores(row.generator, load, of)) / machine), why };
  }

  return { predict };
})();
if (typeof document !== 'undefined') (() => {
  const data = document.getElementById('prediction-data');
  if (!data) return;
  const { cores, rows } = JSON.parse(data.textContent);
  const form = document.getElementById('load');
  const body = document.getElementById('predicted');
  const digits = (x) => (x >= 99.95 ? x.toFixed(0) : Number(x.toPrecision(3)).toString());
  const time = (s) => (s < 0.0009995 ? digits(s * 1e6) + ' µs' : s < 0.9995 ? digits(s * 1e3) + ' ms' : digits(s) + ' s');
  const between = (value, error, text) => `${text(value / (1 + error))} – ${text(value * (1 + error))}`;
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
    const found = rows.map((row) => ({ row, ...prediction.predict(row, load, cores) }))
      .sort((a, b) => (a.system ?? Infinity) - (b.system ?? Infinity));
    body.replaceChildren(...found.map(({ row, refusal, cores: used, system, p50, why }) => {
      const line = document.createElement('tr');
      const cell = (text, name = 'td') => {
        const field = document.createElement(name);
        field.textContent = text;
        line.append(field);
        return field;
      };
      Object.assign(cell(row.row, 'th'), { scope: 'row', className: 'w' });
      if (refusal) {
        const reason = cell(refusal);
        reason.colSpan = 7;
        reason.className = 'w';
        return line;
      }
      cell(digits(system));
      for (const role of ['aggregator', 'responder', 'broker']) cell(role in used ? digits(used[role]) : '');
      cell(between(system, row.cpuWithin, digits));
      cell(p50 === null ? why : time(p50));
      cell(p50 === null ? '' : between(p50, row.latencyWithin, time));
      return line;
    }));
  }

  form.addEventListener('input', show);
  show();
})();
