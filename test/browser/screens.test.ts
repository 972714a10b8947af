import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en, es } from '../harness/words.ts';
import { registerClient } from '../harness/authorization.ts';
import { DESKTOP, NARROW, waitForScreen, PHONE, screenshot, hasScreenshotFolder } from '../harness/page.ts';
import { isLong } from '../harness/long.ts';
import { ROOT } from '../harness/process.ts';
import { createInspector } from './axe.ts';
import { openScreen, openScreenFixtures, SCREENS, type ScreenFixtures } from './screens.ts';
import { assertEnlarged } from './zoom.ts';

/** Whom a narrow window has least space for; screenshots are of somebody usual. */
const LONG = {
  email: `${'a-long-name-without-an-end'.padEnd(47, 'x')}@mail.example`,
  firstName: 'Wolfeschlegelsteinhausenbergerdorff',
  lastName: 'Featherstonehaugh-Cholmondeley-Marjoribanks',
};

let fixtures: ScreenFixtures;
before(async () => {
  assert.equal(LONG.email.length, 60);
  fixtures = await openScreenFixtures(hasScreenshotFolder() ? {} : LONG);
  if (hasScreenshotFolder()) return;
  const metadata = { client_name: 'N'.repeat(200), redirect_uris: [fixtures.agent.redirectUri] };
  fixtures.authorizeParameters = {
    client_id: (await registerClient(fixtures.service, metadata)).client_id as string,
  };
});
after(() => fixtures.stop());

const { listViolations } = createInspector();

const LANGUAGES = [
  ['en', en.common.otherLanguage],
  ['es', es.common.otherLanguage],
] as const;
const WIDTHS = [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const;
const SCHEMES = ['light', 'dark'] as const;

/**
 * Each language, width and scheme once: English on a phone in light colours, by every rule, and Spanish on a desktop in dark
 * ones. The long run and screenshots take all of them together.
 */
const isCovered = (language: number, width: number, scheme: number): boolean =>
  isLong || hasScreenshotFolder() || (language === width && width === scheme);

/**
 * Presses a button that is there once, and that nothing lies over. A press of the mouse costs five times as much, which
 * `language.test.ts` and others do.
 */
const pressInPage = (name: string): string => `(() => {
  const buttons = Array.from(document.querySelectorAll('button'))
    .filter((each) => each.textContent.trim() === '${name}' && !each.disabled && each.checkVisibility({ visibilityProperty: true }));
  const [button] = buttons;
  if (buttons.length !== 1) return 'there are ' + buttons.length;
  button.scrollIntoView({ block: 'nearest' });
  const { left, top, width, height } = button.getBoundingClientRect();
  if (!button.contains(document.elementFromPoint(left + width / 2, top + height / 2))) return 'covered';
  button.click();
  return 'pressed';
})()`;

async function inspectScreen(tab: Page, screen: string, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [l, [language, other]] of LANGUAGES.entries()) {
    for (const [w, [width, viewport]] of WIDTHS.entries()) {
      const schemes = SCHEMES.filter((_, s) => isCovered(l, w, s));
      if (schemes.length > 0) await tab.setViewportSize(viewport);
      for (const colorScheme of schemes) {
        await tab.emulateMedia({ colorScheme });
        const where = `${name}-${language}-${width}-${colorScheme}`;
        const rules = colorScheme === 'dark' && !isLong ? 'colours' : 'all';
        found.push(...(await listViolations(tab, rules)).map((violation) => `${where}: ${violation}`));
        await screenshot(tab, where);
      }
    }
    await tab.setViewportSize(NARROW);
    await waitForScreen(tab, screen);
    assert.equal(await tab.evaluate<string>(pressInPage(other)), 'pressed', other);
  }
  return found;
}

const isEnlarged = (screen: string): boolean =>
  /^(review|my-data.*|farewell|who-is-this|sign-in)$/.test(screen);

describe('every screen', () => {
  for (const entry of SCREENS) {
    const name = entry.variant ?? entry.screen;
    it(`is for everybody, and no wider than its window: ${name}`, async (t) => {
      const tab = await openScreen(t, fixtures, entry);
      // Here, since coming to a screen is the longest part; and first, as it is when somebody comes to it.
      if (isEnlarged(entry.screen))
        await t.test('four times as large: nothing is cut off, hidden or too small to press', () =>
          assertEnlarged(tab),
        );
      assert.deepEqual(await inspectScreen(tab, entry.screen, name), []);
    });
  }

  it('stands in the table', () => {
    const named = fs
      .globSync('web/{consent,patient,portal}/**/*.tsx', { cwd: ROOT })
      .flatMap((file) => extractScreens(fs.readFileSync(path.join(ROOT, file), 'utf8')));
    assert.ok(named.length > 20);
    assert.deepEqual(new Set(SCREENS.map(({ screen }) => screen)), new Set(named));
  });
});

describe('an inspection', () => {
  const write = (styles: string, words: string): string =>
    `<html lang="en"><title>Words</title><main><h1>Words</h1><p style="${styles}">${words}</p></main></html>`;
  const PALE = 'color: #ccc; background: #fff';

  it('finds letters that are too pale, wherever they are first, and what has no name', async () => {
    const inspector = createInspector();
    const tab = await fixtures.browser.newTab();
    const inspect = async (text: string, rules: 'all' | 'colours' = 'all'): Promise<string[]> => {
      await tab.setContent(text);
      return (await inspector.listViolations(tab, rules)).map((fault) => fault.split(':')[0] ?? '');
    };
    assert.deepEqual(await inspect(write('', 'Black on white.')), []);
    assert.deepEqual(await inspect(write(PALE, 'Pale.')), ['color-contrast']);
    assert.deepEqual(await inspect(write(PALE, 'Pale again.')), isLong ? ['color-contrast'] : []);
    assert.deepEqual(await inspect(write(`${PALE}; font-size: 13px`, 'Small.'), 'colours'), [
      'color-contrast',
    ]);
    const below = `<span style="color: #ccc">Pale on a ground that is around it.</span>`;
    assert.deepEqual(await inspect(write('background: #eee', below), 'colours'), ['color-contrast']);
    assert.deepEqual(await inspect(write('', '<button></button>')), ['button-name']);
    await tab.close();
  });
});

/** Names that the source does not spell out where the screen is. */
const COMPUTED: Record<string, readonly string[]> = {
  to: ['sign-up', 'forgotten-password'],
  kind: ['expired', 'unknown', 'other-browser', 'stale-page', 'throttled', 'unreachable'],
};

function extractScreens(source: string): string[] {
  return Array.from(source.matchAll(/<Screen\b[^>]*?\bname=(?:"([^"]+)"|\{([^}]+)\})/g)).flatMap(
    ([, literal, expression = '']) => {
      if (literal !== undefined) return [literal];
      const spelled = Array.from(expression.matchAll(/'([a-z-]+)'/g), ([, name]) => name as string);
      const names = spelled.length > 0 ? spelled : COMPUTED[expression];
      assert.ok(names, `what is a screen called by ${expression}?`);
      return [...names];
    },
  );
}
