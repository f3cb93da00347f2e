// A classic script on purpose: it runs before the first paint, so a stored choice never flashes the other theme.
(() => {
  const KEY = 'chatterbox.theme';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const systemTheme = () => (system.matches ? 'dark' : 'light');

  // Storage may be forbidden (private windows); the toggle then lasts as long as the page.
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const store = (theme) => {
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

  function toggle() {
    const next = root.dataset.theme === 'dark' ? 'light' : 'dark';
    store(next === systemTheme() ? null : next); // back on the system's own: follow it again
    show(next);
  }

  show(stored() ?? systemTheme());
  system.addEventListener('change', () => { if (!stored()) show(systemTheme()); });
  document.addEventListener('DOMContentLoaded', () => {
    show(root.dataset.theme);
    document.getElementById('theme').addEventListener('click', toggle);
  });
})();
