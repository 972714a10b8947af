import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '../../server/platform/db/sql.ts';
import { beginTestSession, MEMBER_PASSWORD, newMember } from '../harness/member.ts';
import {
  fill,
  openBrowser,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertCount } from '../harness/page-assertions.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { emitEvents } from '../harness/webhooks.ts';
import { consoleEn } from '../harness/words.ts';

const words = consoleEn.webhooks;
const { secret: secretWords, confirm: confirmWords } = consoleEn;

let receiver: WebhookReceiver;
let fixtures: BrowserFixtures;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let tab: Page;
before(async () => {
  receiver = await startWebhookReceiver();
  fixtures = await openBrowserFixtures({ webhookOutbound: receiver.outboundClient });
  const { service } = fixtures;
  receiver.now = () => service.clock.now();
  browser = await openBrowser(fixtures);
  const { memberId } = await newMember(service, 'developer');
  const value = await beginTestSession(service, memberId);
  await browser.context.addCookies([{ name: 'chartgate-console', value, url: service.baseUrl }]);
  tab = await browser.newTab();
});
after(async () => {
  await fixtures.stop();
  await receiver.stop();
});

const openTab = (name: keyof typeof words.tabs): Promise<void> =>
  tab
    .getByRole('navigation', { name: words.tabs.label })
    .getByRole('link', { name: words.tabs[name] })
    .click();

/** Reads the secret from its dialog, and closes that in the one way there is. */
async function takeSecret(): Promise<string> {
  const dialog = tab.getByRole('dialog', { name: words.secret.title });
  const secret = await dialog.getByRole('region', { name: words.secret.label, exact: true }).innerText();
  await tab.keyboard.press('Escape');
  await waitUntilStill(tab);
  await dialog.getByRole('button', { name: secretWords.done, disabled: true }).waitFor();
  await dialog.getByRole('checkbox', { name: secretWords.stored }).check();
  await press(tab, secretWords.done);
  await dialog.waitFor({ state: 'detached' });
  const kept = await tab.evaluate<string>(
    `document.documentElement.outerHTML + location.href + JSON.stringify({ ...localStorage, ...sessionStorage })`,
  );
  assert.ok(!kept.includes(secret), 'the secret is kept nowhere');
  return secret.trim();
}

const readLast = () => receiver.received.at(-1) ?? assert.fail('nothing was received');

describe('a developer who looks after webhooks in the console', () => {
  it('adds one, keeps its secret, and sends a test that verifies', async () => {
    await tab.goto(`${fixtures.service.baseUrl}/console/webhooks`);
    await tab.getByText(words.empty).waitFor();
    await tab.getByRole('link', { name: words.create }).first().click();
    await press(tab, words.form.submit);
    await tab.getByRole('heading', { name: consoleEn.common.problem }).waitFor();
    await fill(tab, { [words.form.url]: receiver.url() });
    await press(tab, words.form.submit);
    const secret = await takeSecret();
    await press(tab, words.setup.test);
    await tab.getByText('It was acknowledged after').waitFor();
    receiver.verify(secret, readLast());
    assert.equal(readLast().json.type, 'webhook.test');
    await tab.getByLabel(words.setup.language).selectOption('Go');
    await tab.getByRole('region', { name: 'Go', exact: true }).getByText('package main').waitFor();
  });

  it('rotates the secret: deliveries verify with the old and the new one', async () => {
    await openTab('settings');
    const secrets = tab.getByRole('table', { name: words.settings.secrets }).locator('tbody tr');
    await assertCount(secrets, 1);
    await press(tab, words.settings.rotate);
    const dialog = tab.getByRole('dialog', { name: words.settings.rotateTitle });
    await dialog.getByRole('button', { name: words.settings.rotate }).click();
    const secret = await takeSecret();
    await assertCount(secrets, 2);
    await openTab('setup');
    await press(tab, words.setup.test);
    await tab.getByText('It was acknowledged after').waitFor();
    receiver.verify(secret, readLast());
    assert.equal(String(readLast().headers['webhook-signature']).split(' ').length, 2);
  });

  it('reads what was wrong and what to do, and sends the delivery again', async () => {
    receiver.respond = () => ({ status: 500, body: 'the queue is full' });
    await press(tab, words.setup.test);
    await tab.getByText(words.delivery.faults.status.fix).waitFor();
    await tab.getByRole('link', { name: words.setup.open }).click();
    await tab.getByText('the queue is full').waitFor();
    receiver.respond = () => ({ status: 204 });
    const sent = receiver.received.length;
    await press(tab, words.delivery.redeliver);
    await tab.locator('.badge-good').first().waitFor();
    assert.equal(receiver.received.length, sent + 1);
    const { json } = readLast();
    assert.equal(json.type, 'webhook.test');
  });

  it('pauses it with a proof of presence, and sends what was dropped meanwhile: counted first, by day, then sent', async () => {
    await tab.getByRole('link', { name: words.delivery.back }).click();
    await openTab('settings');
    // The proof is too old: asked for over the dialog, then sent again by itself.
    await fixtures.service.store.db.query(
      sql`update member_session set confirmed_at = confirmed_at - interval '6 minutes'`,
    );
    browser.expectRefusals('403');
    await press(tab, words.settings.pause);
    await tab.getByRole('dialog').getByRole('button', { name: words.settings.pause }).click();
    await tab.getByText(confirmWords.lead).waitFor();
    await press(tab, confirmWords.withPassword);
    await fill(tab, { [confirmWords.password]: MEMBER_PASSWORD });
    await press(tab, confirmWords.submit);
    await tab.getByText(words.paused).waitFor();
    const ids = await emitEvents(fixtures.service, 3);
    await press(tab, words.settings.resume);
    await tab.getByText(words.paused).waitFor({ state: 'detached' });
    await openTab('recover');
    await press(tab, words.recover.count);
    await tab.getByText(words.recover.counted('3'), { exact: true }).waitFor();
    await press(tab, words.recover.send('3'));
    await tab
      .getByRole('dialog')
      .getByRole('button', { name: words.recover.send('3') })
      .click();
    await receiver.waitForRequests((all) =>
      ids.every((id) => all.some(({ headers }) => headers['webhook-id'] === id)),
    );
    await tab.getByText(words.recover.sentOf('3', '3')).waitFor();
    await openTab('deliveries');
    await tab.waitForURL(/tab=deliveries/);
    await tab.goto(`${tab.url()}&type=consent.withdrawn`);
    await assertCount(tab.locator('tbody tr'), 3);
  });
});
