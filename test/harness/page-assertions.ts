import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS, waitUntilStill } from './page.ts';

/**
 * A page comes to its state by itself: by an answer, an effect, one more rendering. On a busy machine that is later than the
 * test's next line, so that what is read once is a guess. An assertion is repeated until it holds, the first time at once;
 * where it does not come to hold, it fails with what was seen last.
 */
export async function assertSoon(assertion: () => Promise<void>, timeoutMs = TIMEOUT_MS): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (let pause = 20; ; pause = Math.min(pause * 1.3, 150)) {
    try {
      return await assertion();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() >= until) throw error;
    }
    await sleep(pause);
  }
}

/** So many come; that there is none is `assertAbsent`. */
export const assertCount = (found: Locator, count: number, message = String(found)): Promise<void> =>
  assertSoon(async () => assert.equal(await found.count(), count, message));

/**
 * None is there, nor comes: asked when every question of the page is answered and drawn. It says something only after what the
 * test waited for before, since a page that has not begun is still, too.
 */
export async function assertAbsent(...found: readonly [Locator, ...Locator[]]): Promise<void> {
  await waitUntilStill(found[0].page());
  for (const each of found) assert.equal(await each.count(), 0, String(each));
}

export const assertChecked = (found: Locator, is: boolean, message = String(found)): Promise<void> =>
  assertSoon(async () => assert.equal(await found.isChecked(), is, message));

export const assertValue = (found: Locator, value: string): Promise<void> =>
  assertSoon(async () => assert.equal(await found.inputValue(), value));

export const assertText = (found: Locator, text: RegExp): Promise<void> =>
  assertSoon(async () => assert.match(await found.innerText(), text));

export const assertTexts = (found: Locator, texts: readonly string[]): Promise<void> =>
  assertSoon(async () => assert.deepEqual(await found.allInnerTexts(), texts));

/** What an expression is in the page. */
export const assertInPage = (tab: Page, expression: string, value: unknown): Promise<void> =>
  assertSoon(async () => assert.deepEqual(await tab.evaluate<unknown>(expression), value, expression));

/** What has the focus, by its text: all of it, or what it matches. */
export const assertFocused = (tab: Page, text: string | RegExp): Promise<void> =>
  assertSoon(async () => {
    const focused = await tab.evaluate<string>('document.activeElement.textContent');
    if (typeof text === 'string') assert.equal(focused, text);
    else assert.match(focused, text);
  });

/** The address is replaced in an effect, or by a page that follows. */
export const assertAddress = (tab: Page, part: 'hash' | 'search', value: string): Promise<void> =>
  assertSoon(async () => assert.equal(new URL(tab.url())[part], value));
