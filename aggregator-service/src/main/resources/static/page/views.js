/**
 * Shows the view that the address's fragment names, and the first where it names none. The sections have no such id, so that the
 * browser does not scroll the header away.
 */
export function switchViews(shown) {
  const sections = [...document.querySelectorAll('[data-view]')];
  const links = [...document.querySelectorAll('#views a')];

  function show() {
    const asked = sections.find((section) => '#' + section.dataset.view === location.hash);
    const section = asked ?? sections.find((other) => !other.hidden);
    for (const other of sections) other.hidden = other !== section;
    for (const link of links) {
      if (link.hash === '#' + section.dataset.view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    shown();
  }

  addEventListener('hashchange', show);
  show();
}
