import { byId, setText } from './dom.js';

const SILENCE_MS = 4000;
const RETRY_MS = 3000;

/**
 * What GET /live sends, for ever: first the samples that the aggregator kept, then each as it is taken. The header, a notice
 * and the page's `stale` class say when they stay away.
 */
export function listen({ onHistory, onSample, onOpen, onLost }) {
  let lastSample = 0; // of performance.now()
  let problem = 'connecting';
  let refused = '';
  let clock = ''; // of the last sample

  function connect() {
    const source = new EventSource('live');
    source.onopen = () => { refused = ''; onOpen(); };
    source.addEventListener('history', ({ data }) => onHistory(JSON.parse(data)));
    source.onmessage = ({ data }) => {
      const sample = JSON.parse(data);
      lastSample = performance.now();
      problem = '';
      clock = new Date(sample.time).toLocaleTimeString();
      onSample(sample);
      show();
    };
    source.onerror = () => {
      problem = clock ? 'Connection lost' : 'No connection';
      onLost();
      show();
      // EventSource retries by itself, but never after an HTTP error.
      if (source.readyState === EventSource.CLOSED) explain().finally(() => setTimeout(connect, RETRY_MS));
    };
  }

  /** EventSource hides the status: ask once more without it. */
  async function explain() {
    const abort = new AbortController();
    refused = await fetch('live', { signal: abort.signal }).then((r) => (r.ok ? '' : ` (HTTP ${r.status})`), () => '');
    abort.abort();
    show();
  }

  function show() {
    const silent = performance.now() - lastSample > SILENCE_MS;
    const text = problem || (silent ? 'No samples' : 'live');
    const state = text === 'live' ? 'live' : problem === 'connecting' ? 'connecting' : 'lost';
    byId('connection').dataset.state = state;
    setText(byId('connection'), state === 'lost' ? 'offline' : state);
    byId('main').classList.toggle('stale', state === 'lost' && lastSample > 0);
    setText(byId('toast'), state === 'lost' ? notice(text) : '');
  }

  // No running count of seconds in it: a screen reader would read it out each time.
  const notice = (text) => `${text}${refused} – trying again. ` +
    (clock ? `The numbers are those of ${clock}.` : 'Is the aggregator running?');

  setInterval(show, 1000);
  connect();
}
