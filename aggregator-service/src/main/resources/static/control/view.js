import { byId, children, fill, setText } from '../page/dom.js';
import { list, NONE } from '../page/format.js';
import { Load } from './load.js';
import { Processes, variantsOf } from './processes.js';

const POLL_MS = 1000;

/** Load and faults, by the service that `up` starts beside the stack; without it, only how to get it. */
export class ControlView {
  processes = new Processes();
  #service; #load; #changed;

  /**
   * @param service null where there is none
   * @param changed called where {@link draw} is to be called again
   */
  constructor(service, palette, changed) {
    this.#service = service;
    this.#changed = changed;
    byId('control').hidden = !service;
    byId('control-absent').hidden = Boolean(service);
    if (!service) return;
    this.#load = new Load(service, palette);
    byId('faults-on').addEventListener('change', changed);
    byId('processes').addEventListener('click', ({ target }) => {
      const { fault } = target.dataset;
      if (fault) this.#fault({ fault, process: target.closest('[data-name]').dataset.name });
    });
    byId('fault-heal').addEventListener('click', () => this.#fault({ fault: 'heal' }));
    byId('fault-clear').addEventListener('click', () => this.#fault({ fault: 'clear' }));
    byId('fault-set').addEventListener('submit', (event) => { event.preventDefault(); this.#set(); });
    this.#poll();
  }

  async #poll() {
    if (!document.hidden) {
      try {
        const { stack, load } = await this.#service.state();
        this.processes.add(stack.processes);
        this.#load.draw(load);
        this.#away('');
      } catch (e) {
        this.processes.clear();
        this.#away(e.message);
      }
      this.#changed();
    }
    setTimeout(() => this.#poll(), POLL_MS);
  }

  async #fault(body) {
    this.#say('…');
    try {
      this.#say((await this.#service.fault(body)).done.join(' '));
    } catch (e) {
      this.#say(e.message);
    }
  }

  #set() {
    const fault = byId('fault-kind').value;
    const value = byId('fault-value').value;
    const responder = byId('fault-responder').value || null;
    this.#fault({ fault, responder, value: fault === 'delay' ? `${value}ms` : Number(value) });
  }

  #away(problem) {
    byId('control-away').hidden = !problem;
    setText(byId('control-away'), problem);
  }

  #say = (sentence) => setText(byId('fault-said'), sentence);

  draw(transports) {
    if (!this.#service) return;
    this.#load.offer(transports);
    const mayBreak = byId('faults-on').checked;
    // In the order of the names, which does not change when a process is started again.
    const processes = [...this.processes.latest].sort((a, b) => (a.name < b.name ? -1 : 1));
    children(byId('processes'), 'process', processes.map(({ name }) => name)).forEach((line, i) => this.#drawProcess(line, processes[i], transports));
    for (const button of document.querySelectorAll('button.fault')) button.disabled = !mayBreak;
    this.#offerResponders([...new Set(transports.map(({ responder }) => responder).filter(Boolean))].sort());
  }

  /** Also those that do not answer now: or the choice would change under a person's hands. */
  #offerResponders(names) {
    const select = byId('fault-responder');
    if (names.join() === select.dataset.names) return;
    const chosen = select.value;
    select.dataset.names = names.join();
    select.replaceChildren(new Option('all', ''), ...names.map((name) => new Option(name, name)));
    select.value = names.includes(chosen) ? chosen : '';
  }

  #drawProcess(node, process, transports) {
    const variants = variantsOf(process.name, transports);
    const away = variants.filter(({ state }) => state !== 'up');
    const cores = this.processes.cores(process.name);
    const recovery = this.processes.recovery(process.name, variants.length > 0 && !away.length);
    node.dataset.state = process.state === 'up' ? 'up' : 'down';
    const focused = document.activeElement;
    for (const button of node.querySelectorAll('[data-fault]')) button.hidden = !isPossible(button.dataset.fault, process);
    // Or the focus would go away with its button.
    if (focused?.hidden && node.contains(focused)) node.querySelector('[data-fault]:not([hidden])')?.focus();
    fill(node, {
      name: process.name,
      state: process.state,
      cores: cores == null ? NONE : cores.toFixed(2),
      memory: process.memoryBytes == null ? NONE : `${Math.round(process.memoryBytes / 1e6)}\u00a0MB`,
      variants: away.length ? away.map(({ name, state, reason }) => `${name} is ${state}${reason ? `: ${reason}` : ''}`).join('; ')
        : variants.length ? `${list(variants.map(({ name }) => name))}: up` : NONE,
      recovery: recovery == null ? NONE : `${Math.round(recovery)}\u00a0s`,
      faults: words(process.faults),
    });
  }
}

function isPossible(fault, { name, state, disk }) {
  if (name === 'control') return false; // this page asks it
  if (fault === 'resume') return state === 'frozen';
  if (fault === 'freeze') return state === 'up';
  if (fault === 'power-cut') return disk && state !== 'dead';
  return fault === 'restart' || state !== 'dead';
}

function words(faults) {
  if (!faults) return NONE;
  const { delay, drop, wrong } = faults;
  return [delay !== 'PT0S' && `delay ${delay.replace('PT', '').toLowerCase()}`, drop > 0 && `drop ${drop}`, wrong > 0 && `wrong ${wrong}`]
    .filter(Boolean).join(', ') || 'none';
}
