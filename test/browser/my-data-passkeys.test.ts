import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { en } from '../../web/consent/src/words/en.ts';
import { newAccount } from '../harness/account.ts';
import { newBrowser, onScreen, openStage, press, type Stage } from '../harness/page.ts';
import { freePort } from '../harness/postgres.ts';
import { visitor } from '../harness/visitor.ts';

/** Passkeys need a name: an IP address has none. */
let stage: Stage;
before(async () => {
  const port = String(await freePort());
  stage = await openStage({
    environment: { PORT: port, CHARTGATE_BASE_URL: `http://localhost:${port}` },
  });
});
after(() => stage.stop());

/** A phone that knows its owner by a finger; it answers, or the person cancels. */
async function authenticator(tab: Page) {
  const session: CDPSession = await tab.context().newCDPSession(tab);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    keys: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    refuse: async (refused: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !refused }),
  };
}

const { passkeys } = en.myData;

describe('a passkey', () => {
  it('is made, signs its person in without a password, and is removed', async (t) => {
    const person = await newAccount(stage.service, visitor(stage.service));
    const browser = await newBrowser(t, stage, { reducedMotion: 'reduce' });
    await browser.signIn(person);
    const tab = await browser.tab();
    const phone = await authenticator(tab);
    await tab.goto(`${stage.service.baseUrl}/consent/#/my-data/signing-in`);
    await tab.getByText(passkeys.none).waitFor();
    await press(tab, passkeys.add);
    await onScreen(tab, 'my-data-signing-in');
    await tab.getByLabel(passkeys.name).fill('Blue phone');
    await press(tab, passkeys.create);
    await tab.getByRole('status').getByText(passkeys.added('Blue phone')).waitFor();
    await tab.getByText(passkeys.neverUsed).waitFor();
    await onScreen(tab, 'my-data-signing-in');
    assert.equal(await phone.keys(), 1);

    // The same device has one already.
    await press(tab, passkeys.add);
    await press(tab, passkeys.create);
    await tab.getByRole('alert').getByText(passkeys.known).waitFor();
    await press(tab, passkeys.notNow);

    await press(tab, en.common.signOut);
    await onScreen(tab, 'sign-in');
    await press(tab, passkeys.signIn);
    await onScreen(tab, 'my-data-signing-in');
    await tab.getByText(person.email).waitFor();
    await tab.getByText(/^Last used on/).waitFor();

    await tab.getByRole('button', { name: `${passkeys.remove} Blue phone` }).click();
    await onScreen(tab, 'my-data-signing-in');
    await press(tab, passkeys.yesRemove);
    await tab.getByRole('status').getByText(passkeys.removed('Blue phone')).waitFor();
    await tab.getByText(passkeys.none).waitFor();

    await press(tab, en.common.signOut);
    await onScreen(tab, 'sign-in');
    browser.expect('401 POST /account/sign-in/passkey');
    await press(tab, passkeys.signIn);
    await tab.getByRole('alert').getByText(passkeys.notKnown).waitFor();
    await onScreen(tab, 'sign-in');
  });

  it('that is not made after all is no error to sign in with', async (t) => {
    const person = await newAccount(stage.service, visitor(stage.service));
    const browser = await newBrowser(t, stage, { reducedMotion: 'reduce' });
    const tab = await browser.tab();
    const phone = await authenticator(tab);
    await phone.refuse(true);
    await tab.goto(`${stage.service.baseUrl}/consent/#/my-data`);
    await onScreen(tab, 'sign-in');
    await press(tab, passkeys.signIn);
    await tab.locator('.button-busy').waitFor({ state: 'detached' });
    assert.equal(await tab.getByRole('alert').count(), 0);

    await browser.signIn(person);
    await tab.goto(`${stage.service.baseUrl}/consent/#/my-data/signing-in`);
    await tab.reload();
    await press(tab, passkeys.add);
    await press(tab, passkeys.create);
    await tab.getByRole('alert').getByText(passkeys.cancelled).waitFor();
    assert.equal(await phone.keys(), 0);
  });
});
