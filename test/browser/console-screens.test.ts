import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isLong } from '../harness/long.ts';
import { hasScreenshotFolder, screenshot } from '../harness/page.ts';
import { ROOT } from '../harness/process.ts';
import { consoleEn } from '../harness/words.ts';
import { provideAxe } from './axe.ts';
import {
  chooseLanguage,
  CONSOLE_SCREENS,
  open,
  openConsoleFixtures,
  openConsoleScreen,
  type ConsoleFixtures,
} from './console-screens.ts';
import { walkByTab } from './focus.ts';
import { INSIGHTS_SCREENS } from './insights-screens.ts';

/** Those of the frame, and those of each subject. */
const ALL_SCREENS = [...INSIGHTS_SCREENS, ...CONSOLE_SCREENS];

let fixtures: ConsoleFixtures;
before(async () => {
  fixtures = await openConsoleFixtures();
});
after(() => fixtures.stop());

/** What dark colours may change; a page's structure, names and roles are the same in them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Any two of language, width and colours together once. */
const STATES = [
  { language: 'en', width: 1280, colorScheme: 'light' },
  { language: 'en', width: 320, colorScheme: 'dark' },
  { language: 'es', width: 320, colorScheme: 'light' },
  { language: 'es', width: 1280, colorScheme: 'dark' },
] as const;

/** Evaluated, not loaded by the page, whose policy forbids it. */
async function listViolations(tab: Page, rules: readonly string[] | null): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    preload: false,
    // The review in the preview's frame, which no script reaches, has rows of its own in screens.ts.
    iframes: false,
    ...(rules !== null && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await tab.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
  );
}

interface Shape {
  overflow: number;
  wide: string[];
  titles: number;
  isNamed: boolean;
}

/**
 * How far the page is wider than its window, by what, and how many titles it has: in a language, once that is drawn, and what
 * measures itself, such as a chart, has followed the window.
 */
const readShape = (tab: Page, language: string): Promise<Shape> =>
  tab.evaluate<Shape>(`(async () => {
    while (document.documentElement.lang !== '${language}') await new Promise(requestAnimationFrame);
    for (let frames = 0; frames < 2; frames++) {
      await new Promise(requestAnimationFrame);
      await scheduler.postTask(() => undefined, { priority: 'background' });
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      overflow: scrollWidth - clientWidth,
      wide: scrollWidth === clientWidth ? [] : Array.from(document.querySelectorAll('main *'))
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
        .map((each) => each.tagName + '.' + each.className),
      titles: document.querySelectorAll('h1').length,
      isNamed: document.title.startsWith(document.querySelector('h1')?.textContent ?? '?'),
    };
  })()`);

/**
 * Whether a row is inspected by axe in a state: every other row in English on a desktop and in Spanish there in dark colours,
 * the rows between on a phone. The long run, and who takes pictures, inspects all four.
 */
const isInspected = (row: number, state: number): boolean =>
  isLong || hasScreenshotFolder() || (row % 2 === 0) === (STATES[state]?.width === 1280);

async function inspect(tab: Page, { name, row }: { name: string; row: number }): Promise<string[]> {
  const found: string[] = [];
  await provideAxe(tab);
  for (const [state, { language, width, colorScheme }] of STATES.entries()) {
    const where = `${name}-${language}-${width}-${colorScheme}`;
    const before = STATES[state - 1];
    if (width !== before?.width) await tab.setViewportSize({ width, height: width === 320 ? 640 : 860 });
    if (colorScheme !== before?.colorScheme) await tab.emulateMedia({ colorScheme });
    if (language !== before?.language) await chooseLanguage(tab, language);
    const shape = await readShape(tab, language);
    assert.deepEqual(shape, { overflow: 0, wide: [], titles: 1, isNamed: true }, where);
    if (!isInspected(row, state)) continue;
    const violations = await listViolations(tab, colorScheme === 'dark' ? COLOUR_RULES : null);
    found.push(...violations.map((violation) => `${where}: ${violation}`));
    if (hasScreenshotFolder()) await screenshot(tab, where);
  }
  return found;
}

/** Each page is walked through by Tab once. */
const isFirstOfScreen = (row: number): boolean =>
  ALL_SCREENS.findIndex(({ screen, isHeld }) => !isHeld && screen === ALL_SCREENS[row]?.screen) === row;

/** A fault of ours, which the browser's console reports besides. */
const WITHOUT_ROW = ['broken'];

describe('every screen of the console', () => {
  for (const [row, entry] of ALL_SCREENS.entries()) {
    const name = entry.variant ?? entry.screen;
    it(`is for everybody, and no wider than its window: ${name}`, async (t) => {
      const tab = await openConsoleScreen(t, fixtures, entry);
      assert.deepEqual(await inspect(tab, { name, row }), []);
      if (isFirstOfScreen(row))
        assert.deepEqual(await walkByTab(tab), { missed: [], bare: [] }, 'by Tab alone');
    });
  }

  const dialogs: readonly [path: string, opens: string][] = [
    ['api-keys', consoleEn.apiKeys.create],
    ['team', consoleEn.team.invite],
    ['projects', consoleEn.projects.create],
    ['test-patients', consoleEn.testPatients.create],
  ];
  for (const [screen, opens] of dialogs)
    it(`keeps the focus in its dialog, and gives it back at Escape: ${screen}`, async (t) => {
      const tab = await openConsoleScreen(t, fixtures, { screen, steps: [open(`/${screen}`)] });
      await tab.getByRole('button', { name: opens, exact: true }).first().focus();
      await tab.keyboard.press('Enter');
      await tab.getByRole('dialog').waitFor();
      assert.deepEqual(await walkByTab(tab), { missed: [], bare: [] });
      await tab.keyboard.press('Escape');
      await tab.getByRole('dialog').waitFor({ state: 'detached' });
      await tab.waitForFunction(`document.activeElement.textContent.trim() === ${JSON.stringify(opens)}`);
    });

  it('stands in the table', () => {
    const named = fs
      .globSync('web/console/src/**/*.tsx', { cwd: ROOT })
      .flatMap((file) =>
        Array.from(
          fs
            .readFileSync(path.join(ROOT, file), 'utf8')
            .matchAll(/<(?:Page|EntryScreen)\b[^>]*?\bname="([a-z-]+)"/g),
          ([, name]) => name as string,
        ),
      );
    assert.ok(named.length > 5);
    const shown = new Set([...ALL_SCREENS.map(({ screen }) => screen), ...WITHOUT_ROW]);
    const missing = new Set(named).difference(shown);
    assert.deepEqual([...missing], []);
  });
});
