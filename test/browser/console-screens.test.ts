import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ROLES } from '../../contract/roles.ts';
import { isLong } from '../harness/long.ts';
import { DESKTOP, hasScreenshotFolder, NARROW, press, screenshot } from '../harness/page.ts';
import { ROOT } from '../harness/process.ts';
import { consoleEn } from '../harness/words.ts';
import { createInspector } from './axe.ts';
import {
  chooseLanguage,
  CONSOLE_SCREENS,
  open,
  openConsoleFixtures,
  openConsoleScreen,
  type ConsoleFixtures,
  type ConsoleScreen,
} from './console-screens.ts';
import { walkByTab } from './focus.ts';
import { findMarkup, MARKUP, writeMarkup } from './hostile-answers.ts';
import { INSIGHTS_SCREENS } from './insights-screens.ts';

/** Rows of one person follow one another, before those that leave no console open: for anybody else it is loaded anew. */
const toPlace = ({ role = 'owner', isHeld = false, isLoaded = false }: ConsoleScreen): number =>
  role === null || isHeld || isLoaded ? ROLES.length : ROLES.indexOf(role);

/** Those of the frame, and those of each subject. */
const ALL_SCREENS = [...INSIGHTS_SCREENS, ...CONSOLE_SCREENS].toSorted(
  (one, other) => toPlace(one) - toPlace(other),
);

let fixtures: ConsoleFixtures;
before(async () => {
  fixtures = await openConsoleFixtures();
});
after(() => fixtures.stop());

interface State {
  language: 'en' | 'es';
  width: 320 | 768 | 1280;
  colorScheme: 'light' | 'dark';
}

/**
 * In which states a row is seen: in each language and both colours once, narrow and wide, or as wide as a tablet. English on a
 * desktop is how it is come to.
 */
const PAIRS: readonly (readonly State[])[] = [
  [
    { language: 'en', width: 1280, colorScheme: 'light' },
    { language: 'es', width: 320, colorScheme: 'dark' },
  ],
  [
    { language: 'en', width: 1280, colorScheme: 'dark' },
    { language: 'es', width: 320, colorScheme: 'light' },
  ],
  [
    { language: 'en', width: 768, colorScheme: 'light' },
    { language: 'es', width: 320, colorScheme: 'dark' },
  ],
];

/** The long run, and who takes pictures, sees every row in every language, width and colour. */
const EVERY_STATE = (['en', 'es'] as const).flatMap((language) =>
  ([1280, 768, 320] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme): State => ({ language, width, colorScheme })),
  ),
);

const listStates = (row: number): readonly State[] =>
  isLong || hasScreenshotFolder() ? EVERY_STATE : (PAIRS[row % PAIRS.length] ?? EVERY_STATE);

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

const { listViolations } = createInspector();

async function inspect(tab: Page, { name, row }: { name: string; row: number }): Promise<string[]> {
  const found: string[] = [];
  let before: Partial<State> = { language: 'en', colorScheme: 'light' };
  for (const state of listStates(row)) {
    const { language, width, colorScheme } = state;
    const where = `${name}-${language}-${width}-${colorScheme}`;
    if (width !== before.width) await tab.setViewportSize({ ...(width === 320 ? NARROW : DESKTOP), width });
    if (colorScheme !== before.colorScheme) await tab.emulateMedia({ colorScheme });
    if (language !== before.language) await chooseLanguage(tab, language);
    before = state;
    const shape = await readShape(tab, language);
    assert.deepEqual(shape, { overflow: 0, wide: [], titles: 1, isNamed: true }, where);
    const violations = await listViolations(tab, colorScheme === 'dark' && !isLong ? 'colours' : 'all');
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

describe('what others write', () => {
  before(async () => {
    await writeMarkup(fixtures.tab);
    fixtures.loadedFor = null;
  });

  const rows = new Set([
    'app',
    'apps',
    'audit',
    'api-keys',
    'consents',
    'consent-shown',
    'delivery',
    'webhooks',
    'sources',
    'source-patients',
    'patients',
    'reads',
    'profile',
    'projects',
    'team',
    'test-patients',
  ]);
  for (const entry of ALL_SCREENS.filter(({ screen, variant = screen }) => rows.delete(variant)))
    it(`is only ever words, and no wider than a phone: ${entry.variant ?? entry.screen}`, async (t) => {
      const tab = await openConsoleScreen(t, fixtures, entry);
      await tab.setViewportSize(NARROW);
      await readShape(tab, 'en');
      assert.deepEqual(await findMarkup(tab), { shown: true, made: 0, overflow: 0 });
    });

  it('is only ever words in a list that is imported, and in the name of its file', async (t) => {
    const entry = { screen: 'import-patients', steps: [open('/patients/import')] };
    const tab = await openConsoleScreen(t, fixtures, entry);
    const csv = `E-Mail;First name;Last name\r\n${MARKUP};"${MARKUP.replaceAll('"', '""')}";=HYPERLINK("javascript:alert(1)")`;
    const name = `${MARKUP.slice(0, 80).replaceAll('/', '-')}.csv`;
    await tab
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await tab.getByText(name, { exact: false }).first().waitFor();
    await press(tab, consoleEn.patients.importer.check);
    await tab.locator('.import-cell').first().waitFor();
    await tab.setViewportSize(NARROW);
    await readShape(tab, 'en');
    assert.deepEqual(await findMarkup(tab), { shown: true, made: 0, overflow: 0 });
  });
});
