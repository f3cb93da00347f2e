import { byId, setText } from '../page/dom.js';
import { NONE } from '../page/format.js';

/** One line of the table for each setting, one column for each transport. */
export function drawSettings(transports, problem) {
  const keys = [...new Set(transports.flatMap((t) => Object.keys(t.settings)))].sort();
  byId('settings').replaceChildren(line('th', 'Setting', transports.map((t) => t.name)),
    line('td', 'what it is', transports.map((t) => t.about ?? NONE)),
    ...keys.map((key) => line('td', key, transports.map((t) => String(t.settings[key] ?? NONE)))));
  setText(byId('settings-note'), problem || 'Source: GET /transports, as the running aggregator reports them.');
}

function line(tag, head, cells) {
  const tr = document.createElement('tr');
  tr.append(...[head, ...cells].map((text, i) => {
    const cell = document.createElement(i ? tag : 'th');
    cell.textContent = text;
    if (cell.tagName === 'TH') cell.scope = tag === 'th' ? 'col' : 'row';
    return cell;
  }));
  return tr;
}
