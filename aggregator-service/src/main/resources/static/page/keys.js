/** A key alone does what a click on the visible element does that names it in aria-keyshortcuts, unless keys are switched off. */
export function listenForKeys() {
  document.addEventListener('keydown', (event) => {
    if (!document.getElementById('keys').checked) return; // people who speak their input press keys by accident
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event.target)) return;
    const target = document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toUpperCase())}"]`);
    if (!target?.checkVisibility()) return;
    event.preventDefault();
    target.click();
  });
  for (const element of document.querySelectorAll('[aria-keyshortcuts]')) {
    element.title ||= `Key ${element.getAttribute('aria-keyshortcuts')}`;
  }
}

const isTyping = (element) => element.matches('textarea, select, input:not([type=range], [type=checkbox], [type=radio])');
