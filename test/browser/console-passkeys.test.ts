import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertAddress, assertCount } from '../harness/page-assertions.ts';
import { startIdentityProvider, type IdentityProvider } from '../harness/identity-provider.ts';
import { waitForMail } from '../harness/mails.ts';
import { beginTestSession, newMember } from '../harness/member.ts';
import { findFreePort } from '../harness/postgres.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';
import { consoleEn as en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
let provider: IdentityProvider;
before(async () => {
  const port = String(await findFreePort());
  const baseUrl = `http://localhost:${port}`;
  provider = await startIdentityProvider(`${baseUrl}/console/oidc`);
  fixtures = await openBrowserFixtures({
    environment: {
      PORT: port,
      CHARTGATE_BASE_URL: baseUrl,
      CHARTGATE_OIDC_ISSUER: provider.issuer,
      CHARTGATE_OIDC_CLIENT_ID: provider.clientId,
      CHARTGATE_OIDC_CLIENT_SECRET: provider.clientSecret,
      CHARTGATE_OIDC_ROLES: 'groups; owners=owner',
    },
  });
});
after(async () => {
  await fixtures.stop();
  await provider.stop();
});

const screen = (tab: Page, name: string) => tab.locator(`[data-screen="${name}"]`).waitFor();

it('the first login chooses a passkey, signs in by it, confirms by it, and cannot lose the only one', async (t) => {
  const { service } = fixtures;
  const browser = await newBrowser(t, fixtures, { viewport: { width: 1280, height: 900 } });
  const tab = await browser.newTab();
  const device = await addVirtualAuthenticator(tab);
  const { email, password } = service.organization.console;
  await tab.goto(`${service.baseUrl}/console/profile`);
  await fill(tab, { [en.signIn.email]: email, [en.signIn.password]: password });
  await press(tab, en.signIn.submit);
  await screen(tab, 'setup-password');
  await fill(tab, {
    [en.signIn.invitation.name]: 'Ana Ruiz',
    [en.signIn.setup.newPassword]: 'four lorries on a green hill',
  });
  await press(tab, en.signIn.setup.savePassword);
  await screen(tab, 'setup-choice');
  await press(tab, en.signIn.setup.passkey);
  await screen(tab, 'setup-recovery-codes');
  await assertCount(tab.locator('.recovery-codes li'), 10);
  assert.equal(await device.keys(), 1);
  await tab.getByLabel(en.signIn.setup.storedCodes).check();
  await press(tab, en.signIn.setup.finish);
  await screen(tab, 'profile');
  await tab.getByRole('row', { name: new RegExp(en.signIn.passkey.onThis.computer) }).waitFor();

  // The session is over: a passkey over the page brings it back, and what was asked for is sent.
  await waitUntilStill(tab);
  await service.store.db.query(sql`delete from member_session`);
  browser.expectRefusals('401');
  await press(tab, en.profile.addPasskey);
  const dialog = tab.getByRole('dialog');
  await dialog.getByRole('button', { name: en.profile.createPasskey }).click();
  await press(tab, en.signIn.passkey.submit);
  await dialog.getByText(en.profile.outcomes.known).waitFor();
  await tab.keyboard.press('Escape');

  // The proof of presence is too old.
  await service.store.db.query(
    sql`update member_session set confirmed_at = confirmed_at - interval '6 minutes'`,
  );
  browser.expectRefusals('403 POST /console/recovery-codes');
  await press(tab, en.profile.renewCodes);
  await dialog.getByRole('button', { name: en.profile.renewCodes }).click();
  await press(tab, en.confirm.withPasskey);
  await dialog.getByText(en.profile.codesTitle).waitFor();
  await tab.getByLabel(en.secret.stored).check();
  await press(tab, en.secret.done);

  // What would be refused is not offered.
  await tab.getByText(en.profile.lastFactor).waitFor();
  await assertAbsent(tab.getByRole('button', { name: en.profile.remove, exact: true }));

  await waitUntilStill(tab);
  await service.store.db.query(sql`delete from member_session`);
  await tab.goto(`${service.baseUrl}/console/`);
  await screen(tab, 'sign-in');
  await press(tab, en.signIn.passkey.submit);
  await screen(tab, 'home');
});

it('a researcher, who manages no members, changes their own name', async (t) => {
  const { service } = fixtures;
  const browser = await newBrowser(t, fixtures, { viewport: { width: 1280, height: 900 } });
  const { memberId } = await newMember(service, 'researcher');
  const value = await beginTestSession(service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  const tab = await browser.newTab();
  await tab.goto(`${service.baseUrl}/console/profile`);
  await press(tab, en.common.change);
  await tab.getByRole('textbox', { name: en.profile.name }).fill('Ana Ruiz');
  await press(tab, en.common.save);
  await tab.getByText(en.profile.nameSaved).waitFor();
  await tab.getByRole('definition').getByText('Ana Ruiz').waitFor();
});

it('the identity provider sends people back to the page where they were, or says why not', async () => {
  const { service, chromium } = fixtures;
  // Not the watched browser, for which the provider is a third party.
  const context = await chromium.newContext({ locale: 'en-US' });
  try {
    const tab = await context.newPage();
    provider.enter({ sub: 'ana', email: 'ana@clinic.example', email_verified: true, groups: [] });
    await tab.goto(`${service.baseUrl}/console/profile`);
    await press(tab, en.signIn.oidc.submit);
    await screen(tab, 'oidc-refused');
    await tab.getByText(en.signIn.oidc.refusals.no_role).waitFor();
    // The code stays in no address.
    await assertAddress(tab, 'search', '');

    provider.enter({ sub: 'ben', email: 'ben@clinic.example', email_verified: true, groups: ['owners'] });
    await context.clearCookies();
    await tab.goto(`${service.baseUrl}/console/profile`);
    await press(tab, en.signIn.oidc.submit);
    await screen(tab, 'profile');
    await tab.getByText(en.profile.isJoined(new URL(provider.issuer).host)).waitFor();

    await service.store.db.query(
      sql`update member_session set confirmed_at = confirmed_at - interval '6 minutes'`,
    );
    // What proves nothing of them is not offered.
    for (const name of [en.profile.changePassword, en.profile.addPasskey, en.profile.replaceApp])
      await assertCount(tab.getByRole('button', { name }), 0);
    await tab.goto(`${service.baseUrl}/console/team`);
    await press(tab, en.team.invite);
    const dialog = tab.getByRole('dialog');
    await dialog.getByLabel(en.team.email).fill('eva@clinic.example');
    await dialog.getByRole('button', { name: en.team.sendInvitation }).click();
    await dialog.getByText(en.signIn.oidc.confirmHint).waitFor();
    await assertCount(dialog.getByLabel(en.confirm.password), 0);
    await assertCount(dialog.getByRole('button', { name: en.confirm.submit, exact: true }), 0);
    // It leaves this very address and comes back to it: only the answer says that it has been away.
    const completed = tab.waitForResponse(`${service.baseUrl}/console/sign-in/oidc/complete`);
    await press(tab, en.signIn.oidc.confirm);
    assert.equal((await completed).status(), 200);
    const session = await context.request.get(`${service.baseUrl}/console/session`);
    assert.equal(((await session.json()) as { isConfirmed: boolean }).isConfirmed, true);

    // Back by itself: a visit of the test's own would be interrupted by it.
    await screen(tab, 'team');
    await press(tab, en.team.invite);
    await dialog.getByLabel(en.team.email).fill('eva@clinic.example');
    await dialog.getByRole('button', { name: en.team.sendInvitation }).click();
    await tab.getByRole('cell', { name: 'eva@clinic.example' }).waitFor();
    // An invitation is accepted there too, and its page has nothing to come back to.
    const mail = await waitForMail(service, 'eva@clinic.example');
    const [link = ''] = /http\S+invitation#\S+/.exec(mail.text ?? '') ?? [];
    await context.clearCookies();
    provider.enter({ sub: 'eva', email: 'eva@clinic.example', email_verified: true, groups: ['owners'] });
    await tab.goto(link);
    await press(tab, en.signIn.oidc.submit);
    await screen(tab, 'home');
  } finally {
    await context.close();
  }
});
