import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../../web/consent/src/words/en.ts';
import {
  backAtAgent,
  fill,
  newBrowser,
  onScreen,
  openStage,
  press,
  requestIdIn,
  type PersonBrowser,
  type Stage,
  toReview,
} from '../harness/page.ts';
import { newOrganization, newTestPatient, type TestPatient } from '../harness/service.ts';

let stage: Stage;
let patient: TestPatient;
before(async () => {
  stage = await openStage();
  patient = await newTestPatient(stage.service, { consent: false });
});
after(() => stage.stop());

async function begun(t: TestContext, who: TestPatient | null = patient): Promise<[PersonBrowser, Page]> {
  const browser = await newBrowser(t, stage);
  if (who) await browser.signIn(who);
  const tab = await browser.tab();
  await tab.goto(stage.agent.connectUrl());
  await onScreen(tab, who ? 'who-is-this' : 'sign-in');
  return [browser, tab];
}

const completeUrl = (requestId: string): string => `${stage.service.baseUrl}/oauth/complete/${requestId}`;

describe('a request', () => {
  it('case 25: in another browser says where to continue, and is completed there by nobody', async (t) => {
    const { agent } = stage;
    const [, tab] = await begun(t);
    const visits = agent.visits.length;
    const other = await newBrowser(t, stage);
    await other.signIn(patient);
    const elsewhere = await other.tab();
    other.expect('403 GET /oauth/interaction/', '400 GET /oauth/complete/', '400 GET /oauth/complete/');
    await elsewhere.goto(tab.url());
    await onScreen(elsewhere, 'other-browser');
    await elsewhere.goto(completeUrl(requestIdIn(tab)));
    await elsewhere.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();

    await toReview(tab);
    // Decided, and still not led back: the moment at which somebody else could hope for the code.
    await tab.route('**/oauth/complete/*', (route) => route.fulfill({ status: 204 }));
    await press(tab, en.review.allow);
    await onScreen(tab, 'leaving');
    await elsewhere.goto(completeUrl(requestIdIn(tab)));
    await elsewhere.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    assert.equal(agent.visits.length, visits, 'nobody was led anywhere');
    await tab.unroute('**/oauth/complete/*');
    await tab.getByRole('link', { name: en.leaving.link('Test agent') }).click();
    assert.equal((await agent.exchange((await backAtAgent(tab, agent))['code'])).status, 200);
  });

  it('that nobody knows, or that cannot be made out, is said to be unknown', async (t) => {
    const browser = await newBrowser(t, stage);
    const tab = await browser.tab();
    const page = `${stage.service.baseUrl}/consent/`;
    browser.expect('404 GET /oauth/interaction/');
    await tab.goto(`${page}#/request/${'x'.repeat(32)}`);
    await onScreen(tab, 'unknown');
    await tab.goto('about:blank');
    await tab.goto(`${page}#/patient-consent/p/enrollment/link?oauth_state=garbage`);
    await onScreen(tab, 'unknown');
  });

  it('that was used is closed, wherever one comes from, and gives no second code', async (t) => {
    const { agent } = stage;
    const [browser, tab] = await begun(t);
    const url = tab.url();
    const requestId = requestIdIn(tab);
    await toReview(tab);
    await press(tab, en.review.allow);
    const { code } = await backAtAgent(tab, agent);
    const visits = agent.visits.length;
    browser.expect('400 GET /oauth/complete/');
    await tab.goto(completeUrl(requestId));
    await tab.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    await tab.goto(url);
    await onScreen(tab, 'closed');
    assert.equal(agent.visits.length, visits);
    assert.equal((await agent.exchange(code)).status, 200);
  });

  it('survives a reload at each of its steps', async (t) => {
    const { agent } = stage;
    const [, tab] = await begun(t, null);
    const reloaded = async (screen: string): Promise<void> => {
      await onScreen(tab, screen);
      await tab.reload();
      await onScreen(tab, screen);
    };
    await reloaded('sign-in');
    await press(tab, en.signIn.signUp);
    await reloaded('sign-up');
    await fill(tab, { [en.form.email]: 'nobody@mail.example' });
    await press(tab, en.signUp.submit);
    await reloaded('mail-sent');
    await tab.getByText('nobody@mail.example').waitFor();
    await press(tab, en.mailSent.another);
    await onScreen(tab, 'sign-up');
    await press(tab, en.common.back);
    await onScreen(tab, 'sign-in');
    await fill(tab, { [en.form.email]: patient.email, [en.form.password]: patient.password });
    await press(tab, en.signIn.submit);
    await reloaded('who-is-this');
    await press(tab, en.whoIsThis.yes);
    await reloaded('review');
    await tab.goBack();
    await onScreen(tab, 'who-is-this');
    await tab.goForward();
    await onScreen(tab, 'review');
    await press(tab, en.review.allow);
    assert.equal((await agent.exchange((await backAtAgent(tab, agent))['code'])).status, 200);
  });

  it('in two tabs is decided once: the other is told, and leads nowhere', async (t) => {
    const { agent } = stage;
    const [browser, first] = await begun(t);
    await toReview(first);
    const second = await browser.tab();
    await second.goto(first.url());
    await toReview(second);
    await press(second, en.review.allow);
    const { code } = await backAtAgent(second, agent);
    const visits = agent.visits.length;
    browser.expect('409 POST /oauth/interaction/');
    await press(first, en.review.deny);
    await onScreen(first, 'closed');
    assert.equal(agent.visits.length, visits);
    assert.equal((await agent.exchange(code)).status, 200, 'the first answer stands');
  });

  it('is not answered for who signed out in another tab meanwhile', async (t) => {
    const [browser, tab] = await begun(t);
    await toReview(tab);
    const other = await browser.tab();
    await other.goto(`${stage.service.baseUrl}/consent/`);
    await onScreen(other, 'start-signed-in');
    await press(other, en.common.signOut);
    await onScreen(other, 'start');
    browser.expect('401 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await onScreen(tab, 'sign-in');
    assert.equal((await browser.interaction(tab)).status, 'pending');
  });

  for (const [answer, button] of [
    ['yes', en.review.allow],
    ['no', en.review.deny],
  ] as const) {
    it(`after a ${answer}, the back button leads to nothing that could be answered again`, async (t) => {
      const { agent } = stage;
      const [, tab] = await begun(t);
      await toReview(tab);
      await press(tab, button);
      await backAtAgent(tab, agent);
      const visits = agent.visits.length;
      await tab.goBack();
      await onScreen(tab, 'closed');
      assert.equal(agent.visits.length, visits);
      await tab.goForward();
      await tab.getByRole('heading', { name: 'Connected' }).waitFor();
    });
  }

  it('of an organization whose test patient one is not is answered with another account', async (t) => {
    const { service, agent } = stage;
    const foreign = await newTestPatient(service, {
      organization: await newOrganization(service),
      consent: false,
    });
    const browser = await newBrowser(t, stage);
    await browser.signIn(foreign);
    const tab = await browser.tab();
    await tab.goto(agent.connectUrl());
    await onScreen(tab, 'not-eligible');
    const { organization } = await browser.interaction(tab);
    await tab.getByText(en.notEligible.text(organization.name)).waitFor();
    await press(tab, en.notEligible.switch);
    await onScreen(tab, 'sign-in');
  });

  it('of an app that is not known leads nowhere', async (t) => {
    const browser = await newBrowser(t, stage);
    const tab = await browser.tab();
    browser.expect('400 GET /oauth/authorize');
    await tab.goto(stage.agent.connectUrl({ client_id: '01a1fb04-f7ab-712e-a8c2-49d049d988ac' }));
    await tab.getByRole('heading', { name: 'We do not know this app' }).waitFor();
  });

  // Last, for it moves the clock of all.
  it('that has expired says so: on arrival, and to who decides too late', async (t) => {
    const { service, agent } = stage;
    const [browser, tab] = await begun(t);
    await toReview(tab);
    const visits = agent.visits.length;
    service.clock.pass(3_600_001);
    browser.expect('410 POST /oauth/interaction/', '410 GET /oauth/interaction/', '400 GET /oauth/complete/');
    await press(tab, en.review.allow);
    await onScreen(tab, 'expired');
    await tab.reload();
    await onScreen(tab, 'expired');
    const requestId = requestIdIn(tab);
    await tab.goto(completeUrl(requestId));
    await tab.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    assert.equal(agent.visits.length, visits);
    await browser.signIn(patient);
    const apps = (await browser.consents()).flatMap((consent) => consent.apps);
    assert.ok(
      apps.every(({ since }) => new Date(since) < new Date(service.clock.now().getTime() - 3_600_000)),
    );
  });
});
