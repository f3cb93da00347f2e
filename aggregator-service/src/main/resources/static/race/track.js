import { byId, children, fill, setText } from '../page/dom.js';
import { clock, grouped, NONE, percentMore, tick, twoDigits } from '../page/format.js';
import { roundUp, ticks } from '../page/scale.js';
import { Fan } from './fan.js';

const FIRST_END = 0.02; // seconds; the axis grows as a race goes on
const REPLAY_SECONDS = 6;

/** The lanes of a race on one axis of time, and the clock: as it is run, and again in slow motion. */
export class Track {
  #palette; #lanes = []; #nodes = []; #fans = new Map(); #end = FIRST_END; #frame; #isRunning = false;

  constructor(palette) {
    this.#palette = palette;
    new ResizeObserver(() => this.draw()).observe(byId('lanes'));
  }

  /** Those that would race. */
  offer(lanes) {
    this.#set(lanes);
    setText(byId('track-title'), 'Ready');
    this.draw();
  }

  /** Draws the lanes as they fill, until {@link finish}. */
  run(lanes) {
    this.#end = FIRST_END;
    this.#set(lanes);
    this.#start();
    const frame = () => {
      this.#frame = requestAnimationFrame(frame);
      const running = lanes.find((lane) => lane.sent != null && !lane.ended);
      const now = running ? (performance.now() - running.sent) / 1000 : 0;
      const last = Math.max(now, slowest(lanes));
      if (last > this.#end) {
        this.#end = roundUp(last * 1.2);
        this.#restart();
      }
      if (running) this.#title(`Asking ${running.variant}`, now);
      lanes.forEach((lane) => this.#show(lane, lane === running ? now : Infinity, lane === running));
    };
    frame();
  }

  finish() {
    cancelAnimationFrame(this.#frame);
    this.#isRunning = false;
    this.#end = roundUp(slowest(this.#lanes));
    this.#title(title(this.#lanes), slowest(this.#lanes));
    this.draw();
  }

  /** All lanes set off together, so slowed down that the slowest takes some seconds. */
  replay() {
    const end = slowest(this.#lanes);
    const slowed = Math.max(1, REPLAY_SECONDS / end);
    const start = performance.now();
    this.#start();
    return new Promise((resolve) => {
      const frame = () => {
        const now = Math.min(end, (performance.now() - start) / 1000 / slowed);
        this.#title(slowed > 1 ? `Slowed down ${grouped(twoDigits(slowed))} times` : 'As fast as it was', now);
        for (const lane of this.#lanes) this.#show(lane, now, now < (lane.seconds ?? end));
        if (now < end) this.#frame = requestAnimationFrame(frame);
        else resolve(this.finish());
      };
      frame();
    });
  }

  #start() {
    cancelAnimationFrame(this.#frame);
    this.#isRunning = true;
    this.#restart();
  }

  /** Anew, as it stands: after a change of size, colours or view. */
  draw() {
    this.#restart();
    for (const lane of this.#lanes) this.#show(lane, Infinity, false);
  }

  #set(lanes) {
    this.#lanes = lanes;
    this.#nodes = children(byId('lanes'), 'lane', lanes.map((lane) => lane.variant));
    this.#fans = new Map(lanes.map((lane, i) => [lane.variant, new Fan(this.#nodes[i].querySelector('canvas'))]));
  }

  #restart() {
    this.#lanes.forEach((lane, i) => {
      this.#palette.paint(this.#nodes[i], lane.variant);
      this.#fans.get(lane.variant).clear(this.#isRunning || lane.sent == null ? lane.n : 0, this.#end, this.#palette.css(lane.variant));
    });
    const marks = ticks(this.#end);
    const format = tick(clock);
    children(byId('race-axis'), 'tick', marks.map(String)).forEach((node, i) => {
      node.style.left = `${(100 * i) / (marks.length - 1)}%`;
      setText(node, i ? format(marks[i]) : '0');
    });
  }

  #show(lane, seconds, isRunning) {
    const node = this.#nodes[this.#lanes.indexOf(lane)];
    node.classList.toggle('running', isRunning);
    node.classList.toggle('failed', lane.failure != null && !isRunning);
    this.#fans.get(lane.variant).advance(lane, seconds);
    node.style.setProperty('--at', Math.min(1, seconds / this.#end));
    const isOver = lane.ended && !isRunning;
    const first = Math.min(...this.#lanes.map((other) => other.seconds ?? Infinity));
    fill(node, {
      name: lane.variant,
      replies: this.#replies(lane, seconds),
      time: isOver ? (lane.failure ? 'failed' : clock(lane.seconds)) : NONE,
      ratio: isOver && lane.seconds > first ? ratioText(lane.seconds / first) : '',
    });
  }

  #replies(lane, seconds) {
    if (lane.sent != null) return `${grouped(lane.countAt(seconds))} of ${grouped(lane.n)} replies`;
    return this.#isRunning ? 'waits for its turn' : '';
  }

  #title(text, seconds) {
    setText(byId('track-title'), text);
    setText(byId('race-clock'), clock(seconds));
  }
}

const ratioText = (ratio) => (ratio < 2 ? `+${percentMore(ratio)}` : `${twoDigits(ratio)}×`);

/** When the last reply of all lanes came; a little more than nothing where none did. */
const slowest = (lanes) => Math.max(1e-4, ...lanes.map((lane) => lane.times[lane.count - 1] ?? 0));

function title(lanes) {
  const right = lanes.filter((lane) => lane.seconds != null).sort((a, b) => a.seconds - b.seconds);
  return right.length ? `${right[0].variant} ${right.length > 1 ? 'was first' : 'answered'}` : 'No right answer';
}
