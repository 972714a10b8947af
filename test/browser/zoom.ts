import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PHONE } from '../harness/page.ts';
import { en } from '../harness/words.ts';
import { pressTab, readFocus } from './focus.ts';

/** WCAG 2.2 §1.4.10: a window of 1280 × 1024 at 400 %. */
const ENLARGED = { width: 320, height: 256 };

/** Where words are cut off or stick out: of their own box, or of the window. */
const FIND_CUT_TEXT = `Array.from(document.querySelectorAll('body *'), (each) => {
  const style = getComputedStyle(each);
  const box = each.getBoundingClientRect();
  if (box.width === 0 || each.closest('.hidden-visually') || each.closest('svg')) return [];
  const said = each.tagName.toLowerCase() + '.' + each.className + ': ' + each.textContent.slice(0, 40);
  if (box.right > innerWidth + 0.5 || box.left < -0.5) return ['outside: ' + said];
  const boxed = style.overflow !== 'visible' || each.matches('button, .button, .asker-letter, .emblem, legend');
  if (!boxed || ['INPUT', 'SELECT', 'PROGRESS'].includes(each.tagName) || style.display === 'inline') return [];
  const cut = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
  return cut ? ['cut: ' + said] : [];
}).flat()`;

/** WCAG 2.2 §2.5.8: 24 × 24 pixels, but for links within a sentence. */
const FIND_SMALL_TARGETS = `Array.from(document.querySelectorAll('a[href], button, input:not([hidden]), select, summary'), (each) => {
  const { width, height } = each.getBoundingClientRect();
  if (width === 0 || (width >= 24 && height >= 24)) return [];
  return [each.outerHTML.slice(0, 80) + ' ' + width.toFixed(1) + ' × ' + height.toFixed(1)];
}).flat()`;

/** Our own words that stand on two lines; what people and organizations are called may be of any length. */
const findBrokenWords = (own: readonly string[]): string => `{
  const own = new Set(${JSON.stringify(own)});
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    // An address or a path is no sentence of ours, though it holds words that are.
    if (/\\S[@/.[]\\S/.test(text.data)) continue;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest('.hidden-visually, svg')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}’']+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      if (lines.size > 1 && own.has(word)) found.push(word);
    }
  }
  found;
}`;

const listTexts = (words: unknown): string[] => {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(listTexts) : [];
};

const OWN_WORDS = [...new Set(listTexts(en).flatMap((text) => text.match(/[\p{L}’']+/gu) ?? []))];

/** WCAG 2.2 §1.4.12, through the CSSOM: our policy allows no style element. */
const APPLY_TEXT_SPACING = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }');
  document.adoptedStyleSheets = [sheet];
}`;

/** What can be reached by Tab; of radio buttons, one in each group. */
const COUNT_TAB_STOPS = `new Set(Array.from(
  document.querySelectorAll('a[href], button, input:not([hidden]), select, summary'),
  (each) => each.checkVisibility() && (each.type === 'radio' ? each.name : each),
).filter(Boolean)).size`;

/** By Tab through the whole page, once. */
async function findFocusFaults(tab: Page): Promise<string[]> {
  const found: string[] = [];
  const stops = await tab.evaluate<number>(COUNT_TAB_STOPS);
  // From before the first: the title has the focus when a screen appears.
  await tab.evaluate(`document.querySelector('button').focus()`);
  await tab.keyboard.press('Shift+Tab');
  // The first comes from outside of the page, by way of the browser.
  await tab.keyboard.press('Tab');
  const states = [await readFocus(tab), ...(await pressTab(tab, stops))];
  while (states.length < 150 && states.every(({ what }) => what !== null))
    states.push(...(await pressTab(tab, 10)));
  for (const [presses, { what, hidden, outlined }] of states.entries()) {
    if (what === null) return presses < stops ? [...found, `${presses} of ${stops} are reached`] : found;
    if (hidden) found.push(`hidden: ${what}`);
    if (!outlined) found.push(`without an outline: ${what}`);
  }
  return ['Tab does not come around'];
}

const measureOverflow = (tab: Page): Promise<number> =>
  tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Nothing is cut off, hidden or too small to press where everything is four times as large. */
export async function assertEnlarged(tab: Page): Promise<void> {
  await tab.setViewportSize(ENLARGED);
  assert.equal(await measureOverflow(tab), 0);
  assert.deepEqual(await tab.evaluate<string[]>(FIND_CUT_TEXT), []);
  assert.deepEqual(await tab.evaluate<string[]>(FIND_SMALL_TARGETS), []);
  assert.deepEqual(await findFocusFaults(tab), []);
  for (const viewport of [ENLARGED, PHONE]) {
    await tab.setViewportSize(viewport);
    await tab.evaluate(APPLY_TEXT_SPACING);
    assert.equal(await measureOverflow(tab), 0);
    assert.deepEqual(await tab.evaluate<string[]>(FIND_CUT_TEXT), [], 'with wide letters and lines');
  }
  await tab.evaluate('document.adoptedStyleSheets = []');
  await tab.evaluate(`document.documentElement.style.fontSize = '200%'`);
  assert.deepEqual(await tab.evaluate<string[]>(findBrokenWords(OWN_WORDS)), [], 'in letters twice as large');
  assert.equal(await measureOverflow(tab), 0);
  await tab.evaluate(`document.documentElement.style.fontSize = ''`);
}
