const LINE = /^\{"(\d+)":(\d+)\}$/;

/** What one request over one variant has brought so far, each line of it checked. Times are seconds since it was sent. */
export class Lane {
  /** Of the replies in the order in which they came: the number, and when. */
  numbers; times;
  count = 0;
  seconds = null; // until the last reply, once it is there
  failure = null; // why it was not answered right
  sent = null; // of performance.now()
  callsBefore = null; // calls that had gone over the variant before
  #seen;

  constructor(variant, n) {
    this.variant = variant;
    this.n = n;
    this.numbers = new Uint32Array(n);
    this.times = new Float64Array(n);
    this.#seen = new Uint8Array(n + 1);
  }

  get ended() {
    return this.seconds != null || this.failure != null;
  }

  /** A line of the answer: `{"3":9}`, or an error, which is the last. */
  take(line, seconds) {
    const [, number, square] = LINE.exec(line)?.map(Number) ?? [];
    if (!number) return this.fail(problemText(line) ?? `Wrong answer: ${line.slice(0, 80)}`);
    if (number > this.n || square !== number ** 2) return this.fail(`Wrong answer: ${line}`);
    if (this.#seen[number]) return this.fail(`Wrong answer: ${number} came twice`);
    this.#seen[number] = 1;
    this.numbers[this.count] = number;
    this.times[this.count++] = seconds;
    if (this.count === this.n) this.seconds = seconds;
  }

  fail(why) {
    this.seconds = null;
    this.failure ??= why;
  }

  /** How many replies had come by then. */
  countAt(seconds) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.times[middle] <= seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The sum of the squares of 1 to n. */
export const sumOfSquares = (n) => (n * (n + 1) * (2 * n + 1)) / 6;

/** What a problem detail says, or the line of a stream that holds one; null where it is none. */
export function problemText(json) {
  try {
    const body = JSON.parse(json);
    const { status, title, detail } = body.error ?? body;
    return status ? [status, title, detail].filter(Boolean).join(' – ') : null;
  } catch {
    return null; // a proxy's page, perhaps
  }
}
