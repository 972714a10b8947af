/** What a click does something to. */
const CONTROLS = 'button, a, input, select, textarea, label, summary, [role="button"], [role="link"]';

/** The control that a click is for; that of a label is what the label names. */
function findControl(target: EventTarget | null): Element | null {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return (control instanceof HTMLLabelElement && control.control) || control;
}

/**
 * Keeps the second click of a double click to what the first was for: a page changes with a click, and what has come under the
 * pointer meanwhile is another button, which nobody meant.
 */
export function guardDoubleClick(): void {
  let pressed: Element | null = null;
  document.addEventListener(
    'click',
    (event) => {
      const control = findControl(event.target);
      // `detail` counts the clicks at one place, in the time that the system takes for a double click; of a key it is 0.
      if (event.detail < 2) {
        pressed = control;
        return;
      }
      if (control === null || control === pressed) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
