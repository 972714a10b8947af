import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResourceScope } from '../../contract/data-categories.ts';
import { newAccount } from '../harness/account.ts';
import {
  buildAuthorizePath,
  createPkce,
  decideRequest,
  getRequestId,
  registerClient,
} from '../harness/authorization.ts';
import {
  NARROW,
  newBrowser,
  openBrowserFixtures,
  screenshot,
  waitForScreen,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertCount, assertTexts } from '../harness/page-assertions.ts';
import { setProjectContent } from '../harness/service.ts';
import { en, es } from '../harness/words.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

const LABS = {
  consentDataResourceScopes: ['LABS'],
  consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
};
const LABS_AND_PROBLEMS = {
  consentDataResourceScopes: ['DIAGNOSES', 'LABS'],
  consentDataSensitivityScopes: ['NORMAL'],
};
const WRITTEN = { title: 'Air', purpose: 'We compare.' };
const ONLY_IN_LABS = en.myData.onlyIn('Mental health', 'Lab results');

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

describe('what ends before the rest', () => {
  it('is shown beside the end of the rest, and what is shared of some of it alone, on the own page and on the receipt', async (t) => {
    const { service } = fixtures;
    const me = createTestBrowser(service);
    const person = await newAccount(service, me);
    const { challenge } = createPkce();
    for (const terms of [
      { ...LABS, duration: '30-days' },
      { ...LABS_AND_PROBLEMS, duration: 'once' },
    ]) {
      const client = await registerClient(service, { client_name: 'Claude' });
      const path = buildAuthorizePath({ clientId: client.client_id as string, challenge });
      const answer = await decideRequest(me, getRequestId(await me.get(path)), 'grant', terms);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await waitForScreen(tab, 'my-data');
    await tab.getByText(/^Health problems: until .+ at \d+:\d\d/).waitFor();
    await tab.getByText(ONLY_IN_LABS, { exact: true }).waitFor();
    await screenshot(tab, 'my-data-parts');
    await tab.goto(`${service.baseUrl}/consent/#/my-data/receipts`);
    await tab.getByRole('link', { name: en.myData.receipts.read }).first().click();
    await tab.getByText(en.myData.receipts.page.endsSooner).waitFor();
    await tab.getByText(/^Health problems: until .+ at \d+:\d\d/).waitFor();
    await tab.getByText(ONLY_IN_LABS, { exact: true }).waitFor();
    await screenshot(tab, 'receipt-parts');
  });
});

describe('what an app gets, where that is less than the consent covers', () => {
  it('is said with what the app does not get and with both ends, on the receipt and in the list of receipts', async (t) => {
    const { service } = fixtures;
    const me = createTestBrowser(service);
    const person = await newAccount(service, me);
    const { challenge } = createPkce();
    const EVERYTHING = ResourceScope.options;
    await setProjectContent(service, {
      en: { ...WRITTEN, categoryPurposes: { MEDICATIONS: 'To see which inhalers you use.' } },
      es: { title: 'Aire', purpose: 'Comparamos.', categoryPurposes: { LABS: 'Para ver su sangre.' } },
    });
    for (const terms of [
      { ...LABS, consentDataResourceScopes: EVERYTHING, duration: '1-year' },
      {
        consentDataResourceScopes: EVERYTHING.filter((name) => name !== 'LABS'),
        consentDataSensitivityScopes: ['NORMAL'],
        duration: '30-days',
        language: 'es',
      },
    ]) {
      const client = await registerClient(service, { client_name: 'Claude' });
      const path = buildAuthorizePath({ clientId: client.client_id as string, challenge });
      const answer = await decideRequest(me, getRequestId(await me.get(path)), 'grant', terms);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    for (const [colorScheme, locale, words] of [
      ['light', 'en-US', en],
      ['dark', 'es-US', es],
    ] as const) {
      const { data, myData } = words;
      const { receipts } = myData;
      const browser = await newBrowser(t, fixtures, {
        reducedMotion: 'reduce',
        viewport: NARROW,
        colorScheme,
        locale,
      });
      await browser.signIn(person);
      const tab = await browser.newTab();
      await tab.goto(`${service.baseUrl}/consent/#/my-data/receipts`);
      const card = tab.locator('.receipt').first();
      await card
        .getByText(new RegExp(`${receipts.untilDay('.+')} · ${receipts.appUntil('Claude', '.+')} · `))
        .waitFor();
      await screenshot(tab, `receipts-two-ends-${colorScheme}`);
      await card.getByRole('link', { name: receipts.read }).click();
      const missing = tab.locator('dl > div').filter({ hasText: receipts.page.appLess });
      await assertTexts(missing.locator('dd'), [
        `${data.categories.LABS.name}\u00a0· ${data.sensitivities.MENTAL_HEALTH.name}`,
      ]);
      // What the Spanish review had in English stands so, and is marked.
      const purpose = tab.locator('.receipt-purpose').filter({ hasText: 'inhalers' });
      await purpose.locator('q[lang=en]').getByText('To see which inhalers you use.').waitFor();
      await purpose.getByText(`(${receipts.page.onlyIn.en})`).waitFor();
      await assertCount(tab.getByText(`(${receipts.page.onlyIn.en})`), 1);
      await screenshot(tab, `receipt-app-less-${colorScheme}`);
    }
  });
});
