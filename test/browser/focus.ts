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

/** What has the focus after each of so many presses of Tab: read in the page before the next one, when it is in view. */
export async function pressTab(tab: Page, times: number): Promise<FocusState[]> {
  await tab.evaluate(`{
    window.focusStates = [];
    window.focusReader = new AbortController();
    addEventListener('keydown', () => window.focusStates.push(${READ_FOCUS}), { signal: window.focusReader.signal });
  }`);
  await holdTab(tab, times);
  return tab.evaluate<FocusState[]>(
    `window.focusReader.abort(), [...window.focusStates.slice(1), ${READ_FOCUS}]`,
  );
}

/** The key is held, so that it repeats: to let it go each time is half of what a walk costs. */
async function holdTab(tab: Page, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => tab.keyboard.down('Tab')));
  await tab.keyboard.up('Tab');
}

/**
 * Watches what takes the focus, and returns what a keyboard has to reach: in the dialog that is open, else on the page. Of the
 * buttons of a choice only one is a stop of the Tab key; arrows lead to the others.
 */
const WATCH_FOCUS = `(() => {
  const within = document.querySelector('dialog[open]') ?? document.body;
  const stops = Array.from(within.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'))
    .filter((each) => each.tabIndex >= 0 && !each.disabled && !each.closest('[inert]') && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => each.type !== 'radio' || each.checked ||
      !within.querySelector('input[type=radio][name="' + CSS.escape(each.name) + '"]:checked'));
  const reached = new Set();
  const bare = [];
  window.focusWatch?.abort();
  window.focusWatch = new AbortController();
  addEventListener('focusin', ({ target }) => {
    reached.add(target);
    const drawn = target.matches('.choice-input') ? target.nextElementSibling : target;
    const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) bare.push(target.outerHTML.slice(0, 120));
  }, { signal: window.focusWatch.signal });
  const isReached = (stop) => reached.has(stop) || (stop.type === 'radio' && Array.from(reached).some((each) => each.name === stop.name));
  Object.assign(window, { focusReport: () => ({
    missed: stops.filter((stop) => !isReached(stop)).map((stop) => stop.outerHTML.slice(0, 120)), bare }) });
  return stops.length;
})()`;

export interface FocusReport {
  /** What no press of Tab reached. */
  missed: string[];
  /** What had the focus and did not show it. */
  bare: string[];
}

/** A date has three stops, and a frame those of its page: once around is more presses than there are stops. */
const MAX_ROUNDS = 6;

/** Walks around with the Tab key. */
export async function walkByTab(tab: Page): Promise<FocusReport> {
  const stops = await tab.evaluate<number>(WATCH_FOCUS);
  for (let round = 1; ; round++) {
    await holdTab(tab, stops + 4);
    const report = await tab.evaluate<FocusReport>('window.focusReport()');
    if (report.missed.length === 0 || round === MAX_ROUNDS) return report;
  }
}
