import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../harness/words.ts';
import {
  waitForAgent,
  fill,
  newBrowser,
  waitForScreen,
  waitForStoredScreen,
  openBrowserFixtures,
  press,
  waitUntilStill,
  getTabRequestId,
  type PersonBrowser,
  type BrowserFixtures,
  openReview,
} from '../harness/page.ts';
import { newOrganization, newTestPatient, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let patient: TestPatient;
before(async () => {
  fixtures = await openBrowserFixtures({ pictures: 'plain' });
  patient = await newTestPatient(fixtures.service, { consent: false });
});
after(() => fixtures.stop());

async function startRequest(
  t: TestContext,
  who: TestPatient | null = patient,
): Promise<[PersonBrowser, Page]> {
  const browser = await newBrowser(t, fixtures);
  if (who) await browser.signIn(who);
  const tab = await browser.newTab();
  await tab.goto(fixtures.agent.connectUrl());
  await waitForScreen(tab, who ? 'who-is-this' : 'sign-in');
  return [browser, tab];
}

const getCompleteUrl = (requestId: string): string =>
  `${fixtures.service.baseUrl}/oauth/complete/${requestId}`;

describe('a request', () => {
  it('case 25: in another browser says where to continue, and is completed there by nobody', async (t) => {
    const { agent } = fixtures;
    const [, tab] = await startRequest(t);
    const visits = agent.visits.length;
    const other = await newBrowser(t, fixtures);
    await other.signIn(patient);
    const elsewhere = await other.newTab();
    other.expectRefusals(
      '403 GET /oauth/interaction/',
      '400 GET /oauth/complete/',
      '400 GET /oauth/complete/',
    );
    await elsewhere.goto(tab.url());
    await waitForScreen(elsewhere, 'other-browser');
    await elsewhere.goto(getCompleteUrl(getTabRequestId(tab)));
    await elsewhere.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();

    await openReview(tab);
    // Decided, and not yet redirected: the moment at which somebody else could try to get the code.
    await tab.route('**/oauth/complete/*', (route) => route.fulfill({ status: 204 }));
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'leaving');
    await elsewhere.goto(getCompleteUrl(getTabRequestId(tab)));
    await elsewhere.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    assert.equal(agent.visits.length, visits, 'nobody was led anywhere');
    await tab.unroute('**/oauth/complete/*');
    await tab.getByRole('link', { name: en.returnToClient.link('Test agent') }).click();
    assert.equal((await agent.exchange((await waitForAgent(tab, agent))['code'])).status, 200);
  });

  it('that nobody knows, or that cannot be made out, is said to be unknown', async (t) => {
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    const page = `${fixtures.service.baseUrl}/consent/`;
    browser.expectRefusals('404 GET /oauth/interaction/');
    await tab.goto(`${page}#/request/${'x'.repeat(32)}`);
    await waitForScreen(tab, 'unknown');
    await tab.goto('about:blank');
    await tab.goto(`${page}#/patient-consent/p/enrollment/link?oauth_state=garbage`);
    await waitForScreen(tab, 'unknown');
    // An address that was cut off is no matter of the connection.
    browser.expectRefusals('400 GET /oauth/interaction/');
    await tab.goto('about:blank');
    await tab.goto(`${page}#/request/abc`);
    await tab.getByRole('heading', { name: en.errorScreens.unknown.title }).waitFor();
    // An invitation has no app to go back to.
    browser.expectRefusals('404 GET /account/enrollments/');
    for (const id of ['cut-off', '00000000-0000-4000-8000-000000000000']) {
      await tab.goto('about:blank');
      await tab.goto(`${page}#/patient-consent/${id}/enrollment/link`);
      await tab.getByRole('heading', { name: en.errorScreens.unknownInvitation.title }).waitFor();
    }
  });

  it('that was used is closed, wherever one comes from, and gives no second code', async (t) => {
    const { agent } = fixtures;
    const [browser, tab] = await startRequest(t);
    const url = tab.url();
    const requestId = getTabRequestId(tab);
    await openReview(tab);
    await press(tab, en.review.allow);
    const { code } = await waitForAgent(tab, agent);
    const visits = agent.visits.length;
    browser.expectRefusals('400 GET /oauth/complete/');
    await tab.goto(getCompleteUrl(requestId));
    await tab.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    await tab.goto(url);
    await waitForScreen(tab, 'closed');
    assert.equal(agent.visits.length, visits);
    assert.equal((await agent.exchange(code)).status, 200);
  });

  it('survives a reload at each of its steps', async (t) => {
    const { agent, service } = fixtures;
    const person = await newTestPatient(service, { consent: false });
    const [browser, tab] = await startRequest(t, null);
    const reloaded = async (screen: string): Promise<void> => {
      await waitForScreen(tab, screen);
      await tab.reload();
      await waitForScreen(tab, screen);
    };
    await reloaded('sign-in');
    await press(tab, en.signIn.signUp);
    await reloaded('sign-up');
    await fill(tab, { [en.form.email]: 'nobody@mail.example' });
    await press(tab, en.signUp.submit);
    await reloaded('mail-sent');
    await tab.getByText('nobody@mail.example').waitFor();
    await press(tab, en.mailSent.another);
    await waitForScreen(tab, 'sign-up');
    await press(tab, en.common.back);
    await waitForScreen(tab, 'sign-in');
    await fill(tab, { [en.form.email]: person.email, [en.form.password]: person.password });
    await press(tab, en.signIn.submit);
    await reloaded('who-is-this');
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');
    await waitForStoredScreen(browser, tab);
    await reloaded('review');
    await tab.goBack();
    await waitForScreen(tab, 'who-is-this');
    await tab.goForward();
    await waitForScreen(tab, 'review');
    await press(tab, en.review.allow);
    assert.equal((await agent.exchange((await waitForAgent(tab, agent))['code'])).status, 200);
  });

  it('in two tabs is decided once: the other says so, and redirects nowhere', async (t) => {
    const { agent } = fixtures;
    const [browser, first] = await startRequest(t);
    await openReview(first);
    const second = await browser.newTab();
    await second.goto(first.url());
    await openReview(second);
    await press(second, en.review.allow);
    const { code } = await waitForAgent(second, agent);
    const visits = agent.visits.length;
    browser.expectRefusals('409 POST /oauth/interaction/');
    await press(first, en.review.deny);
    await waitForScreen(first, 'decided-before');
    await first.getByText(en.decidedBefore.closed).waitFor();
    assert.equal(agent.visits.length, visits);
    assert.equal((await agent.exchange(code)).status, 200, 'the first answer stands');
  });

  it('is not answered for who signed out in another tab meanwhile', async (t) => {
    const [browser, tab] = await startRequest(t);
    await openReview(tab);
    await waitForStoredScreen(browser, tab);
    const other = await browser.newTab();
    await other.goto(`${fixtures.service.baseUrl}/consent/`);
    await waitForScreen(other, 'start-signed-in');
    await press(other, en.common.signOut);
    await waitForScreen(other, 'start');
    // The picture of the review, and then the decision.
    browser.expectRefusals('401 POST /oauth/interaction/', '401 POST /oauth/interaction/');
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'sign-in');
    assert.equal((await browser.getInteraction(tab)).status, 'pending');
  });

  for (const [answer, button] of [
    ['yes', en.review.allow],
    ['no', en.review.deny],
  ] as const) {
    it(`after a ${answer}, the back button leads to nothing that could be answered again`, async (t) => {
      const { agent } = fixtures;
      const [, tab] = await startRequest(t);
      await openReview(tab);
      await press(tab, button);
      await waitForAgent(tab, agent);
      const visits = agent.visits.length;
      await tab.goBack();
      await waitForScreen(tab, 'closed');
      assert.equal(agent.visits.length, visits);
      await tab.goForward();
      await tab.getByRole('heading', { name: 'Connected' }).waitFor();
    });
  }

  it('of an organization whose test patient one is not is answered with another account', async (t) => {
    const { service, agent } = fixtures;
    const foreign = await newTestPatient(service, {
      organization: await newOrganization(service),
      consent: false,
    });
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(foreign);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await waitForScreen(tab, 'not-eligible');
    const { organization } = await browser.getInteraction(tab);
    await tab.getByText(en.notEligible.text(organization.name)).waitFor();
    await press(tab, en.notEligible.switch);
    await waitForScreen(tab, 'sign-in');
  });

  it('of an app that is not known leads nowhere', async (t) => {
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    browser.expectRefusals('400 GET /oauth/authorize');
    await tab.goto(fixtures.agent.connectUrl({ client_id: '01a1fb04-f7ab-712e-a8c2-49d049d988ac' }));
    await tab.getByRole('heading', { name: 'We do not know this app' }).waitFor();
  });

  // Last, for it moves the clock of all.
  it('that has expired says so: on arrival, and to who decides too late', async (t) => {
    const { service, agent } = fixtures;
    const [browser, tab] = await startRequest(t);
    await openReview(tab);
    await waitForStoredScreen(browser, tab);
    await waitUntilStill(tab);
    const visits = agent.visits.length;
    service.clock.advance(3_600_001);
    browser.expectRefusals(
      // The picture of the review: the session is over as well.
      '401 POST /oauth/interaction/',
      '410 POST /oauth/interaction/',
      '410 GET /oauth/interaction/',
      '400 GET /oauth/complete/',
    );
    await press(tab, en.review.allow);
    await waitForScreen(tab, 'expired');
    await tab.reload();
    await waitForScreen(tab, 'expired');
    const requestId = getTabRequestId(tab);
    await tab.goto(getCompleteUrl(requestId));
    await tab.getByRole('heading', { name: 'This cannot be completed here' }).waitFor();
    assert.equal(agent.visits.length, visits);
    await browser.signIn(patient);
    const apps = (await browser.listConsents()).flatMap((consent) => consent.apps);
    assert.ok(
      apps.every(({ since }) => new Date(since) < new Date(service.clock.now().getTime() - 3_600_000)),
    );
  });
});
