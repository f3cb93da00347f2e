import { byId, children, fill, setText } from '../page/dom.js';

const MOST = { users: 500, rate: 10_000 };

/** The form that starts a comparison, and what that says. */
export class Load {
  #service; #palette; #unchosen = new Set();
  #refusal = ''; // of the last click
  #stopping = false; // from the click until the load has written its report

  constructor(service, palette) {
    this.#service = service;
    this.#palette = palette;
    byId('load').addEventListener('submit', (event) => { event.preventDefault(); this.#start(); });
    byId('load-stop').addEventListener('click', () => { this.#stopping = true; this.#tell(service.stop()); });
    byId('load-kind').addEventListener('change', ({ target }) => { byId('load-amount').max = MOST[target.value]; });
    byId('load-variants').addEventListener('change', ({ target }) => {
      if (target.checked) this.#unchosen.delete(target.value);
      else this.#unchosen.add(target.value);
    });
  }

  /** A box for each variant that runs. */
  offer(transports) {
    const variants = transports.filter(({ state }) => state !== 'disabled');
    children(byId('load-variants'), 'choice', variants.map(({ name }) => name)).forEach((label, i) => {
      const { name, state } = variants[i];
      const box = label.querySelector('input');
      box.value = name;
      box.checked = !this.#unchosen.has(name);
      label.dataset.state = state;
      this.#palette.paint(label, name);
      fill(label, { name });
    });
  }

  #start() {
    const variants = [...byId('load-variants').querySelectorAll(':checked')].map((box) => box.value);
    const amount = Number(byId('load-amount').value);
    this.#tell(this.#service.start({
      variants, calls: Number(byId('load-calls').value), [byId('load-kind').value]: amount, seconds: Number(byId('load-seconds').value),
    }));
  }

  async #tell(answer) {
    this.#refusal = '';
    try {
      this.draw((await answer).load);
    } catch (e) {
      this.#stopping = false;
      this.#refusal = e.message;
      setText(byId('load-title'), e.message);
    }
  }

  draw(load) {
    const running = load?.running ?? false;
    if (!running) this.#stopping = false;
    const [start, stop] = [byId('load-start'), byId('load-stop')];
    const focused = document.activeElement;
    stop.disabled = !running || this.#stopping;
    start.disabled = running;
    // Or the focus would go away with its button.
    if (focused?.disabled && (focused === start || focused === stop)) byId('load-title').focus();
    if (!load) return;
    if (running) this.#refusal = '';
    const state = this.#stopping ? 'Stopping: it writes its report' : running ? 'Running' : load.report ? 'Done' : 'Ended without a report';
    setText(byId('load-title'), this.#refusal || state);
    setText(byId('load-seconds-so-far'), running ? `${Math.round(load.seconds)} s` : ''); // not in the title, which is read out
    setText(byId('load-command'), load.command);
    const lines = byId('load-lines');
    const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 4;
    setText(lines, load.lines.join('\n'));
    if (atEnd) lines.scrollTop = lines.scrollHeight;
    byId('load-report').hidden = !load.report;
    if (load.report) byId('load-report').href = this.#service.report(load.report);
  }
}
