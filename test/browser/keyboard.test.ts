import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../harness/words.ts';
import {
  waitForAgent,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  openReview,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertFocused } from '../harness/page-assertions.ts';
import { newTestPatient } from '../harness/service.ts';
import { readFocus } from './focus.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
});
after(() => fixtures.stop());

const { data, review, myData } = en;

/** Presses Tab until what has this name has the focus; all on the way is seen to have it. */
async function tabTo(tab: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await tab.keyboard.press('Tab');
    const { what, name: found, hidden, outlined } = await readFocus(tab);
    assert.ok(!hidden && outlined, `${what} does not show the focus`);
    if (typeof name === 'string' ? found === name : name.test(found)) return;
  }
  assert.fail(`${name} is not reached`);
}

it('with the keyboard alone one chooses, allows and later takes out', async (t) => {
  const patient = await newTestPatient(fixtures.service, { consent: false });
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
  await browser.signIn(patient);
  const tab = await browser.newTab();
  const press = async (key: string): Promise<void> => tab.keyboard.press(key);
  await tab.goto(fixtures.agent.connectUrl());
  await openReview(tab);
  await browser.waitUntilStill(tab);
  await tabTo(tab, data.groups.problems);
  await press('Space');
  await tabTo(tab, data.oneByOneIn(data.groups.tests));
  await press('Enter');
  await tabTo(tab, data.categories.GENOMIC_DATA.name);
  await press('Space');
  await tabTo(tab, data.oneByOneIn(review.private.title));
  await press('Enter');
  await tabTo(tab, data.sensitivities.HIV_OR_STI.name);
  await press('Space');
  await tabTo(tab, review.howLong.durations['90-days']);
  await press('ArrowUp');
  await tabTo(tab, review.allow);
  await press('Enter');
  assert.equal(
    (await fixtures.agent.exchange((await waitForAgent(tab, fixtures.agent))['code'])).status,
    200,
  );
  const [consent] = await browser.listConsents();
  const categories: readonly string[] = consent?.consentDataResourceScopes ?? [];
  assert.equal(categories.length, 15);
  assert.deepEqual(consent?.consentDataSensitivityScopes, ['NORMAL', 'HIV_OR_STI']);
  const days = Math.round((Date.parse(consent?.until ?? '') - Date.parse(consent?.since ?? '')) / 86_400_000);
  assert.equal(days, 30);

  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
  await waitForScreen(tab, 'my-data');
  await tab.locator('.consent').waitFor();
  await browser.waitUntilStill(tab);
  await tabTo(tab, new RegExp(`^${myData.change}`));
  await press('Enter');
  await tabTo(tab, data.oneByOneIn(data.groups.care));
  await press('Enter');
  await tabTo(tab, data.categories.MEDICATIONS.name);
  await press('Space');
  await tabTo(tab, myData.save);
  await press('Enter');
  await tab
    .getByRole('status')
    .getByText(/^Saved\./)
    .waitFor();
  await assertFocused(tab, myData.share);
  const [now] = await browser.listConsents();
  assert.equal(now?.consentDataResourceScopes?.length, 14);
  assert.ok(!now?.consentDataResourceScopes?.includes('MEDICATIONS'));
});
