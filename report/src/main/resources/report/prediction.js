// What a load would cost, as Predictor.java calculates it: processors by process and the median of requests. The models
// come with the page; PredictionScriptTests holds both calculations against each other.
const prediction = (() => {
  const REACH = 2; // Range.java
  const BUSIEST = 0.95; // LatencyModel.java

  function counted(load) {
    const messages = Math.ceil(load.calls / load.size);
    return {
      messages,
      'calls a request': load.calls, 'calls a message': load.size, 'bytes of payload': load.payload,
      'milliseconds of distance': load.distance, 'requests a second': load.rate,
      'messages a second': load.rate * messages, 'calls a second': load.rate * load.calls,
    };
  }

  const sum = (terms, coefficients) => terms.reduce((all, term, i) => all + term * coefficients[i], 0);

  function cores(process, load, of) {
    const messages = of['messages a second'];
    const inputs = of['calls a second'];
    const stream = load.exchange === 'stream';
    const left = 1 / (1 + (of.messages - 1 + messages * process.seconds) / process.messages);
    return process.idle
      + sum([load.rate, stream ? 0 : messages, stream ? messages : 0, inputs, inputs * load.payload, messages * left], process.coefficients);
  }

  function p50(row, load, of, busy) {
    const own = [1, of.messages, load.calls, load.calls * load.payload];
    const queue = Math.min(busy, BUSIEST) / (1 - Math.min(busy, BUSIEST));
    return load.distance / 1e3 * Math.ceil(of.messages / row.inFlight)
      + sum([...own, ...own.map((term) => term * queue)], row.latency);
  }

  /** {refusal} or {cores by role, system, p50 or null}. */
  function predict(row, load, machine) {
    const of = counted(load);
    if (!row.exchanges.includes(load.exchange)) return { refusal: `${load.exchange} was not measured` };
    const beyond = Object.keys(row.most).find((what) => of[what] > REACH * row.most[what]);
    if (beyond) return { refusal: `more than twice the ${beyond} that were measured` };
    const byRole = Object.fromEntries(Object.entries(row.processes).map(([role, process]) => [role, cores(process, load, of)]));
    const system = Object.values(byRole).reduce((a, b) => a + b, 0);
    return { cores: byRole, system, p50: system / machine < BUSIEST ? p50(row, load, of, system / machine) : null };
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
      rate: amount(form.rate), payload: amount(form.payload), distance: 0,
    };
    for (const slider of form.querySelectorAll('input[type=range]')) {
      form.querySelector(`output[for=${slider.id}]`).textContent = slider.disabled ? '–' : amount(slider).toLocaleString('en-US');
    }
    const found = rows.map((row) => ({ row, ...prediction.predict(row, load, cores) }))
      .sort((a, b) => (a.system ?? Infinity) - (b.system ?? Infinity));
    body.replaceChildren(...found.map(({ row, refusal, cores: used, system, p50 }) => {
      const line = document.createElement('tr');
      const cell = (text, name = 'td') => {
        const field = document.createElement(name);
        field.textContent = text;
        line.append(field);
        return field;
      };
      cell(row.row, 'th').scope = 'row';
      if (refusal) {
        const reason = cell(refusal);
        reason.colSpan = 7;
        reason.className = 'w';
        return line;
      }
      cell(digits(system));
      for (const role of ['aggregator', 'responder', 'broker']) cell(role in used ? digits(used[role]) : '');
      cell(between(system, row.cpuWithin, digits));
      cell(p50 === null ? 'no processor left' : time(p50));
      cell(p50 === null ? '' : between(p50, row.latencyWithin, time));
      return line;
    }));
  }

  form.addEventListener('input', show);
  show();
})();
