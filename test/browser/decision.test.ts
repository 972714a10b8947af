import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { en } from '../harness/words.ts';
import { callMcp, createSignedInBrowser } from '../harness/authorization.ts';
import { listAuditDetails } from '../attacks/attack.ts';
import {
  waitForAgent,
  fill,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  waitForStoredScreen,
  waitUntilStill,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { assertFocused, assertInPage, assertValue } from '../harness/page-assertions.ts';
import { newTestPatient, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let patient: TestPatient;
let other: TestPatient;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  patient = await newTestPatient(fixtures.service, { consent: false });
  other = await newTestPatient(fixtures.service, { consent: false });
});
after(() => fixtures.stop());

async function signIn(tab: Page, { email, password }: TestPatient): Promise<void> {
  await waitForScreen(tab, 'sign-in');
  await fill(tab, { [en.form.email]: email, [en.form.password]: password });
  await press(tab, en.signIn.submit);
}

describe('saying no', () => {
  it('needs nobody to be signed in: the agent learns that it was denied, and nothing is recorded', async (t) => {
    const { service, agent } = fixtures;
    const denials = (await listAuditDetails(service, 'oauth.denied')).length;
    const stranger = await newBrowser(t, fixtures);
    const tab = await stranger.newTab();
    await tab.goto(agent.connectUrl());
    await waitForScreen(tab, 'sign-in');
    await press(tab, en.requester.deny('Test agent'));
    const { error, error_description: why, ...rest } = await waitForAgent(tab, agent);
    assert.deepEqual([error, rest], ['access_denied', { state: 'the state', iss: service.baseUrl }]);
    assert.match(why ?? '', /./);
    assert.equal((await listAuditDetails(service, 'oauth.denied')).length, denials + 1);
  });

  it('on the review leads back too, and leaves no consent and no app behind', async (t) => {
    const { service, agent } = fixtures;
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(patient);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await openReview(tab);
    await press(tab, en.review.deny);
    const { error, state, iss, code } = await waitForAgent(tab, agent);
    assert.deepEqual([error, state, iss, code], ['access_denied', 'the state', service.baseUrl, undefined]);
    assert.deepEqual(await browser.listConsents(), []);
  });
});

describe('signing in', () => {
  it('with a wrong password: says so, keeps what was typed, and takes the right one', async (t) => {
    const { service, agent } = fixtures;
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    browser.expectRefusals('401 POST /account/sign-in');
    await signIn(tab, { ...patient, password: 'not the password' });
    const alert = tab.getByRole('alert');
    await alert.getByText(en.errors.wrongPassword).waitFor();
    await assertInPage(tab, `document.activeElement.getAttribute('role')`, 'alert');
    await assertFocused(tab, en.common.problem + en.errors.wrongPassword);
    await waitForScreen(tab, 'sign-in');
    await assertValue(tab.getByLabel(en.form.email), patient.email);
    await assertValue(tab.getByLabel(en.form.password, { exact: true }), 'not the password');
    await alert.getByRole('link').click();
    await assertInPage(tab, 'document.activeElement.id', 'password');
    await fill(tab, { [en.form.password]: patient.password });
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'who-is-this');
    assert.equal((await browser.getInteraction(tab)).person?.email, patient.email);
    await openReview(tab);
    await tab.getByText(`You sign as ${await readClientName(tab)} (${patient.email})`).waitFor();
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    assert.equal((await callMcp(service, tokens.body.access_token as string, 'tools/call')).status, 200);
    assert.deepEqual(
      (await browser.listConsents()).map(({ project }) => project.id),
      [service.organization.projectId],
    );
  });

  it('shows a password for as long as it is asked to', async (t) => {
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    await tab.goto(fixtures.agent.connectUrl());
    await fill(tab, { [en.form.password]: 'a secret' });
    await press(tab, en.common.reveal.showLabel);
    await tab.locator('#password[type=text]').waitFor();
    await press(tab, en.common.reveal.hideLabel);
    await tab.locator('#password[type=password]').waitFor();
  });
});

describe('somebody else’s session in this browser', () => {
  it('is left for one’s own, and the decision is the second person’s', async (t) => {
    const { agent } = fixtures;
    const shared = await newBrowser(t, fixtures);
    await shared.signIn(patient);
    const tab = await shared.newTab();
    await tab.goto(agent.connectUrl());
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(patient.email).waitFor();
    const apps = await countApps(other);
    await press(tab, en.confirmIdentity.no);
    await signIn(tab, other);
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(other.email).waitFor();
    await openReview(tab);
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    assert.equal(decodeJwt(tokens.body.access_token as string).sub, other.id);
    assert.equal(await countApps(other), apps + 1);
  });

  it('that changes in another tab is not decided for unseen', async (t) => {
    const { agent } = fixtures;
    const shared = await newBrowser(t, fixtures);
    await shared.signIn(patient);
    const tab = await shared.newTab();
    await tab.goto(agent.connectUrl());
    await openReview(tab);
    // What is on its way would be refused too.
    await waitForStoredScreen(shared, tab);
    const granted = await countApps(other);
    await shared.signIn(other);
    // The picture of the review, and then the decision.
    shared.expectRefusals('409 POST /oauth/interaction/', '409 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'who-is-this');
    await tab.getByText(other.email).waitFor();
    assert.equal((await shared.getInteraction(tab)).status, 'pending');
    assert.deepEqual(await countApps(other), granted);
  });
});

/** How many apps read a person's record, as the service returns them. */
async function countApps(person: TestPatient): Promise<number> {
  const { body } = await (await createSignedInBrowser(fixtures.service, person)).get('/account/consents');
  return (body.consents as { apps: unknown[] }[]).flatMap(({ apps }) => apps).length;
}

describe('with the keyboard alone', () => {
  it('a record is shared by Tab and Enter, and the short form read whole', async (t) => {
    const { agent, service } = fixtures;
    const person = await newTestPatient(service, { consent: false });
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await waitForScreen(tab, 'sign-in');
    await tabTo(tab, en.form.email);
    await tab.keyboard.type(person.email);
    await tabTo(tab, en.form.password);
    await tab.keyboard.type(person.password);
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'who-is-this');
    await tabTo(tab, en.confirmIdentity.yes);
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'review');
    await tabTo(tab, en.review.allow);
    await tab.keyboard.press('Enter');
    assert.equal((await agent.exchange((await waitForAgent(tab, agent))['code'])).status, 200);
    await tab.goto(agent.connectUrl());
    await waitForScreen(tab, 'who-is-this');
    await tabTo(tab, en.confirmIdentity.yes);
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'review-short');
    await tabTo(tab, en.review.short.readAll);
    await tab.keyboard.press('Enter');
    await waitForScreen(tab, 'review');
  });
});

describe('what one shares', () => {
  it('is found at the address that the review names, and stopped there: the agent reads no more', async (t) => {
    const { service, agent } = fixtures;
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(patient);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await openReview(tab);
    const address = await tab.getByText('/consent/#/my-data').textContent();
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    const reads = async () =>
      (await callMcp(service, tokens.body.access_token as string, 'tools/call')).status;
    assert.equal(await reads(), 200);

    await tab.goto(`http://${address}`);
    await waitForScreen(tab, 'my-data');
    await tab.getByText('Test agent').first().waitFor();
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await waitForScreen(tab, 'my-data');
    await press(tab, en.myData.keep);
    assert.equal(await reads(), 200);
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await press(tab, en.myData.yesStop);
    await tab.getByText(en.myData.nothing).waitFor();
    await waitForScreen(tab, 'my-data');
    assert.deepEqual(
      (await browser.listConsents()).map(({ status }) => status),
      ['withdrawn'],
    );
    assert.equal(await reads(), 403);
  });
});

/** Presses Tab until what has this name has the focus, which has to be seen. */
async function tabTo(tab: Page, name: string): Promise<void> {
  await waitUntilStill(tab);
  for (let presses = 0; presses < 60; presses++) {
    await tab.keyboard.press('Tab');
    const { label, outline } = await tab.evaluate<{ label: string; outline: string }>(`({
      label: (document.activeElement.labels?.[0] ?? document.activeElement).textContent,
      outline: getComputedStyle(document.activeElement).outlineStyle,
    })`);
    assert.notEqual(outline, 'none', `${label} shows no focus`);
    if (label === name) return;
  }
  assert.fail(`${name} cannot be reached`);
}

/** The name that the review names, as the service knows it. */
const readClientName = async (tab: Page): Promise<string> => {
  const text = (await tab.locator('.decision').textContent()) ?? '';
  return /You sign as ([^(]+) \(/.exec(text)?.[1] ?? '';
};
