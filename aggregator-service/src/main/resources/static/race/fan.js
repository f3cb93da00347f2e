import { colour, withAlpha } from '../page/palette.js';

const EDGE = 0.5; // rem, left free on each side
const APART = 2.5; // pixels between the lines that are drawn: no more of them than can be told apart

/**
 * A lane as a fan: from the request on the left a line to each reply, at its time from left to right and at its number from top
 * to bottom. Draws what is new only, so that a frame costs no more with 10,000 calls than with ten.
 */
export class Fan {
  #canvas; #context; #drawn = 0; #rays; #end; #width; #height; #edge; #colours;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
  }

  /**
   * Starts over.
   *
   * @param n how many calls are to be answered, and shown as lines that wait
   * @param end seconds from left to right
   * @param css its colour
   */
  clear(n, end, css) {
    const pixels = devicePixelRatio;
    this.#end = end;
    this.#width = this.#canvas.clientWidth;
    this.#height = this.#canvas.clientHeight;
    this.#canvas.width = Math.round(this.#width * pixels);
    this.#canvas.height = Math.round(this.#height * pixels);
    this.#context.scale(pixels, pixels);
    this.#edge = EDGE * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#drawn = 0;
    const own = colour(css);
    this.#colours = { ray: withAlpha(own, 0.35), dot: own, waiting: colour('var(--line)') };
    this.#rays = new Uint8Array(Math.ceil(this.#height / APART) + 1);
    this.#waiting(n);
  }

  /** Draws the replies that came by `seconds`. */
  advance(lane, seconds) {
    const count = lane.countAt(seconds);
    if (count === this.#drawn) return;
    const size = Math.max(1.5, Math.min(this.#edge, this.#height / lane.n));
    this.#stroke(this.#colours.ray, (path) => {
      for (let i = this.#drawn; i < count; i++) {
        const y = this.#y(lane.numbers[i], lane.n);
        const place = Math.floor(y / APART);
        if (!this.#rays[place]++) path(this.#x(lane.times[i]), y);
      }
    });
    this.#context.fillStyle = this.#colours.dot;
    for (; this.#drawn < count; this.#drawn++) {
      const x = this.#x(lane.times[this.#drawn]), y = this.#y(lane.numbers[this.#drawn], lane.n);
      this.#context.fillRect(x - size / 2, y - size / 2, size, size);
    }
  }

  /** The calls that are to be answered. */
  #waiting(n) {
    const lines = Math.min(n, Math.floor(this.#height / (2 * APART)));
    this.#stroke(this.#colours.waiting, (path) => {
      for (let i = 1; i <= lines; i++) path(this.#x(this.#end), this.#y(i, lines));
    });
  }

  #stroke(style, draw) {
    this.#context.strokeStyle = style;
    this.#context.beginPath();
    draw((x, y) => {
      this.#context.moveTo(this.#x(0), this.#height / 2);
      this.#context.lineTo(x, y);
    });
    this.#context.stroke();
  }

  #x = (seconds) => this.#edge + (seconds / this.#end) * (this.#width - 2 * this.#edge);

  #y = (number, n) => this.#edge + ((number - 0.5) / n) * (this.#height - 2 * this.#edge);
}
