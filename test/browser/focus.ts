import type { Page } from 'playwright-core';

export interface FocusState {
  /** What has the focus; null is the page, once around. */
  what: string | null;
  /** Its name, as far as words of the page say it. */
  name: string;
  hidden: boolean;
  outlined: boolean;
}

/** The whole of it may be larger than the window; some of it has to be seen, and nothing may lie over that. */
const READ_FOCUS = `(() => {
  const has = document.activeElement;
  if (has === document.body) return { what: null, name: '', hidden: false, outlined: true };
  const box = has.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const seen = right - left >= 20 && bottom - top >= 20 && over !== null && (has.contains(over) || over.contains(has));
  const drawn = has.matches('.choice-input') ? has.nextElementSibling : has;
  return {
    what: has.outerHTML.slice(0, 80),
    name: (has.getAttribute('aria-label') ?? document.getElementById(has.getAttribute('aria-labelledby'))?.textContent ?? (has.labels?.[0] ?? has).textContent).trim(),
    hidden: !seen,
    outlined: getComputedStyle(drawn).outlineStyle !== 'none' && parseFloat(getComputedStyle(drawn).outlineWidth) >= 2,
  };
})()`;

export const readFocus = async (tab: Page): Promise<FocusState> => tab.evaluate<FocusState>(READ_FOCUS);
