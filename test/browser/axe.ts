import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { isLong } from '../harness/long.ts';

/** What defines `axe` in a page it is evaluated in. The minified form: a page compiles it in half the time, 50 times over. */
const AXE = fs.readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * No check that is run here waits for anything, but axe has a queue and a timer for each check of each element: a third of its
 * work. Its rules have a second way, without them and with the same results.
 */
const RUN_WITHOUT_QUEUES = `axe._audit.rules[0].constructor.prototype.run = function (context, options, resolve, reject) {
  let result;
  try {
    result = this.runSync(context, options);
  } catch (error) {
    return reject(error);
  }
  resolve(result);
};`;
const AXE_SOURCE = `${AXE};${RUN_WITHOUT_QUEUES}`;

/** What dark colours may change; a page's structure, names and roles are the same in them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The faults are written in the page: of what axe finds in order, nothing is described, serialized and sent. Frames are not
 * looked into: the one that there is, the preview's, is reached by no script, and what it shows has rows of its own in screens.ts.
 */
const FIND_VIOLATIONS = `async (context, options) => {
  axe.configure({ noHtml: true });
  const { violations } = await axe.run(context, {
    ...options, resultTypes: ['violations'], preload: false, iframes: false, selectors: false, elementRef: true,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ element, any }) => id + ': ' + element.outerHTML.slice(0, 400) + ' ' + (any[0]?.message ?? '')));
}`;

/**
 * What shows words in colours that were not seen before: what it and its letters are coloured and sized, in a text coloured
 * how, on which backgrounds one upon the other. What is placed over a page is distinguished by its classes too, for what lies
 * below it is not around it. Each is a number, so that what was seen can be kept from page to page.
 */
const FIND_NEW_COLOURS = `(seen) => {
  const hash = (number, ...said) => {
    for (const letter of said.join()) number = (number * 31 + letter.codePointAt(0)) % 140737488355213;
    return number;
  };
  const grounds = new Map([[null, 0]]);
  const ground = (each) => {
    const known = grounds.get(each);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(each);
    const isPlain = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1';
    let found = ground(each.parentElement);
    if (!isPlain) found = hash(found, backgroundColor, backgroundImage, opacity);
    if (position !== 'static' && position !== 'relative') found = hash(found, position, each.getAttribute('class'));
    grounds.set(each, found);
    return found;
  };
  const found = [];
  const modal = Array.from(document.querySelectorAll('dialog:modal')).at(-1);
  const visit = (each) => {
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(each);
    const isDisabled = each.closest(':disabled, [aria-disabled=true]') !== null;
    const around = getComputedStyle(each.parentElement).color;
    const seenAs = hash(ground(each), each.localName, color, fontSize, fontWeight, textDecorationLine, textShadow, isDisabled, around);
    if (seen.has(seenAs)) return;
    // What lies below a dialog is better seen without it.
    if (modal === undefined || modal.contains(each)) seen.add(seenAs);
    found.push(each);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (texts.currentNode.data.trim() !== '' && texts.currentNode.parentElement.checkVisibility())
      visit(texts.currentNode.parentElement);
  document.querySelectorAll('input, select, textarea').forEach(visit);
  return found;
}`;

export interface Inspector {
  /** By every rule, or only by those of colours; the page is as it stands, in its scheme, language and width. */
  listViolations(tab: Page, rules: 'all' | 'colours'): Promise<string[]>;
}

/**
 * Inspects pages by axe. Its rules of colours are more than half of its work: what is coloured as something that it has looked
 * at, on this page or one before, is not looked at again, except in the long run.
 */
export function createInspector(): Inspector {
  const seen = new Set<number>();
  return {
    async listViolations(tab, rules) {
      await provideAxe(tab);
      if (isLong) return inspectWhole(tab, rules);
      const { faults, added } = await tab.evaluate<{ faults: string[]; added: number[] }>(`(async () => {
        const seen = new Set(${JSON.stringify([...seen])});
        const before = seen.size;
        const run = ${FIND_VIOLATIONS};
        const colours = ${JSON.stringify(COLOUR_RULES)};
        const isOff = Object.fromEntries(colours.map((name) => [name, { enabled: false }]));
        const faults = ${rules === 'all'} ? await run(document, { rules: isOff }) : [];
        const found = (${FIND_NEW_COLOURS})(seen);
        if (found.length > 0) faults.push(...await run(found, { runOnly: { type: 'rule', values: colours } }));
        return { faults, added: [...seen].slice(before) };
      })()`);
      for (const signature of added) seen.add(signature);
      return faults;
    },
  };
}

const inspectWhole = (tab: Page, rules: 'all' | 'colours'): Promise<string[]> => {
  const only = rules === 'all' ? {} : { runOnly: { type: 'rule', values: COLOUR_RULES } };
  return tab.evaluate<string[]>(`(${FIND_VIOLATIONS})(document, ${JSON.stringify(only)})`);
};

/** Defines `axe` in a page, once: what stays in it runs a second time at half the cost. Evaluated, which no policy forbids. */
async function provideAxe(tab: Page): Promise<void> {
  if (!(await tab.evaluate<boolean>(`typeof axe === 'object'`))) await tab.evaluate(AXE_SOURCE);
}
