import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { MAX_OWN_NAME_LENGTH } from '../../contract/text-limits.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { en } from '../harness/words.ts';
import { newAccount, newPerson } from '../harness/account.ts';
import { callMcp } from '../harness/authorization.ts';
import { listMailsTo, waitForMail } from '../harness/mails.ts';
import {
  waitForAgent,
  fill,
  fastForwardTo,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  getTabRequestId,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import {
  assertAbsent,
  assertAddress,
  assertInPage,
  assertTexts,
  assertValue,
} from '../harness/page-assertions.ts';
import { call, getOrganizationToken } from '../harness/service.ts';
import { startSilentProxy } from '../harness/silent-proxy.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

let fixtures: BrowserFixtures;
before(async () => void (fixtures = await openBrowserFixtures({ pictures: 'plain' })));
after(() => fixtures.stop());

/** The link in the newest of `count` mails to an address. */
async function waitForLink(email: string, count = 1): Promise<string> {
  const mail = await waitForMail(fixtures.service, email, count);
  const link = /^http\S+$/m.exec(mail.text ?? '')?.[0];
  if (!link?.startsWith(`${fixtures.service.baseUrl}/consent/#/`))
    throw new Error(`no link in: ${mail.text}`);
  return link;
}

async function askForAccount(tab: Page, email: string): Promise<void> {
  await press(tab, en.signIn.signUp);
  await waitForScreen(tab, 'sign-up');
  await fill(tab, { [en.form.email]: email });
  await press(tab, en.signUp.submit);
  await waitForScreen(tab, 'mail-sent');
}

/** From the mailed link to the request that it was for. */
async function makeAccount(tab: Page, person: ReturnType<typeof newPerson>): Promise<void> {
  await fill(tab, {
    [en.form.firstName]: person.firstName,
    [en.form.lastName]: person.lastName,
    [en.form.newPassword]: person.password,
  });
  await press(tab, en.link.submitCreate);
  await waitForScreen(tab, 'who-is-this');
}

const screen = (tab: Page, name: string) => tab.locator(`[data-screen="${name}"]`);

async function allow(tab: Page): Promise<void> {
  await openReview(tab);
  await press(tab, en.review.allow);
}

const listPatients = (email: string) =>
  fixtures.service.store.db.query(sql<{ patient_id: string; test_organization_id: string | null }>`
    select patient_id, test_organization_id from patient where lower(email) = lower(${email})`);

describe('somebody who was never here', () => {
  it('connects an agent: makes an account by mail, sees what is asked, allows it, and the agent reads', async (t) => {
    const { service, agent } = fixtures;
    const person = newPerson();
    const { email } = person;
    const jo = await newBrowser(t, fixtures);
    await jo.context.clock.install();
    const first = await jo.newTab();
    await first.goto(agent.connectUrl());
    await waitForScreen(first, 'sign-in');
    const requestId = getTabRequestId(first);
    await askForAccount(first, email);

    const second = await jo.newTab();
    await second.goto(await waitForLink(email));
    await waitForScreen(second, 'choose-password');
    // The secret is gone from the address.
    await assertAddress(second, 'hash', '#/account/link');
    await makeAccount(second, person);
    assert.equal(getTabRequestId(second), requestId);
    await fastForwardTo(first, screen(first, 'who-is-this'));
    await waitForScreen(first, 'who-is-this');
    assert.deepEqual(await jo.listConsents(), []);

    await allow(second);
    const { code, state, iss } = await waitForAgent(second, agent);
    assert.deepEqual([state, iss], ['the state', service.baseUrl]);
    assert.match(code ?? '', /^cgc_/);
    await first.reload();
    await waitForScreen(first, 'closed');

    const tokens = await agent.exchange(code);
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    const accessToken = tokens.body.access_token as string;
    assert.equal(decodeJwt(accessToken)['isTestPatient'], undefined);
    assert.equal((await callMcp(service, accessToken, 'tools/call')).status, 200);
    const consents = await jo.listConsents();
    assert.deepEqual(
      consents.map(({ project, apps }) => [project.id, apps.map(({ name }) => name)]),
      [[service.organization.projectId, ['Test agent']]],
    );
    assert.deepEqual(
      (await listPatients(email)).map(({ test_organization_id }) => test_organization_id),
      [null],
    );
  });

  it('goes on in the first tab by itself, and decides there', async (t) => {
    const { agent } = fixtures;
    const person = newPerson();
    const { email } = person;
    const jo = await newBrowser(t, fixtures);
    await jo.context.clock.install();
    const first = await jo.newTab();
    await first.goto(agent.connectUrl());
    await askForAccount(first, email);
    const second = await jo.newTab();
    await second.goto(await waitForLink(email));
    await makeAccount(second, person);
    await second.close();
    await fastForwardTo(first, screen(first, 'who-is-this'));
    await allow(first);
    assert.equal((await agent.exchange((await waitForAgent(first, agent))['code'])).status, 200);
  });

  it('goes on where the answer to the first password was lost, and is offered to sign in where the browser is not', async (t) => {
    const { service } = fixtures;
    const person = newPerson();
    const jo = await newBrowser(t, fixtures);
    const tab = await jo.newTab();
    await tab.goto(fixtures.agent.connectUrl());
    await waitForScreen(tab, 'sign-in');
    await askForAccount(tab, person.email);
    await tab.goto(await waitForLink(person.email));
    await waitForScreen(tab, 'choose-password');
    await tab.route(
      '**/account/password',
      async (route) => {
        await route.fetch();
        await route.fulfill({ status: 503, json: {} });
      },
      { times: 1 },
    );
    jo.expectRefusals('503 POST /account/password', '404 POST /account/password');
    await fill(tab, {
      [en.form.firstName]: person.firstName,
      [en.form.lastName]: person.lastName,
      [en.form.newPassword]: person.password,
    });
    await press(tab, en.link.submitCreate);
    await tab.getByRole('alert').waitFor();
    await press(tab, en.link.submitCreate);
    await waitForScreen(tab, 'who-is-this');

    const other = newPerson();
    await createTestBrowser(service).post('/account/sign-up', { email: other.email, language: 'en' });
    const phone = await newBrowser(t, fixtures);
    const page = await phone.newTab();
    await page.goto(await waitForLink(other.email));
    await page.route('**/account/password', (route) => route.fulfill({ status: 404, json: {} }));
    phone.expectRefusals('404 POST /account/password');
    await fill(page, {
      [en.form.firstName]: other.firstName,
      [en.form.lastName]: other.lastName,
      [en.form.newPassword]: other.password,
    });
    await press(page, en.link.submitCreate);
    await waitForScreen(page, 'link-gone');
    await page.getByText(en.link.perhapsDone).waitFor();
    await page.getByRole('link', { name: en.link.requestNew }).waitFor();
    await page.getByRole('link', { name: en.start.signIn }).click();
    await waitForScreen(page, 'sign-in');
  });

  it('sees what is missing before a password is taken', async (t) => {
    const { email } = newPerson();
    const jo = await newBrowser(t, fixtures);
    const tab = await jo.newTab();
    await tab.goto(`${fixtures.service.baseUrl}/consent/`);
    await waitForScreen(tab, 'start');
    await press(tab, en.signUp.title);
    await press(tab, en.signUp.submit);
    await tab.getByRole('alert').getByText(en.form.emailMissing).waitFor();
    await fill(tab, { [en.form.email]: email });
    await press(tab, en.signUp.submit);
    await waitForScreen(tab, 'mail-sent');
    await tab.goto(await waitForLink(email));
    await waitForScreen(tab, 'choose-password');
    await fill(tab, { [en.form.newPassword]: 'too short' });
    await press(tab, en.link.submitCreate);
    const said = tab.getByRole('alert').getByRole('link');
    await assertTexts(said, [en.form.firstNameMissing, en.form.lastNameMissing, en.form.passwordShort]);
    await waitForScreen(tab, 'choose-password');
    await said.first().click();
    await tab.keyboard.insertText('J'.repeat(2 * MAX_OWN_NAME_LENGTH));
    await assertValue(tab.getByLabel(en.form.firstName), 'J'.repeat(MAX_OWN_NAME_LENGTH));
    await said.last().click();
    await fill(tab, {
      [en.form.firstName]: 'Jo',
      [en.form.lastName]: 'Lund',
      [en.form.newPassword]: 'password1234',
    });
    jo.expectRefusals('400 POST /account/password');
    await press(tab, en.link.submitCreate);
    await tab.getByRole('alert').getByRole('link', { name: en.form.passwordWeak }).click();
    await assertInPage(tab, 'document.activeElement.id', 'password');
    assert.deepEqual(await listPatients(email), []);
  });
});

describe('somebody who calls the service by a name that is not its own', () => {
  it('is led to its own address, with what they came for, before anything is typed', async (t) => {
    const { service } = fixtures;
    const otherPort = await startSilentProxy(service.baseUrl);
    t.after(() => otherPort.close());
    const origin = new URL(otherPort.url.replace('127.0.0.1', 'localhost')).origin;
    const jo = await newBrowser(t, { ...fixtures, agent: { ...fixtures.agent, origin } });
    const tab = await jo.newTab();
    for (const fragment of ['', '#/my-data/documents']) {
      await tab.goto(`${origin}/consent/${fragment}`);
      await tab.waitForURL(`http://${new URL(service.baseUrl).host}/consent/${fragment}`);
    }
  });
});

describe('somebody who reads mail on another device', () => {
  it('goes on where they began: the address is carried along, the mail comes again, and they sign in', async (t) => {
    const { service, agent } = fixtures;
    const person = newPerson();
    const desk = await newBrowser(t, fixtures);
    const first = await desk.newTab();
    await first.goto(agent.connectUrl());
    await waitForScreen(first, 'sign-in');
    await fill(first, { [en.form.email]: person.email });
    await press(first, en.signIn.signUp);
    await waitForScreen(first, 'sign-up');
    await press(first, en.signUp.submit);
    await waitForScreen(first, 'mail-sent');
    await press(first, en.mailSent.again);
    await first.getByText(en.mailSent.sentAgain).waitFor();
    const link = await waitForLink(person.email, 2);
    const phone = await newBrowser(t, fixtures);
    const second = await phone.newTab();
    await second.goto(link);
    await fill(second, {
      [en.form.firstName]: person.firstName,
      [en.form.lastName]: person.lastName,
      [en.form.newPassword]: person.password,
    });
    // The request is the other browser's.
    phone.expectRefusals('403 GET /oauth/interaction/');
    await press(second, en.link.submitCreate);
    await waitForScreen(second, 'signed-in');
    await press(first, en.mailSent.done);
    await waitForScreen(first, 'sign-in');
    await fill(first, { [en.form.password]: person.password });
    await press(first, en.signIn.submit);
    await waitForScreen(first, 'who-is-this');
    assert.equal((await listMailsTo(service, person.email)).length, 2);
  });
});

describe('somebody an organization enrolled', () => {
  it('makes the account from the invitation, and is met by the address: nobody new is made', async (t) => {
    const { service, agent } = fixtures;
    const { email, password } = newPerson();
    const enrolled = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
      token: await getOrganizationToken(service),
      json: { patients: [{ email, firstName: 'Johanna', lastName: 'Lund' }] },
    });
    const id = enrolled.body.successfulPatients[0].referenceId as string;
    const johanna = await newBrowser(t, fixtures);
    await johanna.context.clock.install();
    const tab = await johanna.newTab();
    await tab.goto(await waitForLink(email));
    await waitForScreen(tab, 'invitation');
    await press(tab, en.signUp.title);
    await waitForScreen(tab, 'sign-up');
    await fill(tab, { [en.form.email]: email });
    await press(tab, en.signUp.submit);
    await waitForScreen(tab, 'mail-sent');

    const second = await johanna.newTab();
    await second.goto(await waitForLink(email, 2));
    await waitForScreen(second, 'choose-password');
    // The name is known.
    await assertAbsent(second.getByLabel(en.form.firstName));
    await fill(second, { [en.form.newPassword]: password });
    await press(second, en.link.submitCreate);
    await waitForScreen(second, 'next-steps');
    await fastForwardTo(tab, screen(tab, 'next-steps'));
    await tab.getByText('Johanna Lund').waitFor();
    assert.deepEqual(
      (await listPatients(email)).map(({ patient_id }) => patient_id),
      [id],
    );

    await tab.goto(agent.connectUrl());
    await allow(tab);
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    assert.equal(decodeJwt(tokens.body.access_token as string).sub, id);
  });
});

describe('somebody who forgot the password', () => {
  const account = newPerson();

  before(async () => {
    await newAccount(fixtures.service, createTestBrowser(fixtures.service), account);
  });

  const askForPassword = async (tab: Page): Promise<string> => {
    const before = (await listMailsTo(fixtures.service, account.email)).length;
    await press(tab, en.signIn.forgotten);
    await waitForScreen(tab, 'forgotten-password');
    await fill(tab, { [en.form.email]: account.email });
    await press(tab, en.forgotten.submit);
    await waitForScreen(tab, 'mail-sent');
    return waitForLink(account.email, before + 1);
  };

  it('chooses another by mail, goes on with what was asked, and the link works no second time', async (t) => {
    const { agent } = fixtures;
    const jo = await newBrowser(t, fixtures);
    const tab = await jo.newTab();
    await tab.goto(agent.connectUrl());
    const link = await askForPassword(tab);
    const second = await jo.newTab();
    await second.goto(link);
    await waitForScreen(second, 'choose-password');
    await second.getByRole('heading', { name: en.link.renew }).waitFor();
    await fill(second, { [en.form.newPassword]: 'another horse, another battery' });
    await press(second, en.link.submitRenew);
    await waitForScreen(second, 'who-is-this');
    await tab.close();

    jo.expectRefusals('404 POST /account/link');
    const third = await jo.newTab();
    await third.goto(link);
    await waitForScreen(third, 'link-gone');
    await third.getByRole('link', { name: en.link.requestNew }).waitFor();
    await third.getByRole('link', { name: en.myDataLink }).waitFor();
    const phone = await newBrowser(t, fixtures);
    phone.expectRefusals('404 POST /account/link');
    const elsewhere = await phone.newTab();
    await elsewhere.goto(link);
    await waitForScreen(elsewhere, 'link-gone');
    await elsewhere.getByRole('link', { name: en.start.signIn }).click();
    await waitForScreen(elsewhere, 'sign-in');

    await allow(second);
    assert.equal((await agent.exchange((await waitForAgent(second, agent))['code'])).status, 200);
    const fresh = await newBrowser(t, fixtures);
    await fresh.signIn({ email: account.email, password: 'another horse, another battery' });
  });

  it('opens the link on another device, and is sent back to where it began', async (t) => {
    const { agent } = fixtures;
    const laptop = await newBrowser(t, fixtures);
    const tab = await laptop.newTab();
    await tab.goto(agent.connectUrl());
    const link = await askForPassword(tab);
    const phone = await newBrowser(t, fixtures);
    const mail = await phone.newTab();
    await mail.goto(link);
    await waitForScreen(mail, 'choose-password');
    await mail.reload();
    await waitForScreen(mail, 'link-reloaded');
    await mail.goto('about:blank');
    await mail.goto(link);
    phone.expectRefusals('403 GET /oauth/interaction/');
    await fill(mail, { [en.form.newPassword]: 'a third horse, a third battery' });
    await press(mail, en.link.submitRenew);
    await waitForScreen(mail, 'signed-in');
    await mail.getByText(en.signedIn.elsewhere).waitFor();
    // Another device's session is no session here.
    await waitForScreen(tab, 'mail-sent');
    assert.equal((await laptop.getInteraction(tab)).person, null);
  });
});
