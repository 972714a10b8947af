import assert from 'node:assert/strict';
import { assertAbsent } from '../harness/page-assertions.ts';
import { after, before, describe, it, type TestContext } from 'node:test';
import { newAccount, newPerson } from '../harness/account.ts';
import { extractLinkToken, listMailsTo, waitForMail } from '../harness/mails.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  press,
  waitForScreen,
  type BrowserFixtures,
} from '../harness/page.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

const { emails, deletion } = en.myData;
const NEW_PASSWORD = 'another horse, another battery';

/** Somebody asks for another address, and the link is opened in a browser that knows nobody. */
async function openLinkElsewhere(t: TestContext) {
  const { service } = fixtures;
  const asking = createTestBrowser(service);
  const jo = await newAccount(service, asking);
  const { email } = newPerson();
  assert.equal((await asking.post('/account/email', { email, currentPassword: jo.password })).status, 202);
  const token = extractLinkToken(await waitForMail(service, email), 'email');
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
  const tab = await browser.newTab();
  await tab.goto(`${service.baseUrl}/consent/#/account/email/${token}`);
  return { asking, jo, email, token, browser, tab };
}

describe('the address of an account', () => {
  it('is changed by a link on another device, and taken back by who did not change it', async (t) => {
    const { service } = fixtures;
    const { baseUrl } = service;
    const jo = await newAccount(service, createTestBrowser(service));
    const { email } = newPerson();
    const desk = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await desk.signIn(jo);
    const tab = await desk.newTab();
    await tab.goto(`${baseUrl}/consent/#/my-data/signing-in`);
    await press(tab, emails.change);
    await fill(tab, {
      [emails.address]: ` ${jo.email.toUpperCase()} `,
      [emails.password]: 'not the password',
    });
    await press(tab, emails.submit);
    await tab.getByRole('alert').getByText(emails.same).waitFor();
    await fill(tab, { [emails.address]: email });
    desk.expectRefusals('401 POST /account/email');
    await press(tab, emails.submit);
    await tab.getByRole('alert').getByText(deletion.wrongPassword).waitFor();
    await fill(tab, { [emails.password]: jo.password });
    await press(tab, emails.submit);
    await tab.getByRole('status').getByText(emails.sent(email)).waitFor();
    await tab.getByRole('button', { name: emails.change, exact: true }).waitFor();

    const phone = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    const read = await phone.newTab();
    const token = extractLinkToken(await waitForMail(service, email), 'email');
    await read.goto(`${baseUrl}/consent/#/account/email/${token}`);
    await waitForScreen(read, 'confirm-email-sign-in');
    assert.equal(new URL(read.url()).hash, '#/account/email', 'the address bar forgets the secret');
    await press(read, en.emailLink.signIn);
    await waitForScreen(read, 'sign-in');
    await read.goBack();
    await waitForScreen(read, 'confirm-email-sign-in');
    await read.reload();
    await waitForScreen(read, 'confirm-email-sign-in');
    await press(read, en.emailLink.signIn);
    await read.reload();
    await waitForScreen(read, 'sign-in');
    await read.getByText(en.emailLink.signInLead(email)).waitFor();
    await assertAbsent(read.getByRole('button', { name: en.signIn.signUp }));
    await fill(read, { [en.form.email]: jo.email, [en.form.password]: jo.password });
    await press(read, en.signIn.submit);
    await waitForScreen(read, 'confirm-email');
    for (const name of [`${jo.firstName} ${jo.lastName}`, jo.email])
      await read.getByText(name, { exact: true }).waitFor();
    await press(read, en.emailLink.confirm);
    await waitForScreen(read, 'email-changed');
    await read.getByText(en.emailLink.changedLead(email)).waitFor();
    await read.reload();
    await waitForScreen(read, 'email-link-reloaded');
    await read.getByRole('link', { name: en.myDataLink, exact: true }).click();
    await waitForScreen(read, 'my-data');
    await tab.reload();
    await tab.getByText(email).waitFor();

    const back = extractLinkToken((await listMailsTo(service, jo.email)).at(-1) ?? assert.fail(), 'email');
    await read.goto(`${baseUrl}/consent/#/account/email/${back}`);
    await waitForScreen(read, 'restore-email');
    await read.reload();
    await waitForScreen(read, 'email-link-reloaded');
    await read.goto(`${baseUrl}/consent/#/account/email/${back}`);
    await waitForScreen(read, 'restore-email');
    await press(read, en.emailLink.restore);
    await waitForScreen(read, 'choose-password');
    await fill(read, { [en.form.newPassword]: NEW_PASSWORD });
    await press(read, en.link.submitRenew);
    await waitForScreen(read, 'account-restored');
    await read.getByRole('link', { name: en.accountRestored.link }).click();
    await waitForScreen(read, 'my-data');
    await tab.reload();
    await waitForScreen(tab, 'sign-in');
    const used = await desk.newTab();
    desk.expectRefusals('404 POST /account/email/link');
    await used.goto(`${baseUrl}/consent/#/account/email/${back}`);
    await waitForScreen(used, 'email-link-gone');
    const asked: string[] = [];
    used.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await used.evaluate(
      `document.dispatchEvent(new Event('visibilitychange')); fetch('/healthz').then(() => 0)`,
    );
    assert.deepEqual(asked, ['/healthz'], 'a dead link is not asked for at each return');
    await used.reload();
    await waitForScreen(used, 'email-link-reloaded');
  });

  it('is asked for again after a forgotten password, as the page says before', async (t) => {
    const { service } = fixtures;
    const { jo, browser, tab } = await openLinkElsewhere(t);
    await press(tab, en.emailLink.signIn);
    await fill(tab, { [en.form.email]: jo.email });
    await press(tab, en.signIn.forgotten);
    await waitForScreen(tab, 'forgotten-password');
    await tab.getByText(en.emailLink.forgotten).waitFor();
    const before = (await listMailsTo(service, jo.email)).length;
    await press(tab, en.forgotten.submit);
    await waitForScreen(tab, 'mail-sent');
    await tab.getByText(en.emailLink.afterReset).waitFor();
    await assertAbsent(tab.getByText(en.mailSent.steps.at(-1) ?? assert.fail()));
    const reset = extractLinkToken(await waitForMail(service, jo.email, before + 1), 'link');
    browser.expectRefusals('404 POST /account/email/link');
    const elsewhere = await browser.newTab();
    await elsewhere.goto(`${service.baseUrl}/consent/#/account/link/${reset}`);
    await fill(elsewhere, { [en.form.newPassword]: NEW_PASSWORD });
    await press(elsewhere, en.link.submitRenew);
    await waitForScreen(tab, 'email-link-gone');
  });

  it('is not said to be ended to who did not ask, where the link was used while the page waited', async (t) => {
    const { asking, email, token, browser, tab } = await openLinkElsewhere(t);
    await waitForScreen(tab, 'confirm-email-sign-in');
    assert.equal((await asking.post('/account/email/confirm', { token })).status, 200);
    browser.expectRefusals('404 POST /account/email/cancel');
    await press(tab, en.emailLink.cancel);
    await waitForScreen(tab, 'email-change-not-cancelled');
    await tab.getByText(en.emailLink.notCancelledNext(email)).waitFor();
  });

  it('is not confirmed by who reads the mail of a change that another account asked for, but ended', async (t) => {
    const { service } = fixtures;
    const { baseUrl } = service;
    const asking = createTestBrowser(service);
    const stranger = await newAccount(service, asking);
    const { email } = newPerson();
    const asked = { email, currentPassword: stranger.password };
    assert.equal((await asking.post('/account/email', asked)).status, 202);
    const token = extractLinkToken(await waitForMail(service, email), 'email');
    const luis = await newAccount(service, createTestBrowser(service), { firstName: 'Luis' });
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(luis);
    const tab = await browser.newTab();
    await tab.goto(`${baseUrl}/consent/#/account/email/${token}`);
    await waitForScreen(tab, 'confirm-email-other');
    await tab.getByText(en.emailLink.otherLead(`Luis ${luis.lastName}`, luis.email)).waitFor();
    await press(tab, en.emailLink.otherSignIn);
    await waitForScreen(tab, 'confirm-email-sign-in');
    await press(tab, en.emailLink.cancel);
    await waitForScreen(tab, 'email-change-cancelled');
    assert.equal((await asking.post('/account/email/confirm', { token })).status, 404);
  });

  it('is confirmed by nobody who signs in as somebody else while the page waits', async (t) => {
    const { service } = fixtures;
    const asking = createTestBrowser(service);
    const jo = await newAccount(service, asking);
    const { email } = newPerson();
    assert.equal((await asking.post('/account/email', { email, currentPassword: jo.password })).status, 202);
    const token = extractLinkToken(await waitForMail(service, email), 'email');
    const luis = await newAccount(service, createTestBrowser(service));
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(jo);
    const tab = await browser.newTab();
    await tab.goto(`${service.baseUrl}/consent/#/account/email/${token}`);
    await waitForScreen(tab, 'confirm-email');
    await browser.signIn(luis);
    browser.expectRefusals('403 POST /account/email/confirm');
    await press(tab, en.emailLink.confirm);
    await waitForScreen(tab, 'confirm-email-other');
  });
});
