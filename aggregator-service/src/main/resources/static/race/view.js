import { byId, children, fill, setText } from '../page/dom.js';
import { grouped } from '../page/format.js';
import { mostCalls, presets, steps } from './calls.js';
import { RaceHistory } from './history.js';
import { Lane } from './lane.js';
import { Past } from './past.js';
import { callsSoFar, send } from './request.js';
import { Track } from './track.js';
import { words } from './words.js';

const FIRST_N = 1000;
const MOST = 10_000; // what an aggregator has unless it is told otherwise
const SETTLED_MS = 2500; // by then the samples no longer show our own last race

/** One request over each chosen variant, one after the other; the form, the lanes, the result and the history. */
export class RaceView {
  #samples; #palette; #changed; #history = new RaceHistory(); #past; #track;
  #variants = []; #steps = []; #unchosen = new Set(); #isRacing = false; #lastEnd = -Infinity; #appearance;

  /** @param changed called where {@link offer} is to be called again */
  constructor(samples, palette, changed) {
    this.#samples = samples;
    this.#palette = palette;
    this.#changed = changed;
    this.#track = new Track(palette);
    this.#past = new Past(this.#history, palette);
    byId('race').addEventListener('submit', (event) => { event.preventDefault(); this.#race(); });
    byId('race-replay').addEventListener('click', () => this.#replay());
    byId('race-variants').addEventListener('change', ({ target }) => this.#choose(target));
    byId('race-n').addEventListener('input', () => this.#showN());
    byId('race-presets').addEventListener('click', ({ target }) => {
      if (target.dataset.n) this.#setN(Number(target.dataset.n));
    });
    this.#offerCalls(MOST);
    mostCalls().then((most) => { if (most !== MOST) this.#offerCalls(most); }, () => { /* then it is as it mostly is */ });
  }

  #offerCalls(most) {
    this.#steps = steps(most);
    byId('race-n').max = this.#steps.length - 1;
    const tens = presets(most);
    children(byId('race-presets'), 'preset', tens.map(String)).forEach((button, i) => {
      button.dataset.n = tens[i];
      setText(button, grouped(tens[i]));
    });
    this.#setN(Math.min(FIRST_N, most));
  }

  #setN(n) {
    byId('race-n').value = this.#steps.indexOf(n);
    this.#showN();
  }

  get #n() {
    return this.#steps[Number(byId('race-n').value)];
  }

  #showN() {
    setText(byId('race-n-value'), grouped(this.#n));
    byId('race-n').setAttribute('aria-valuetext', `${grouped(this.#n)} calls`);
  }

  /** A box for each variant; one that is down stays available, to see how it fails. */
  offer(transports) {
    const labels = children(byId('race-variants'), 'choice', transports.map((t) => t.name));
    transports.forEach(({ name, state }, i) => {
      const box = labels[i].querySelector('input');
      box.value = name;
      box.disabled = state === 'disabled';
      box.checked = !box.disabled && !this.#unchosen.has(name);
      labels[i].dataset.state = state;
      this.#palette.paint(labels[i], name);
      fill(labels[i], { name });
    });
    const variants = transports.filter((t) => t.state !== 'disabled' && !this.#unchosen.has(t.name)).map((t) => t.name);
    const appearance = JSON.stringify([variants, this.#palette.names, { ...document.documentElement.dataset }]);
    if (appearance === this.#appearance) return;
    this.#appearance = appearance;
    if (variants.join() === this.#variants.join()) {
      this.#track.draw();
    } else {
      this.#variants = variants;
      if (!this.#isRacing) {
        this.#track.offer(this.#lanes());
        byId('race-replay').disabled = true;
      }
    }
    this.#past.draw();
  }

  #choose(box) {
    if (box.checked) this.#unchosen.delete(box.value);
    else this.#unchosen.add(box.value);
    this.#changed();
  }

  async #race() {
    // Not the button's `disabled`: it would take the focus away from the keyboard's user.
    if (this.#isRacing || !this.#variants.length) return;
    this.#isRacing = true;
    byId('race').classList.add('busy');
    const isBusy = this.#hasOtherWork();
    const lanes = this.#lanes();
    this.#track.run(lanes);
    for (const lane of lanes) lane.callsBefore = await callsSoFar(lane.variant);
    // Each race begins with another variant, so that being first or last hits all alike.
    const turn = this.#history.length % lanes.length;
    for (const lane of [...lanes.slice(turn), ...lanes.slice(0, turn)]) await send(lane);
    this.#track.finish();
    this.#history.add(lanes);
    this.#past.show(lanes[0].n);
    this.#say(words(lanes, this.#history.summaries(lanes[0].n), isBusy));
    byId('race-replay').disabled = !lanes.some((lane) => lane.count);
    byId('race').classList.remove('busy');
    this.#lastEnd = performance.now();
    this.#isRacing = false;
  }

  #lanes() {
    return this.#variants.map((variant) => new Lane(variant, this.#n));
  }

  #hasOtherWork() {
    const live = Object.values(this.#samples.latest?.transports ?? {});
    return performance.now() - this.#lastEnd > SETTLED_MS && live.some((transport) => transport.calls > 0 || transport.inFlight > 0);
  }

  #say({ headline, remarks }) {
    const first = document.createElement('p');
    first.className = 'headline';
    first.textContent = headline;
    const list = document.createElement('ul');
    list.append(...remarks.map((remark) => Object.assign(document.createElement('li'), { textContent: remark })));
    byId('race-words').replaceChildren(first, list);
  }

  async #replay() {
    if (this.#isRacing) return;
    this.#isRacing = true;
    await this.#track.replay();
    this.#isRacing = false;
  }
}
