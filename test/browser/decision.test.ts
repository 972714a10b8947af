import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { Page } from 'playwright-core';
import { en } from '../../web/consent/src/words/en.ts';
import { callMcp, signedInBrowser } from '../harness/authorization.ts';
import { audited } from '../attacks/attack.ts';
import {
  backAtAgent,
  fill,
  newBrowser,
  onScreen,
  openStage,
  press,
  type Stage,
  toReview,
} from '../harness/page.ts';
import { newTestPatient, type TestPatient } from '../harness/service.ts';

let stage: Stage;
let patient: TestPatient;
let other: TestPatient;
before(async () => {
  stage = await openStage();
  patient = await newTestPatient(stage.service, { consent: false });
  other = await newTestPatient(stage.service, { consent: false });
});
after(() => stage.stop());

async function signIn(tab: Page, { email, password }: TestPatient): Promise<void> {
  await onScreen(tab, 'sign-in');
  await fill(tab, { [en.form.email]: email, [en.form.password]: password });
  await press(tab, en.signIn.submit);
}

const focused = (tab: Page) =>
  tab.evaluate<unknown>(`({
    role: document.activeElement.getAttribute('role'),
    text: document.activeElement.textContent,
  })`);

describe('saying no', () => {
  it('needs nobody to be signed in: the agent learns that it was denied, and nothing is recorded', async (t) => {
    const { service, agent } = stage;
    const denials = (await audited(service, 'oauth.denied')).length;
    const stranger = await newBrowser(t, stage);
    const tab = await stranger.tab();
    await tab.goto(agent.connectUrl());
    await onScreen(tab, 'sign-in');
    await press(tab, en.asker.refuse('Test agent'));
    const { error, error_description: why, ...rest } = await backAtAgent(tab, agent);
    assert.deepEqual([error, rest], ['access_denied', { state: 'the state', iss: service.baseUrl }]);
    assert.match(why ?? '', /./);
    assert.equal((await audited(service, 'oauth.denied')).length, denials + 1);
  });

  it('on the review leads back too, and leaves no consent and no app behind', async (t) => {
    const { service, agent } = stage;
    const browser = await newBrowser(t, stage);
    await browser.signIn(patient);
    const tab = await browser.tab();
    await tab.goto(agent.connectUrl());
    await toReview(tab);
    await press(tab, en.review.deny);
    const { error, state, iss, code } = await backAtAgent(tab, agent);
    assert.deepEqual([error, state, iss, code], ['access_denied', 'the state', service.baseUrl, undefined]);
    assert.deepEqual(await browser.consents(), []);
  });
});

describe('signing in', () => {
  it('with a wrong password: says so, keeps what was typed, and takes the right one', async (t) => {
    const { service, agent } = stage;
    const browser = await newBrowser(t, stage);
    const tab = await browser.tab();
    await tab.goto(agent.connectUrl());
    browser.expect('401 POST /account/sign-in');
    await signIn(tab, { ...patient, password: 'not the password' });
    const alert = tab.getByRole('alert');
    await alert.getByText(en.failed.wrongPassword).waitFor();
    assert.deepEqual(await focused(tab), {
      role: 'alert',
      text: en.common.problem + en.failed.wrongPassword,
    });
    await onScreen(tab, 'sign-in');
    assert.equal(await tab.getByLabel(en.form.email).inputValue(), patient.email);
    assert.equal(await tab.getByLabel(en.form.password, { exact: true }).inputValue(), 'not the password');
    await alert.getByRole('link').click();
    assert.equal(await tab.evaluate('document.activeElement.id'), 'password');
    await fill(tab, { [en.form.password]: patient.password });
    await tab.keyboard.press('Enter');
    await onScreen(tab, 'who-is-this');
    assert.equal((await browser.interaction(tab)).person?.email, patient.email);
    await toReview(tab);
    await tab.getByText(`You sign as ${await nameOf(tab)} (${patient.email})`).waitFor();
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await backAtAgent(tab, agent))['code']);
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    assert.equal((await callMcp(service, tokens.body.access_token as string, 'tools/call')).status, 200);
    assert.deepEqual(
      (await browser.consents()).map(({ project }) => project.id),
      [service.organization.projectId],
    );
  });

  it('shows a password for as long as it is asked to', async (t) => {
    const browser = await newBrowser(t, stage);
    const tab = await browser.tab();
    await tab.goto(stage.agent.connectUrl());
    await fill(tab, { [en.form.password]: 'a secret' });
    const type = () => tab.locator('#password').getAttribute('type');
    await press(tab, en.common.reveal.showLabel);
    assert.equal(await type(), 'text');
    await press(tab, en.common.reveal.hideLabel);
    assert.equal(await type(), 'password');
  });
});

describe('somebody else’s session in this browser', () => {
  it('is left for one’s own, and the decision is the second person’s', async (t) => {
    const { agent } = stage;
    const shared = await newBrowser(t, stage);
    await shared.signIn(patient);
    const tab = await shared.tab();
    await tab.goto(agent.connectUrl());
    await onScreen(tab, 'who-is-this');
    await tab.getByText(patient.email).waitFor();
    const apps = await appsOf(other);
    await press(tab, en.whoIsThis.no);
    await signIn(tab, other);
    await onScreen(tab, 'who-is-this');
    await tab.getByText(other.email).waitFor();
    await toReview(tab);
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await backAtAgent(tab, agent))['code']);
    assert.equal(decodeJwt(tokens.body.access_token as string).sub, other.id);
    assert.equal(await appsOf(other), apps + 1);
  });

  it('that changes in another tab is not decided for unseen', async (t) => {
    const { agent } = stage;
    const shared = await newBrowser(t, stage);
    await shared.signIn(patient);
    const tab = await shared.tab();
    await tab.goto(agent.connectUrl());
    await toReview(tab);
    const granted = await appsOf(other);
    await shared.signIn(other);
    shared.expect('409 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await onScreen(tab, 'who-is-this');
    await tab.getByText(other.email).waitFor();
    assert.equal((await shared.interaction(tab)).status, 'pending');
    assert.deepEqual(await appsOf(other), granted);
  });
});

/** How many apps read a person's record, as the service tells them. */
async function appsOf(person: TestPatient): Promise<number> {
  const { body } = await (await signedInBrowser(stage.service, person)).get('/account/consents');
  return (body.consents as { apps: unknown[] }[]).flatMap(({ apps }) => apps).length;
}

describe('with the keyboard alone', () => {
  it('a record is shared by Tab and Enter', async (t) => {
    const { agent } = stage;
    const browser = await newBrowser(t, stage);
    const tab = await browser.tab();
    await tab.goto(agent.connectUrl());
    await onScreen(tab, 'sign-in');
    await tabTo(tab, en.form.email);
    await tab.keyboard.type(patient.email);
    await tabTo(tab, en.form.password);
    await tab.keyboard.type(patient.password);
    await tab.keyboard.press('Enter');
    await onScreen(tab, 'who-is-this');
    await tabTo(tab, en.whoIsThis.yes);
    await tab.keyboard.press('Enter');
    await onScreen(tab, 'review');
    await tabTo(tab, en.review.allow);
    await tab.keyboard.press('Enter');
    assert.equal((await agent.exchange((await backAtAgent(tab, agent))['code'])).status, 200);
  });
});

describe('what one shares', () => {
  it('is found at the address that the review names, and stopped there: the agent reads no more', async (t) => {
    const { service, agent } = stage;
    const browser = await newBrowser(t, stage);
    await browser.signIn(patient);
    const tab = await browser.tab();
    await tab.goto(agent.connectUrl());
    await toReview(tab);
    const address = await tab.getByText('/consent/#/my-data').textContent();
    await press(tab, en.review.allow);
    const tokens = await agent.exchange((await backAtAgent(tab, agent))['code']);
    const reads = async () =>
      (await callMcp(service, tokens.body.access_token as string, 'tools/call')).status;
    assert.equal(await reads(), 200);

    await tab.goto(`http://${address}`);
    await onScreen(tab, 'my-data');
    await tab.getByText('Test agent').first().waitFor();
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await onScreen(tab, 'my-data');
    await press(tab, en.myData.keep);
    assert.equal(await reads(), 200);
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await press(tab, en.myData.yesStop);
    await tab.getByText(en.myData.nothing).waitFor();
    await onScreen(tab, 'my-data');
    assert.deepEqual(
      (await browser.consents()).map(({ status }) => status),
      ['withdrawn'],
    );
    assert.equal(await reads(), 403);
  });
});

/** Presses Tab until what has this name has the focus, which has to be seen. */
async function tabTo(tab: Page, name: string): Promise<void> {
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
const nameOf = async (tab: Page): Promise<string> => {
  const text = (await tab.locator('.decision').textContent()) ?? '';
  return /You sign as ([^(]+) \(/.exec(text)?.[1] ?? '';
};
