import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../harness/words.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  openReview,
  press,
  screenshot,
  waitForScreen,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertChecked, assertFocused } from '../harness/page-assertions.ts';
import { decideEnrollment, newInvited, newStudy } from '../harness/study.ts';

let fixtures: BrowserFixtures;
let projectId: string;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  projectId = await newStudy(fixtures.service);
});
after(() => fixtures.stop());

/** The session ends while a page is open, and asks nothing: an answer that is on its way would say so before the person does anything. */
async function endSession(tab: Page): Promise<void> {
  await waitUntilStill(tab);
  await tab.context().clearCookies({ name: /session/ });
}

async function signInAgain(
  tab: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await waitForScreen(tab, 'sign-in');
  await tab.getByRole('alert').getByText(en.lostAction.signInAgain).waitFor();
  await screenshot(tab, 'signed-out');
  await fill(tab, { [en.form.email]: email, [en.form.password]: password });
  await press(tab, en.signIn.submit);
  await tab.getByRole('alert').getByText(en.lostAction.doAgain).waitFor();
}

describe('what is done when the session has ended', () => {
  it('is said not to be done, before and after signing in again: a withdrawal', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    await decideEnrollment(person, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await endSession(tab);
    await press(tab, en.myData.yesStop);
    await signInAgain(tab, person);
    await waitForScreen(tab, 'my-data');
    await screenshot(tab, 'signed-in-again');
    assert.deepEqual(
      (await browser.listConsents()).map(({ status }) => status),
      ['active'],
    );
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await press(tab, en.myData.yesStop);
    await tab
      .getByRole('status')
      .getByText(/^You have stopped “/)
      .waitFor();
    await tab.getByText(en.lostAction.doAgain).waitFor({ state: 'detached' });
  });

  it('is said not to be done, where a browser would say nothing: a download', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/download`);
    const link = tab.getByRole('link', { name: en.myData.download.button });
    const [file] = await Promise.all([tab.waitForEvent('download'), link.click()]);
    assert.match(file.suggestedFilename(), /^my-health-data-.*\.zip$/);
    await tab.getByRole('status').getByText(en.myData.download.begins).waitFor();
    await endSession(tab);
    await link.click();
    await signInAgain(tab, person);
    await waitForScreen(tab, 'my-data-download');
  });

  it('is offered again where it can be: the files of an upload', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/documents`);
    const file = { name: 'labs.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
    await tab.locator('input[type=file]').setInputFiles(file);
    await endSession(tab);
    await press(tab, en.myData.documents.send);
    await signInAgain(tab, person);
    await tab.getByText('labs.json').waitFor();
    await press(tab, en.myData.documents.send);
    await tab.getByText(en.myData.documents.none).waitFor({ state: 'detached' });
  });

  it('is offered again where it can be: what one goes on sharing', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    await decideEnrollment(person, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await tab.getByRole('button', { name: en.myData.change }).click();
    const group = () => tab.locator('#share-visits');
    await group().uncheck({ force: true });
    await endSession(tab);
    await press(tab, en.myData.save);
    await signInAgain(tab, person);
    await waitForScreen(tab, 'my-data');
    await assertChecked(group(), false);
    await screenshot(tab, 'narrowing-kept');
    await press(tab, en.myData.save);
    await tab.getByRole('button', { name: en.myData.save, exact: true }).waitFor({ state: 'detached' });
    const [consent] = (await browser.listConsents()) as unknown as { consentDataResourceScopes: string[] }[];
    assert.ok(!consent?.consentDataResourceScopes.includes('VISITS'), JSON.stringify(consent));
  });

  it('is given up by who leaves it as it is, and by who signs out: that was done', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    await decideEnrollment(person, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    const loseChoice = async () => {
      await tab.getByRole('button', { name: en.myData.change }).click();
      await tab.locator('#share-visits').uncheck({ force: true });
      await endSession(tab);
      await press(tab, en.myData.save);
      await signInAgain(tab, person);
      await waitForScreen(tab, 'my-data');
      await tab.locator('#share-visits').waitFor({ state: 'attached' });
    };
    await loseChoice();
    await press(tab, en.myData.discard);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/receipts`);
    await waitForScreen(tab, 'my-data-receipts');
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await tab.getByRole('button', { name: en.myData.change }).waitFor();
    await assertAbsent(tab.locator('#share-visits'));
    await loseChoice();
    await press(tab, en.common.signOut);
    await waitForScreen(tab, 'sign-in');
    await waitUntilStill(tab);
    await assertAbsent(tab.getByText(en.lostAction.signInAgain));
  });

  it('is said of a yes to an organization, and what was chosen is still chosen', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`);
    await openReview(tab);
    const saved = tab.waitForResponse((response) => response.url().endsWith('/draft'));
    await tab.getByRole('radio', { name: en.review.howLong.durations['30-days'] }).check();
    await saved;
    await endSession(tab);
    browser.expectRefusals('401 POST', '401 POST');
    await press(tab, en.review.allow);
    await signInAgain(tab, person);
    await waitForScreen(tab, 'review');
    await screenshot(tab, 'review-again');
    await assertChecked(tab.getByRole('radio', { name: en.review.howLong.durations['30-days'] }), true);
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'next-steps');
    await tab.getByText(en.lostAction.doAgain).waitFor({ state: 'detached' });
  });
});

describe('the form of a new password', () => {
  it('takes the focus when it opens, and gives it back to its button', async (t) => {
    const person = await newInvited(fixtures.service, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/signing-in`);
    const { passwords } = en.myData;
    const button = tab.getByRole('button', { name: passwords.change });
    await button.focus();
    await tab.keyboard.press('Enter');
    await tab.locator('#current-password:focus').waitFor();
    await tab.getByRole('button', { name: passwords.cancel }).focus();
    await tab.keyboard.press('Enter');
    await assertFocused(tab, passwords.change);
    await tab.keyboard.press('Enter');
    await fill(tab, {
      [passwords.current]: person.password,
      [en.form.newPassword]: `${person.password} anew`,
    });
    await tab.keyboard.press('Enter');
    await tab.getByRole('status').getByText(passwords.changed).waitFor();
    await assertFocused(tab, passwords.change);
  });
});
