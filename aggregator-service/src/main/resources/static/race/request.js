import { problemText } from './lane.js';

const TIMEOUT_MS = 60_000;

/** Sends the lane's request and reads the answer into it, line by line as they come; never throws. */
export async function send(lane) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    lane.sent = performance.now();
    const response = await fetch(`${encodeURIComponent(lane.variant)}/square/unary/${lane.n}`,
      { cache: 'no-store', headers: { Accept: 'application/x-ndjson' }, signal: abort.signal });
    if (!response.ok) lane.fail(problemText(await response.text()) ?? `HTTP ${response.status}`);
    else await read(response.body, lane);
  } catch (e) {
    lane.fail(abort.signal.aborted ? `No answer within ${TIMEOUT_MS / 1000} s` : `No usable answer: ${e.message}`);
  } finally {
    clearTimeout(timer);
    abort.abort(); // what is left of an answer that was wrong
  }
}

async function read(body, lane) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  while (!lane.failure) {
    const { done, value } = await reader.read();
    const seconds = (performance.now() - lane.sent) / 1000;
    if (done) break;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) lane.take(line, seconds);
  }
  if (!lane.ended) lane.fail(`The answer ended after ${lane.count} of ${lane.n} entries`);
  else if (rest) lane.fail(`The answer ends with ${rest.slice(0, 80)}`);
}

/** How many calls have gone over a variant since the aggregator started; null where it does not tell. */
export async function callsSoFar(variant) {
  try {
    const response = await fetch(`transports/${encodeURIComponent(variant)}/latency`, { cache: 'no-store' });
    return response.ok ? (await response.json()).calls : null;
  } catch {
    return null;
  }
}
