import { byId, children, fill, Palette, setText } from './live-dom.js';
import { Charts } from './live-charts.js';
import { count, duration, list, NONE, rate } from './live-format.js';
import { Samples } from './live-samples.js';
import { listen } from './live-connection.js';
import { TryIt } from './live-try.js';

const samples = new Samples();
const palette = new Palette();
const charts = new Charts(palette);
const tryIt = new TryIt(byId('try'), palette);
let catalogue = []; // GET /transports
let known = '';     // names and states in the latest sample, to see when the catalogue is out of date
let minutes = 1;
let scheduled = false;
let retry;

const WHY_NO_CPU = {
  idle: 'no calls in the last second',
  shared: 'other transports run in the same process',
  'few calls': 'fewer than 100 calls/s: the process’s own idle work would outweigh them',
};

/** At most one drawing a frame; a tab in the background gets no frames and only collects. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; draw(); });
}

function draw() {
  const live = samples.latest?.transports ?? {};
  const names = [...new Set([...catalogue.map((t) => t.name), ...Object.keys(live)])].sort();
  const drawn = samples.names();
  const isDisabled = (name) => describe(name).state === 'disabled';
  const enabled = names.filter((name) => !isDisabled(name));
  const transports = [...enabled, ...names.filter(isDisabled)].map(describe);
  palette.names = [...new Set([...enabled, ...drawn])].sort();
  if (names.length) drawTransports(transports);
  setText(byId('question'), `What do N backend calls per request cost over ${list(enabled) || 'each transport'}?`);
  tryIt.offer(transports);
  charts.update(samples.all, drawn, minutes);
  drawHint();
}

/** What is known of a transport: its latest sample over its entry in the catalogue. */
function describe(name) {
  const entry = catalogue.find((t) => t.name === name) ?? {};
  return { kind: '', state: 'unknown', ...entry, ...samples.latest?.transports[name], name };
}

function drawTransports(transports) {
  const names = transports.map((t) => t.name);
  const cards = children(byId('cards'), 'card', names);
  const rows = children(byId('rows'), 'row', names);
  transports.forEach((transport, i) => {
    const fields = fieldsOf(transport);
    for (const node of [cards[i], rows[i]]) {
      palette.paint(node, transport.name);
      node.dataset.state = transport.state;
      node.classList.toggle('failing', fields.failures !== '0' && fields.failures !== NONE);
      fill(node, fields);
    }
    cards[i].querySelector('.reason').title = fields.reason;
    cards[i].querySelector('.about').title = fields.about;
    cards[i].querySelector('[data-f=cpuWhy]').title = WHY_NO_CPU[fields.cpuWhy] ?? '';
  });
}

/** Lets a long property name or address break where a reader would break it. */
const breakable = (text) => text.replace(/[.:=/](?=\S)/g, '$&\u200b');

function fieldsOf(transport) {
  const failed = Object.entries(transport.outcomes ?? {}).filter(([outcome, perSecond]) => outcome !== 'ok' && perSecond > 0);
  const cpu = samples.cpuPerCall(transport.name);
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

function drawHint() {
  byId('hint').hidden = !samples.latest || samples.hasLoad;
  if (byId('hint').hidden) return;
  const up = catalogue.find((t) => describe(t.name).state === 'up');
  // curl's own [1-1000] sends the request a thousand times: enough to see the lines move.
  const url = up && new URL(`${encodeURIComponent(up.name)}/square/unary/100#[1-1000]`, document.baseURI);
  setText(byId('hint-text'), up
    ? 'Paste this into a terminal, for a thousand requests of a hundred calls each:'
    : 'No transport is up: start a responder, and its broker where it has one.');
  setText(byId('curl'), up ? `curl -s -o /dev/null "${decodeURI(url.href)}"` : '');
  byId('curl').parentElement.hidden = !up;
}

async function loadCatalogue() {
  try {
    const response = await fetch('transports', { cache: 'no-store', headers: { Accept: 'application/json' } });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    catalogue = await response.json();
    drawSettings();
    schedule();
  } catch (e) {
    setText(byId('settings-note'), `GET /transports failed: ${e.message}. Trying again every ten seconds.`);
    clearTimeout(retry);
    retry = setTimeout(loadCatalogue, 10_000);
  }
}

/** One row for each setting, one column for each transport. */
function drawSettings() {
  const transports = [...catalogue].sort((a, b) => (a.name < b.name ? -1 : 1));
  const keys = [...new Set(transports.flatMap((t) => Object.keys(t.settings ?? {})))].sort();
  const row = (tag, head, cells) => {
    const tr = document.createElement('tr');
    tr.append(...[head, ...cells].map((text, i) => {
      const cell = document.createElement(i ? tag : 'th');
      cell.textContent = text;
      if (cell.tagName === 'TH') cell.scope = tag === 'th' ? 'col' : 'row';
      return cell;
    }));
    return tr;
  };
  byId('settings').replaceChildren(row('th', 'Setting', transports.map((t) => t.name)),
    row('td', 'what it is', transports.map((t) => t.about ?? NONE)),
    ...keys.map((key) => row('td', key, transports.map((t) => String(t.settings?.[key] ?? NONE)))));
  setText(byId('settings-note'), keys.length ? 'As the running aggregator reports them.' : 'No transport reports a setting.');
}

function receive(sample) {
  samples.add(sample);
  const now = JSON.stringify(Object.entries(sample.transports).map(([name, t]) => [name, t.state]));
  if (now !== known) loadCatalogue();
  known = now;
  schedule();
}

function receiveHistory(history) {
  samples.addHistory(history);
  schedule();
}

async function copyCommand() {
  // Without HTTPS the clipboard is open to localhost only: then the text is selected, for the user's own Ctrl+C.
  const copied = await navigator.clipboard?.writeText(byId('curl').textContent).then(() => true, () => false);
  if (!copied) getSelection().selectAllChildren(byId('curl'));
  setText(byId('copy'), copied ? 'Copied' : 'Selected');
  setTimeout(() => setText(byId('copy'), 'Copy'), 2000);
}

byId('copy').addEventListener('click', copyCommand);
byId('span').addEventListener('change', (event) => { minutes = Number(event.target.value); schedule(); });
document.addEventListener('themechange', schedule);
listen({ onHistory: receiveHistory, onSample: receive, onOpen: loadCatalogue, onLost: () => samples.interrupt() });
loadCatalogue(); // also without a connection: the cards then show what is known
schedule();
