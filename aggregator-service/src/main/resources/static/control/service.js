const KEY = 'chatterbox.control';
const TIMEOUT_MS = 5000;
const PATTERN = /^#control=([0-9]+),([0-9a-f]+)$/;

/**
 * Where the control service is: from the address that `up` printed, or from an earlier page of this tab. The token is taken out of
 * the address at once, for a room may read it.
 *
 * @returns null where there is none
 */
export function controlService() {
  const [, port, token] = PATTERN.exec(location.hash) ?? [];
  let place = port && { port, token };
  if (place) history.replaceState(null, '', location.pathname + '#now');
  addEventListener('hashchange', () => { if (PATTERN.test(location.hash)) location.reload(); });
  try {
    if (place) sessionStorage.setItem(KEY, JSON.stringify(place));
    else place = JSON.parse(sessionStorage.getItem(KEY));
  } catch { /* storage may be forbidden: the place then lasts as long as the page */ }
  return place ? new ControlService(place) : null;
}

/** The service that `up` starts beside the stack. Each method fails with a sentence for a person. */
class ControlService {
  #base; #token;

  constructor({ port, token }) {
    this.#base = `http://${location.hostname}:${port}`;
    this.#token = token;
  }

  state = () => this.#ask('GET', '/state');

  fault = (body) => this.#ask('POST', '/fault', body);

  start = (body) => this.#ask('POST', '/load', body);

  stop = () => this.#ask('DELETE', '/load');

  report = (run) => `${this.#base}/results/${run}/report.html`;

  async #ask(method, path, body) {
    const headers = { Authorization: `Bearer ${this.#token}`, ...(body && { 'Content-Type': 'application/json' }) };
    // What starts a process again takes its time; what only tells does not.
    const signal = method === 'GET' ? AbortSignal.timeout(TIMEOUT_MS) : undefined;
    const response = await fetch(this.#base + path, { method, headers, signal, cache: 'no-store', body: body && JSON.stringify(body) })
      .catch(() => { throw new Error('The control service does not answer. Is the stack still up?'); });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }
}
