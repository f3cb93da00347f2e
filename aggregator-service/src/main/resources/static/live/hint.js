import { byId, setText } from '../page/dom.js';

/** Over the charts, for as long as nobody sends anything: a command that does. */
export class Hint {
  #samples;

  constructor(samples) {
    this.#samples = samples;
    byId('copy').addEventListener('click', copyCommand);
  }

  draw(transports) {
    byId('hint').hidden = !this.#samples.latest || this.#samples.hasLoad;
    if (byId('hint').hidden) return;
    const up = transports.find((t) => t.state === 'up');
    // curl's own [1-1000] sends the request a thousand times: enough to see the lines move.
    const url = up && new URL(`${encodeURIComponent(up.name)}/square/unary/100#[1-1000]`, document.baseURI);
    setText(byId('hint-text'), up
      ? 'Paste this into a terminal, for a thousand requests of a hundred calls each:'
      : 'No transport is up: start a responder, and its broker if it has one.');
    setText(byId('curl'), up ? `curl -s -o /dev/null "${decodeURI(url.href)}"` : '');
    byId('curl').parentElement.hidden = !up;
  }
}

async function copyCommand() {
  // Without HTTPS the clipboard is open to localhost only: then the text is selected, for the user's own Ctrl+C.
  const copied = await navigator.clipboard?.writeText(byId('curl').textContent).then(() => true, () => false);
  if (!copied) getSelection().selectAllChildren(byId('curl'));
  setText(byId('copy'), copied ? 'Copied' : 'Selected');
  setTimeout(() => setText(byId('copy'), 'Copy'), 2000);
}
