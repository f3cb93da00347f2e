import { grouped } from '../page/format.js';

// Of the settings, those that say what becomes of a call when something fails; all of them are in the table.
const GUARANTEES = ['delivery', 'outlives', 'acks', 'acknowledged', 'publisher confirms', 'synced to disk', 'retries', 'reconnects'];

const LINKS = ['connections', 'channels'];

/**
 * Where a call over the variant passes by: from the requester, over the broker if there is one, to the responder; each wire between
 * them with what goes there and what comes back.
 *
 * @param transport an entry of GET /transports
 */
export function pathOf({ kind, broker, responder, address = {}, settings, deviations = [] }) {
  const parts = Object.entries(address);
  const lines = (wanted) => parts.filter(([part]) => wanted === roleOf(part)).map(([part, value]) => `${part.replace('-', ' ')} ${value}`);
  const back = lines('reply').join(', ') || (settings.replies ? `replies: ${settings.replies}` : 'replies');
  const requester = { role: 'requester', name: 'aggregator-service', lines: [settings.requester, settings.library ?? settings.version] };
  const links = LINKS.filter((link) => settings[link] != null).map((link) => counted(link, settings[link])).join(', ');
  const stations = [
    requester,
    broker && { role: kind, name: broker, lines: lines('request') },
    responder ? { role: 'responder', name: responder, lines: lines('group') } : { role: 'answers itself', name: 'no responder', lines: [] },
  ].filter(Boolean);
  return {
    stations: stations.map((station) => ({ ...station, lines: station.lines.filter(Boolean) })),
    wires: stations.slice(1).map((station, i) => (i
      ? { there: 'requests', back: 'replies' }
      : { there: [links, settings.protocol].filter(Boolean).join(', ') || 'requests', back })),
    facts: [
      ...GUARANTEES.filter((key) => settings[key] != null).map((key) => [key, String(settings[key])]),
      ['calls in flight', `${grouped(settings['bounds.per-request'])} of a request, ${grouped(settings['bounds.in-flight'])} in all, at most`],
      ...deviations.map((sentence) => ['unlike the others', sentence]),
    ],
  };
}

/** Which way a part of an address belongs to: a reply topic to the way back, a queue group to those who answer. */
function roleOf(part) {
  if (part.startsWith('reply')) return 'reply';
  return part.endsWith('group') ? 'group' : 'request';
}

/** "1 connection", "128 connections"; "connections: 1 to produce, 1 to consume" */
function counted(link, value) {
  if (!Number.isInteger(value)) return `${link}: ${value}`;
  return `${grouped(value)} ${value === 1 ? link.slice(0, -1) : link}`;
}
