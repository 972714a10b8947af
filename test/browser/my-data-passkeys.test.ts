import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { en } from '../harness/words.ts';
import { MAX_PASSKEY_NAME_LENGTH } from '../../contract/text-limits.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount, requestMailedLink } from '../harness/account.ts';
import {
  DESKTOP,
  fill,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  PHONE,
  press,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertChecked, assertValue } from '../harness/page-assertions.ts';
import { findFreePort } from '../harness/postgres.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { addVirtualAuthenticator } from '../harness/virtual-authenticator.ts';
import { createInspector } from './axe.ts';

/** Passkeys need a name: an IP address has none. */
let fixtures: BrowserFixtures;
before(async () => {
  const port = String(await findFreePort());
  fixtures = await openBrowserFixtures({
    environment: { PORT: port, CHARTGATE_BASE_URL: `http://localhost:${port}` },
  });
});
after(() => fixtures.stop());

const { passkeys } = en.myData;

const { listViolations } = createInspector();

describe('a passkey', () => {
  for (const [where, viewport] of [
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ] as const)
    it(`is made, signs its person in without a password, and is removed, on ${where}`, async (t) => {
      const person = await newAccount(fixtures.service, createTestBrowser(fixtures.service));
      const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce', viewport });
      await browser.signIn(person);
      const tab = await browser.newTab();
      const phone = await addVirtualAuthenticator(tab);
      await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/signing-in`);
      await tab.getByText(passkeys.none).waitFor();
      await press(tab, passkeys.add);
      await waitForScreen(tab, 'my-data-signing-in');
      await tab.getByLabel(passkeys.name).fill('');
      await tab.keyboard.insertText('b'.repeat(2 * MAX_PASSKEY_NAME_LENGTH));
      await assertValue(tab.getByLabel(passkeys.name), 'b'.repeat(MAX_PASSKEY_NAME_LENGTH));
      await tab.getByLabel(passkeys.name).fill('Blue phone');
      await press(tab, passkeys.create);
      await tab.getByRole('status').getByText(passkeys.added('Blue phone')).waitFor();
      await tab.getByText(passkeys.neverUsed).waitFor();
      await waitForScreen(tab, 'my-data-signing-in');
      assert.equal(await phone.keys(), 1);

      // The same device has one already.
      await press(tab, passkeys.add);
      await press(tab, passkeys.create);
      await tab.getByRole('alert').getByText(passkeys.known).waitFor();
      await press(tab, passkeys.notNow);

      await press(tab, en.common.signOut);
      await waitForScreen(tab, 'sign-in');
      await press(tab, en.passkeySignIn.submit);
      await waitForScreen(tab, 'my-data-signing-in');
      await tab.getByText(person.email).waitFor();
      await tab
        .locator('.passkey', { hasText: 'Blue phone' })
        .getByText(/^Last used on/)
        .waitFor();

      await tab.getByRole('button', { name: `${passkeys.remove} Blue phone` }).click();
      await waitForScreen(tab, 'my-data-signing-in');
      await press(tab, passkeys.yesRemove);
      await tab.getByRole('status').getByText(passkeys.removed('Blue phone')).waitFor();
      await tab.getByText(passkeys.none).waitFor();

      await press(tab, en.common.signOut);
      await waitForScreen(tab, 'sign-in');
      browser.expectRefusals('401 POST /account/sign-in/passkey');
      await press(tab, en.passkeySignIn.submit);
      await tab.getByRole('alert').getByText(en.passkeySignIn.notKnown).waitFor();
      await waitForScreen(tab, 'sign-in');
    });

  it('ends with the password unless it is kept, also by a mailed link, and so does every other session', async (t) => {
    const { service } = fixtures;
    const person = await newAccount(service, createTestBrowser(service));
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const other = createTestBrowser(service);
    await other.post('/account/sign-in', person);
    const tab = await browser.newTab();
    await addVirtualAuthenticator(tab);
    await tab.goto(`${service.baseUrl}/consent/#/my-data/signing-in`);
    const { sessions, passwords } = en.myData;
    await tab.getByRole('button', { name: sessions.endOthers }).click();
    await press(tab, sessions.yesEndOthers);
    await tab.getByRole('status').getByText(sessions.othersEnded).waitFor();
    assert.equal((await other.get('/account/session')).body.person, null);
    const add = async () => {
      await press(tab, passkeys.add);
      await tab.getByLabel(passkeys.name).fill('');
      await tab.keyboard.insertText('b'.repeat(2 * MAX_PASSKEY_NAME_LENGTH));
      await assertValue(tab.getByLabel(passkeys.name), 'b'.repeat(MAX_PASSKEY_NAME_LENGTH));
      await tab.getByLabel(passkeys.name).fill('Blue phone');
      await press(tab, passkeys.create);
      await tab.getByRole('status').getByText(passkeys.added('Blue phone')).waitFor();
    };
    await add();
    const change = async (isKept: boolean, from: string, to: string) => {
      await press(tab, passwords.change);
      await tab.getByText(/^“Blue phone”, made on/).waitFor();
      const box = tab.getByRole('checkbox', { name: en.oldPasskeys.remove.one });
      await assertChecked(box, true);
      if (isKept) await box.uncheck();
      await fill(tab, { [passwords.current]: from, [en.form.newPassword]: to });
      await press(tab, passwords.submit);
      await tab.getByText(passwords.changed).waitFor();
    };
    await change(true, person.password, 'a horse in a blue boat');
    await tab.locator('.passkey', { hasText: 'Blue phone' }).waitFor();
    await change(false, 'a horse in a blue boat', person.password);
    await tab.getByText(passkeys.none).waitFor();

    const link = await requestMailedLink(service, createTestBrowser(service), { email: person.email });
    await service.store.db.query(sql`
      insert into account_passkey (patient_id, passkey_id, credential_id, public_key, counter, transports, name, created_at)
      select patient_id, gen_random_uuid(), 'theirs', 'key', 0, '{}', 'Somebody else’s', now() from patient_email
      where email = ${person.email}`);
    await tab.goto(`${service.baseUrl}/consent/#/account/link/${link}`);
    await waitForScreen(tab, 'choose-password');
    await tab.getByText(/^“Somebody else’s”, made on/).waitFor();
    await fill(tab, { [en.form.newPassword]: 'another horse, another battery' });
    await press(tab, en.link.submitRenew);
    await tab.locator('[data-screen="choose-password"]').waitFor({ state: 'detached' });
    const { email } = person;
    assert.equal(
      (await other.post('/account/sign-in', { email, password: 'another horse, another battery' })).status,
      200,
    );
    assert.deepEqual((await other.get('/account/passkeys')).body.passkeys, []);
  });

  it('that is not made after all is no error to sign in with', async (t) => {
    const person = await newAccount(fixtures.service, createTestBrowser(fixtures.service));
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    const tab = await browser.newTab();
    const phone = await addVirtualAuthenticator(tab);
    await phone.refuse(true);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await waitForScreen(tab, 'sign-in');
    await press(tab, en.passkeySignIn.submit);
    await tab.locator('.button-busy').waitFor({ state: 'detached' });
    await assertAbsent(tab.getByRole('alert'));

    await browser.signIn(person);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/signing-in`);
    await tab.reload();
    await press(tab, passkeys.add);
    await press(tab, passkeys.create);
    await tab.getByRole('alert').getByText(passkeys.cancelled).waitFor();
    assert.equal(await phone.keys(), 0);
  });

  it('to sign in with is for everybody: its button, and what it says', async (t) => {
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    const tab = await browser.newTab();
    await addVirtualAuthenticator(tab);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
    await waitForScreen(tab, 'sign-in');
    const button = tab.getByRole('button', { name: en.passkeySignIn.submit, exact: true });
    await button.waitFor();
    assert.deepEqual(await listViolations(tab, 'all'), []);
    await tab.route('**/account/sign-in/passkey/options', (route) =>
      route.fulfill({ status: 500, body: '' }),
    );
    browser.expectRefusals('500 POST /account/sign-in/passkey/options');
    await button.click();
    await tab.getByRole('alert').getByText(en.errors.unreachable).waitFor();
    assert.deepEqual(await listViolations(tab, 'all'), []);
    await tab.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await listViolations(tab, 'colours'), []);
  });

  // Last, for it moves the clock of all.
  it('is not made by somebody who signed in long ago: they are asked to sign in again', async (t) => {
    const person = await newAccount(fixtures.service, createTestBrowser(fixtures.service));
    const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.newTab();
    const phone = await addVirtualAuthenticator(tab);
    fixtures.service.clock.advance(15 * 60_000 + 1);
    await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data/signing-in`);
    await press(tab, passkeys.add);
    browser.expectRefusals('403 POST /account/passkeys/options');
    await press(tab, passkeys.create);
    await tab.getByRole('alert').getByText(en.myData.passkeys.signInAgain).waitFor();
    await waitForScreen(tab, 'my-data-signing-in');
    assert.equal(await phone.keys(), 0);
  });
});
