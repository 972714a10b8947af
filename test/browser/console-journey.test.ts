import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { waitForMail } from '../harness/mails.ts';
import { getTotpCode } from '../harness/member.ts';
import {
  fill,
  newBrowser,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertAddress, assertCount, assertInPage } from '../harness/page-assertions.ts';
import { call } from '../harness/service.ts';
import { consoleEn as en } from '../harness/words.ts';

let fixtures: BrowserFixtures;
before(async () => {
  fixtures = await openBrowserFixtures();
});
after(() => fixtures.stop());

const OWNER_PASSWORD = 'four lorries on a green hill';
const MEMBER_PASSWORD = 'seven kettles under the moon';

const screen = (tab: Page, name: string) => tab.locator(`[data-screen="${name}"]`).waitFor();

/** Sets up the authenticator app; answers its secret and the recovery codes. */
async function setUpFactor(tab: Page): Promise<{ secret: string; codes: string[] }> {
  await screen(tab, 'setup-factor');
  const secret = (await tab.locator('.id code').innerText()).replaceAll(' ', '');
  await fill(tab, { [en.signIn.setup.codeMissing]: getTotpCode(fixtures.service, secret) });
  await press(tab, en.signIn.setup.activate);
  await screen(tab, 'setup-recovery-codes');
  const list = tab.locator('.recovery-codes li');
  await assertCount(list, 10);
  const codes = await list.allInnerTexts();
  await tab.getByLabel(en.signIn.setup.storedCodes).check();
  await press(tab, en.signIn.setup.finish);
  await screen(tab, 'home');
  return { secret, codes };
}

const dialog = (tab: Page) => tab.getByRole('dialog');

/** The value that a dialog of secrets shows under a label. */
const readSecret = (tab: Page, label: string): Promise<string> =>
  dialog(tab).getByRole('region', { name: label }).innerText();

const getToken = async (apiKey: string, apiSecret: string): Promise<number> =>
  (await call(fixtures.service, '/v1/auth/token', { json: { apiKey, apiSecret } })).status;

/** What a page could keep of a secret, or hand on. */
const READ_KEPT = `[
  JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state),
  location.href, document.documentElement.outerHTML,
].join('\\n')`;

describe('the first day at the console', () => {
  it('leads from the login of init to a second member, a key that is rotated, and a session that is over', async (t) => {
    const { service } = fixtures;
    const browser = await newBrowser(t, fixtures, { viewport: { width: 1280, height: 900 } });
    const tab = await browser.newTab();
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    // The login of init, at the address of some page: it is where they are afterwards.
    const { email, password } = service.organization.console;
    await tab.goto(`${service.baseUrl}/console/`);
    await fill(tab, { [en.signIn.email]: email, [en.signIn.password]: password });
    await press(tab, en.signIn.submit);
    await screen(tab, 'setup-password');
    await fill(tab, {
      [en.signIn.invitation.name]: 'Ana Ruiz',
      [en.signIn.setup.newPassword]: OWNER_PASSWORD,
    });
    await press(tab, en.signIn.setup.savePassword);
    await setUpFactor(tab);

    // By keys alone to the team.
    await tab.keyboard.press('g');
    await tab.keyboard.press('m');
    await screen(tab, 'team');
    await assertInPage(tab, 'document.activeElement?.tagName', 'H1');
    await press(tab, en.team.invite);
    await fill(tab, { [en.team.email]: 'ben@clinic.example' });
    await tab.getByLabel(en.team.role, { exact: true }).selectOption('developer');
    await press(tab, en.team.sendInvitation);
    await tab.getByText(en.mails.toast('ben@clinic.example')).waitFor();
    await tab.getByRole('rowheader', { name: 'ben@clinic.example' }).waitFor();

    // The invited follows the link of the mail, in a browser of their own.
    const mail = await waitForMail(service, 'ben@clinic.example');
    const link = /http\S+\/console\/invitation#\S+/.exec(mail.text ?? '')?.[0] ?? '';
    const other = await newBrowser(t, fixtures);
    const otherTab = await other.newTab();
    await otherTab.goto(link);
    await screen(otherTab, 'invitation');
    // The secret stays in no address.
    await assertAddress(otherTab, 'hash', '');
    await fill(otherTab, {
      [en.signIn.invitation.name]: 'Ben Okafor',
      [en.signIn.setup.newPassword]: MEMBER_PASSWORD,
    });
    await press(otherTab, en.signIn.invitation.accept);
    const member = await setUpFactor(otherTab);
    const menu = otherTab.getByRole('button', { name: en.nav.menu });
    await menu.click();
    const links = otherTab.getByRole('navigation', { name: en.nav.main }).getByRole('link');
    const { home, apiKeys, projects, patients, audit, team } = en.pages;
    for (const name of [home, apiKeys, projects]) await links.filter({ hasText: name }).waitFor();
    const names = new Set(await links.allInnerTexts());
    const absent = new Set([patients, audit, team]);
    assert.deepEqual([...absent.intersection(names)], [], 'a developer sees no team');
    // The menu of a narrow window is left as it was opened.
    await links.first().focus();
    await otherTab.keyboard.press('Escape');
    await menu.and(otherTab.locator('[aria-expanded="false"]:focus')).waitFor();

    browser.expectRefusals('403 POST /v1');
    await createAndRotate(tab);
    await walkRows(tab);
    await signInAgain(otherTab, { ...member, expect: other.expectRefusals });
  });
});

async function createAndRotate(tab: Page): Promise<void> {
  // The list from before the key is answered late, and must not be taken for the one with it.
  const { promise: isCreated, resolve: release } = Promise.withResolvers<void>();
  const answerLate = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await isCreated;
    await route.fulfill({ response });
  };
  await tab.route('**/api-keys?*', answerLate, { times: 1 });
  await tab.keyboard.press('g');
  await tab.keyboard.press('k');
  await screen(tab, 'api-keys');
  await press(tab, en.apiKeys.create);
  await fill(tab, { [en.apiKeys.name]: 'Study server' });
  await dialog(tab).getByRole('button', { name: en.apiKeys.create }).click();
  await dialog(tab).getByText(en.secret.once).waitFor();
  release();
  const [apiKey, apiSecret] = [
    await readSecret(tab, en.apiKeys.key),
    await readSecret(tab, en.apiKeys.secret),
  ];
  assert.match(await readSecret(tab, en.apiKeys.env), new RegExp(`CHARTGATE_API_SECRET=${apiSecret}`));
  // Nothing but the word that it is stored closes it.
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('Escape');
  await tab.mouse.click(5, 400);
  await waitUntilStill(tab);
  await tab.evaluate('history.back()');
  await dialog(tab).getByText(en.secret.heldBack).waitFor();
  await assertInPage(tab, 'location.pathname', '/console/api-keys');
  await dialog(tab).getByRole('button', { name: en.secret.done, disabled: true }).waitFor();
  await closeSecret(tab);
  await tab.getByRole('row', { name: /Study server/ }).waitFor();
  assert.equal(await getToken(apiKey, apiSecret), 200);
  assert.ok(!(await tab.evaluate<string>(READ_KEPT)).includes(apiSecret));

  // Rotated after the proof of presence is too old: asked for over the dialog, then sent again by itself.
  await fixtures.service.store.db.query(
    sql`update member_session set confirmed_at = confirmed_at - interval '6 minutes'`,
  );
  const row = tab.getByRole('row', { name: /Study server/ });
  await row.getByRole('button', { name: en.apiKeys.rotate }).click();
  await tab.getByLabel(en.apiKeys.grace).selectOption('now');
  await dialog(tab).getByRole('button', { name: en.apiKeys.rotate }).click();
  await tab.getByText(en.confirm.lead).waitFor();
  // The owner has an app and no passkey.
  await assertAbsent(tab.getByRole('button', { name: en.confirm.withPasskey }));
  await press(tab, en.confirm.withPassword);
  await fill(tab, { [en.confirm.password]: OWNER_PASSWORD });
  await press(tab, en.confirm.submit);
  await dialog(tab).getByText(en.secret.once).waitFor();
  const rotated = await readSecret(tab, en.apiKeys.secret);
  assert.equal(await getToken(apiKey, apiSecret), 401);
  assert.equal(await getToken(apiKey, rotated), 200);
  await closeSecret(tab);

  // Nothing closes the dialog while the answer is on its way: the secret in it would be lost, and the one before has ended.
  const { promise: isPressed, resolve: answer } = Promise.withResolvers<void>();
  const answerAfterwards = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    await isPressed;
    await route.fulfill({ response });
  };
  await tab.route('**/rotate', answerAfterwards, { times: 1 });
  await row.getByRole('button', { name: en.apiKeys.rotate }).click();
  await tab.getByLabel(en.apiKeys.grace).selectOption('now');
  await dialog(tab).getByRole('button', { name: en.apiKeys.rotate }).click();
  await tab.keyboard.press('Escape');
  await tab.keyboard.press('Escape');
  await tab.mouse.click(5, 400);
  await tab.evaluate('history.back()');
  answer();
  await dialog(tab).getByText(en.secret.once).waitFor();
  assert.equal(await getToken(apiKey, await readSecret(tab, en.apiKeys.secret)), 200);
  await closeSecret(tab);
}

/** What a page shows lies below the dialog, and its keys are not listened to, until that is gone. */
async function closeSecret(tab: Page): Promise<void> {
  await tab.getByLabel(en.secret.stored).check();
  await press(tab, en.secret.done);
  await dialog(tab).waitFor({ state: 'detached' });
}

const focused = (tab: Page, selector: string) =>
  tab.waitForFunction(`document.activeElement?.closest(${JSON.stringify(selector)}) !== null`);

/** By keys alone: through the rows, to their actions and back, and through the columns, whose choice is kept. */
async function walkRows(tab: Page): Promise<void> {
  const { list, apiKeys } = en;
  const press = async (...keys: string[]) => {
    for (const key of keys) await tab.keyboard.press(key);
  };
  await press('j', 'x');
  await focused(tab, '[data-row]');
  await tab.getByText(list.selected.one).waitFor();
  await press('x');
  await tab.getByText(list.selected.one).waitFor({ state: 'detached' });

  // A dialog that is left leads back; so does one whose button is gone afterwards.
  await press('.');
  await focused(tab, '.list-actions button');
  await press('Enter');
  await dialog(tab).waitFor();
  await press('Escape');
  await focused(tab, '.list-actions button');
  const row = tab.getByRole('row', { name: /Study server/ });
  await row.getByRole('button', { name: apiKeys.revoke }).focus();
  await press('Enter');
  await fill(tab, { [en.confirm.typeName('Study server')]: 'Study server' });
  await dialog(tab).getByRole('button', { name: apiKeys.revoke }).press('Enter');
  await row.getByText(apiKeys.states.revoked).waitFor();
  await focused(tab, '[data-row]');

  await press('?');
  await dialog(tab).getByText(en.keys.rowActions).waitFor();
  await press('Escape');
  const header = tab.getByRole('columnheader', { name: apiKeys.role });
  await tab.getByRole('button', { name: list.columns }).press('Enter');
  await dialog(tab).getByLabel(apiKeys.role).press('Space');
  await press('Escape');
  await header.waitFor({ state: 'detached' });
  await tab.reload();
  await tab.getByRole('row', { name: /Study server/ }).waitFor();
  await assertAbsent(header);
}

interface SignInAgain {
  codes: readonly string[];
  expect: (...refusals: string[]) => void;
}

/** What was typed stays while the session is over, and is sent once there is another. */
async function signInAgain(tab: Page, { codes, expect }: SignInAgain): Promise<void> {
  const { service } = fixtures;
  await tab.setViewportSize({ width: 1280, height: 900 });
  await tab.goto(`${service.baseUrl}/console/api-keys`);
  await press(tab, en.apiKeys.create);
  await fill(tab, { [en.apiKeys.name]: 'Nightly report' });
  // The list would be refused too.
  await waitUntilStill(tab);
  // As a change of their role does: they may still make the key, and see less than before.
  await service.store.db.query(sql`update member set role = 'developer'`);
  await service.store.db.query(sql`delete from member_session`);
  expect('401 POST /v1', '401 POST /console/sign-in');
  await dialog(tab).getByRole('button', { name: en.apiKeys.create }).click();
  await tab.getByText(en.sessionOver.lead).waitFor();
  await fill(tab, { [en.signIn.password]: MEMBER_PASSWORD });
  await press(tab, en.signIn.submit);
  // The form of the password is gone with the focus that it had.
  await tab.getByRole('status').getByText(en.signIn.codeLead).waitFor();
  await assertInPage(tab, 'document.activeElement.id', 'code');
  await fill(tab, { [en.signIn.code]: codes[0] as string });
  await press(tab, en.signIn.submit);
  await dialog(tab).getByText(en.secret.once).waitFor();
  await closeSecret(tab);
  await tab.getByRole('row', { name: /Nightly report/ }).waitFor();
  const navigation = tab.getByRole('navigation', { name: en.nav.main });
  await navigation.getByRole('link', { name: en.pages.team, exact: true }).waitFor({ state: 'detached' });
}
