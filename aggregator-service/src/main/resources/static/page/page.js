import { byId, setText } from './dom.js';
import { list } from './format.js';
import { listen } from './connection.js';
import { listenForKeys } from './keys.js';
import { Palette } from './palette.js';
import { Catalogue } from './catalogue.js';
import { switchViews } from './views.js';
import { LiveView } from '../live/view.js';
import { Samples } from '../live/samples.js';
import { RaceView } from '../race/view.js';
import { PathsView } from '../paths/view.js';
import { WaterfallView } from '../waterfall/view.js';
import { controlService } from '../control/service.js';
import { ControlView } from '../control/view.js';

const samples = new Samples();
const palette = new Palette();
const catalogue = new Catalogue(schedule);
const race = new RaceView(samples, palette, schedule);
const paths = new PathsView(palette);
const waterfall = new WaterfallView(palette);
const control = new ControlView(controlService(), palette, schedule);
const live = new LiveView(samples, palette, control.processes);
let known = ''; // names and states in the latest sample, to see when the catalogue is out of date
let scheduled = false;

/** At most one drawing a frame; a tab in the background gets no frames and only collects. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; draw(); });
}

function draw() {
  const transports = catalogue.with(samples.latest?.transports ?? {});
  const enabled = transports.filter((t) => t.state !== 'disabled').map((t) => t.name);
  palette.show([...enabled, ...samples.names()]);
  setText(byId('question'), `What do N backend calls per request cost over ${list(enabled) || 'each transport'}?`);
  live.draw(transports);
  race.offer(transports);
  paths.draw(transports, catalogue.problem);
  control.draw(transports);
  waterfall.offer(transports);
}

function receive(sample) {
  samples.add(sample);
  const now = JSON.stringify(Object.entries(sample.transports).map(([name, t]) => [name, t.state]));
  if (now !== known) catalogue.load();
  known = now;
  schedule();
}

function receiveHistory(history) {
  samples.addHistory(history);
  schedule();
}

switchViews(schedule);
listenForKeys();
byId('span').addEventListener('change', schedule);
document.addEventListener('appearancechange', schedule);
addEventListener('beforeprint', draw); // paper waits for no frame
listen({ onHistory: receiveHistory, onSample: receive, onOpen: () => catalogue.load(), onLost: () => samples.interrupt() });
catalogue.load(); // also without a connection: the cards then show what is known
schedule();
