// A classic script on purpose: it runs before the first paint, so a stored choice never flashes the other appearance.
(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const systemTheme = () => (system.matches ? 'dark' : 'light');

  // Storage may be forbidden (private windows); a choice then lasts as long as the page.
  const stored = (key) => { try { return localStorage.getItem('chatterbox.' + key); } catch { return null; } };
  const store = (key, value) => {
    try { value ? localStorage.setItem('chatterbox.' + key, value) : localStorage.removeItem('chatterbox.' + key); } catch { /* see above */ }
  };

  function show(theme) {
    root.dataset.theme = theme;
    const button = document.getElementById('theme');
    if (button) {
      button.textContent = theme === 'dark' ? 'Light' : 'Dark';
      button.setAttribute('aria-label', button.textContent + ' theme');
    }
    document.dispatchEvent(new Event('appearancechange'));
  }

  function toggleTheme() {
    const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
    store('theme', next === systemTheme() ? null : next); // back on the system's own: follow it again
    show(next);
  }

  /** Large type, and only what a room is to see. */
  function project(on) {
    root.toggleAttribute('data-projector', on);
    document.getElementById('projector')?.setAttribute('aria-pressed', on);
    document.dispatchEvent(new Event('appearancechange'));
  }

  function toggleProjector() {
    const on = !root.hasAttribute('data-projector');
    store('projector', on ? 'on' : null);
    project(on);
  }

  show(stored('theme') ?? systemTheme());
  project(stored('projector') === 'on');
  system.addEventListener('change', () => { if (!stored('theme')) show(systemTheme()); });
  addEventListener('beforeprint', () => show('light')); // ink on paper
  addEventListener('afterprint', () => show(stored('theme') ?? systemTheme()));
  document.addEventListener('DOMContentLoaded', () => {
    show(root.dataset.theme);
    project(root.hasAttribute('data-projector'));
    document.getElementById('theme').addEventListener('click', toggleTheme);
    document.getElementById('projector').addEventListener('click', toggleProjector);
  });
})();
