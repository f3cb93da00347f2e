// As live-theme.js of the aggregator does it, but for a file: it runs before the first paint, prints light, and a stored
// choice is the reports' own.
(() => {
  const KEY = 'chatterbox.theme';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const systemTheme = () => (system.matches ? 'dark' : 'light');
  let chosen = null;

  // Storage may be forbidden (private windows, some browsers' files); the toggle then lasts as long as the page.
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return chosen; } };
  const store = (theme) => {
    chosen = theme;
    try { theme ? localStorage.setItem(KEY, theme) : localStorage.removeItem(KEY); } catch { /* see above */ }
  };

  function show(theme) {
    root.dataset.theme = theme;
    const button = document.getElementById('theme');
    if (button) {
      button.textContent = theme === 'dark' ? 'Light' : 'Dark';
      button.setAttribute('aria-label', button.textContent + ' theme');
    }
    document.dispatchEvent(new Event('themechange'));
  }

  const current = () => stored() ?? systemTheme();

  show(current());
  system.addEventListener('change', () => show(current()));
  addEventListener('beforeprint', () => show('light'));
  addEventListener('afterprint', () => show(current()));
  document.addEventListener('DOMContentLoaded', () => {
    show(root.dataset.theme);
    document.getElementById('theme').addEventListener('click', () => {
      const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
      store(next === systemTheme() ? null : next); // back on the system's own: follow it again
      show(next);
    });
  });
})();
