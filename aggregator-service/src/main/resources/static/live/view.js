import { byId, children, fill } from '../page/dom.js';
import { count, duration, NONE, rate } from '../page/format.js';
import { Charts } from './charts.js';
import { Hint } from './hint.js';

const WHY_CPU = {
  system: 'of aggregator, responder and broker together',
  idle: 'no calls in the last second',
  shared: 'other transports have calls in the same process',
  'few calls': 'fewer than 100 calls/s: the process’s own idle work would outweigh them',
};

/** What happens now: a card and a line of the table for each transport, and the charts. */
export class LiveView {
  #samples; #palette; #processes; #charts; #hint;

  /** @param processes what the control service tells of them; nothing where there is no such service */
  constructor(samples, palette, processes) {
    this.#processes = processes;
    this.#samples = samples;
    this.#palette = palette;
    this.#charts = new Charts(palette);
    this.#hint = new Hint(samples);
  }

  draw(transports) {
    if (transports.length) this.#drawTransports(transports);
    const minutes = Number(byId('span').querySelector(':checked').value);
    this.#charts.update(this.#samples.all, this.#samples.names(), minutes);
    this.#hint.draw(transports);
  }

  #drawTransports(transports) {
    const names = transports.map((t) => t.name);
    const cards = children(byId('cards'), 'card', names);
    const variants = children(byId('variants'), 'variant', names);
    transports.forEach((transport, i) => {
      const fields = this.#fieldsOf(transport);
      for (const node of [cards[i], variants[i]]) {
        this.#palette.paint(node, transport.name);
        node.dataset.state = transport.state;
        node.classList.toggle('failing', fields.failures !== '0' && fields.failures !== NONE);
        fill(node, fields);
      }
      cards[i].querySelector('.reason').title = fields.reason;
      cards[i].querySelector('.about').title = fields.about;
      cards[i].querySelector('[data-f=cpuWhy]').title = WHY_CPU[fields.cpuWhy] ?? '';
    });
  }

  /** Of the system where all of its processes are known, else of the aggregator. */
  #cpuPerCall(transport) {
    const own = this.#samples.cpuPerCall(transport.name);
    if (own.value == null || own.seconds < 3) return own;
    const names = ['aggregator-service', transport.responder, transport.broker].filter(Boolean);
    const cores = names.map((name) => this.#processes.cores(name, Math.floor(own.seconds)));
    return cores.includes(null) ? own : { value: cores.reduce((sum, each) => sum + each) / own.rate, reason: 'system' };
  }

  #fieldsOf(transport) {
    const failed = Object.entries(transport.outcomes ?? {}).filter(([outcome, perSecond]) => outcome !== 'ok' && perSecond > 0);
    const cpu = this.#cpuPerCall(transport);
    return {
      name: transport.name, kind: transport.kind, about: transport.about ?? '', state: transport.state, reason: breakable(transport.reason ?? ''),
      requests: rate(transport.requests), calls: rate(transport.calls),
      callP50: duration(transport.callP50), callP99: duration(transport.callP99),
      requestP50: duration(transport.requestP50), requestP99: duration(transport.requestP99),
      inFlight: count(transport.inFlight), waiting: count(transport.waiting),
      failures: rate(transport.outcomes && failed.reduce((sum, [, perSecond]) => sum + perSecond, 0)),
      outcomes: failed.map(([outcome, perSecond]) => `${outcome} ${rate(perSecond)}/s`).join(', '),
      cpuPerCall: duration(cpu.value), cpuWhy: cpu.reason ?? '',
    };
  }
}

/** Lets a long property name or address break where a reader would break it. */
const breakable = (text) => text.replace(/[.:=/](?=\S)/g, '$&\u200b');
