import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newPerson } from '../harness/account.ts';
import { extractLinkToken, waitForMail } from '../harness/mails.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  openReview,
  press,
  waitForScreen,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent } from '../harness/page-assertions.ts';
import { decideEnrollment, newInvited, newStudy } from '../harness/study.ts';
import { en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
let projectId: string;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  projectId = await newStudy(fixtures.service);
});
after(() => fixtures.stop());

const { emails } = en.myData;

describe('what a person does in one tab', () => {
  it('is theirs also after they have changed their address in another one: a withdrawal', async (t) => {
    const { service } = fixtures;
    const person = await newInvited(service, projectId);
    await decideEnrollment(person, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await tab.getByRole('button', { name: en.myData.stop }).click();

    const { email } = newPerson();
    const second = await browser.newTab();
    await second.goto(`${service.baseUrl}/consent/#/my-data/signing-in`);
    await press(second, emails.change);
    await fill(second, { [emails.address]: email, [emails.password]: person.password });
    await press(second, emails.submit);
    const token = extractLinkToken(await waitForMail(service, email), 'email');
    await second.goto(`${service.baseUrl}/consent/#/account/email/${token}`);
    await press(second, en.emailLink.confirm);
    await waitForScreen(second, 'email-changed');

    await press(tab, en.myData.yesStop);
    await tab
      .getByRole('status')
      .getByText(/^You have stopped “/)
      .waitFor();
    await assertAbsent(tab.getByText(en.lostAction.otherPerson));
    assert.deepEqual(
      (await browser.listConsents()).map(({ status }) => status),
      ['withdrawn'],
    );
  });

  it('is followed by another one when they come back: an address that was confirmed there, an account that was deleted', async (t) => {
    const { service } = fixtures;
    const person = await newInvited(service, projectId);
    await decideEnrollment(person, projectId);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(person);
    const [tab, decided] = [await browser.newTab(), await browser.newTab()];
    const comeBack = (): Promise<unknown> =>
      tab.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await decided.goto(`${service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`);
    await waitForScreen(decided, 'next-steps');
    await tab.goto(`${service.baseUrl}/consent/#/my-data/signing-in`);
    const { email } = newPerson();
    await press(tab, emails.change);
    await fill(tab, { [emails.address]: email, [emails.password]: person.password });
    await press(tab, emails.submit);
    await tab.getByText(emails.sent(email)).waitFor();
    const token = extractLinkToken(await waitForMail(service, email), 'email');
    assert.equal((await person.browser.post('/account/email/confirm', { token })).status, 200);
    await comeBack();
    await tab.getByText(emails.sent(email)).waitFor({ state: 'detached' });

    await tab.goto(`${service.baseUrl}/consent/#/my-data/delete-account`);
    await fill(tab, { [en.form.password]: person.password });
    await press(tab, en.myData.deletion.next);
    await press(tab, en.myData.deletion.yes);
    await waitForScreen(tab, 'farewell');
    await decided.getByRole('button', { name: new RegExp(`^${en.invitation.decideAgain}`) }).click();
    await waitForScreen(decided, 'invitation');
  });

  for (const [first, second, button, said] of [
    [en.review.allow, en.review.deny, en.invitation.decideAgain, /^You said yes\./],
    [en.review.deny, en.review.allow, en.invitation.lookAgain, /^You said no on /],
  ] as const)
    it(`is said not to be recorded where the other one decided before: “${second}” after “${first}”`, async (t) => {
      const { service } = fixtures;
      const person = await newInvited(service, projectId);
      const browser = await newBrowser(t, fixtures);
      await browser.signIn(person);
      const url = `${service.baseUrl}/consent/#/patient-consent/${projectId}/enrollment/link`;
      const [one, other] = [await browser.newTab(), await browser.newTab()];
      // The picture of the tab that was opened last is the one of the draft.
      for (const tab of [other, one]) {
        await tab.goto(url);
        await openReview(tab);
      }
      await press(one, first);
      await waitForScreen(one, 'next-steps');
      await one.getByRole('heading', { name: en.invitation.decidedTitle }).waitFor();

      browser.expectRefusals('409 POST /account/enrollments/');
      await press(other, second);
      await waitForScreen(other, 'next-steps');
      await other.getByRole('alert').getByText(en.lostAction.decidedBefore).waitFor();
      await other.getByRole('heading', { name: en.invitation.countsTitle }).waitFor();
      await other.getByText(said).waitFor();
      await assertAbsent(other.getByText(en.invitation.decidedTitle), other.getByText(en.invitation.shared));

      await other.getByRole('button', { name: new RegExp(`^${button}`) }).click();
      await waitForScreen(other, 'review');
    });
});
