import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { beginTestSession, newMember } from '../harness/member.ts';
import {
  DESKTOP,
  fill,
  newBrowser,
  openBrowserFixtures,
  press,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertFocused } from '../harness/page-assertions.ts';
import { consoleEn } from '../harness/words.ts';

const { testPatients: words, secret } = consoleEn;

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

const inDialog = (tab: Page, button: string) =>
  tab.getByRole('dialog').getByRole('button', { name: button }).click();

/** What a page could keep of a secret, or hand on. */
const READ_KEPT = `[
  JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state),
  location.href, document.documentElement.outerHTML,
].join('\\n')`;

describe('test patients in the console', () => {
  it('are made up by a developer, get a record, consent, and show what a narrower consent leaves out', async (t) => {
    const { service } = fixtures;
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', viewport: DESKTOP });
    const { memberId } = await newMember(service, 'developer');
    const value = await beginTestSession(service, memberId);
    await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
    const tab = await browser.newTab();
    const answers: Promise<{ token?: string; password?: string }>[] = [];
    tab.on('response', (response) => {
      if (!/\/(token|grant|test-patients)$/.test(new URL(response.url()).pathname)) return;
      if (response.request().method() === 'POST') answers.push(response.json());
    });

    await tab.goto(`${service.baseUrl}/console/`);
    await tab.locator('[data-screen="home"]').waitFor();
    for (const key of ['g', 't']) await tab.keyboard.press(key);
    await tab.locator('[data-screen="test-patients"]').waitFor();
    await tab.getByRole('button', { name: words.create }).first().click();
    await fill(tab, {
      [words.form.firstName]: 'Kamala',
      [words.form.lastName]: 'Juniper',
      [words.form.born]: '1961-04-17',
    });
    await inDialog(tab, words.create);
    await tab.getByLabel(secret.stored).check();
    await press(tab, secret.done);
    await tab.getByRole('heading', { name: 'Kamala Juniper' }).waitFor();

    await press(tab, words.record.generate);
    await fill(tab, { [words.record.years]: '2', [words.record.seed]: '7' });
    await inDialog(tab, words.record.generateSubmit);
    await tab.getByText(words.record.generated('7')).waitFor();
    await tab.getByText(words.record.states.completed, { exact: true }).waitFor();
    await press(tab, words.consent.give);
    await inDialog(tab, words.consent.submit);
    await tab.getByText(words.scopes.everything, { exact: true }).waitFor();

    await tab.getByRole('link', { name: words.tabs.try }).click();
    await fill(tab, { [`years (${words.tryIt.optional})`]: '100' });
    await press(tab, words.tryIt.submit);
    const [wide, narrow] = [words.tryIt.wide, words.tryIt.narrow].map((name) =>
      tab.getByRole('region', { name }),
    );
    assert.ok(wide && narrow);
    await narrow
      .getByText(/not shared/i)
      .first()
      .waitFor();
    // The consent covers conditions, the grant leaves them out.
    await wide.locator('tbody tr').first().waitFor();
    await assertAbsent(narrow.locator('tbody tr'));
    await assertFocused(tab, words.tryIt.wide);

    // A link shows a colleague the same call; what the page holds beside it is in memory alone.
    const address = new URL(tab.url());
    assert.deepEqual(
      ['tab', 'args'].map((name) => address.searchParams.get(name)),
      ['try', '{"years":100}'],
    );
    const secrets = (await Promise.all(answers)).map(({ token, password }) => token ?? password ?? '');
    assert.equal(secrets.length, 3, 'a password, a token of the patient, and one of the narrower grant');
    const kept = await tab.evaluate<string>(READ_KEPT);
    for (const text of secrets) assert.ok(text !== '' && !kept.includes(text));

    await tab.getByRole('link', { name: words.tabs.setup }).click();
    await press(tab, words.consent.withdraw);
    await tab.getByText(words.consent.none).waitFor();
    browser.expectRefusals('403');
    await tab.getByRole('link', { name: words.tabs.try }).click();
    await press(tab, words.tryIt.submit);
    await tab.getByText(words.tryIt.refused, { exact: true }).waitFor();
  });
});
