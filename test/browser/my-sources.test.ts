import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { en, es } from '../harness/words.ts';
import { callMcp } from '../harness/authorization.ts';
import {
  buildBundle,
  startFakeFhirServer,
  sendOutcome,
  send,
  type FakeFhirServer,
} from '../harness/fake-fhir-server.ts';
import {
  waitForAgent,
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  openReview,
  type BrowserFixtures,
} from '../harness/page.ts';
import { assertAbsent, assertCount, assertFocused, assertText } from '../harness/page-assertions.ts';
import { call, decide, getOrganizationToken, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let ehr: FakeFhirServer;
let admin: string;

before(async () => {
  ehr = await startFakeFhirServer();
  const environment = { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' };
  fixtures = await openBrowserFixtures({ pictures: 'plain', outbound: ehr.outboundClient, environment });
  admin = await getOrganizationToken(fixtures.service);
});
after(async () => {
  await fixtures.stop();
  await ehr.stop();
});

const connected: string[] = [];
const { sources } = en.myData;
const getSourcesPath = (): string =>
  `/v1/organizations/${fixtures.service.organization.organizationId}/sources`;

beforeEach(async () => {
  for (const id of connected.splice(0))
    await call(fixtures.service, `${getSourcesPath()}/${id}`, { method: 'DELETE', token: admin });
  Object.assign(ehr, { resources: [], intercept: () => false });
});

async function connect(name: string, baseUrl = ehr.base): Promise<void> {
  const json = { name, baseUrl, matching: { by: 'demographics' }, servesTestPatients: true };
  const { status, body } = await call(fixtures.service, getSourcesPath(), { token: admin, json });
  assert.equal(status, 201);
  connected.push(body.id as string);
}

/** Somebody whom the hospitals may know by name and birth date. */
async function createPerson(consent: boolean): Promise<TestPatient> {
  const { service } = fixtures;
  const { organizationId, projectId } = service.organization;
  const created = await call(service, `/v1/organizations/${organizationId}/test-patients`, {
    token: admin,
    json: { firstName: 'Ana', lastName: 'Larsen', dateOfBirth: '1970-02-03' },
  });
  const { id, email, firstName, lastName } = created.body.patient;
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
  });
  const login = { email, password: created.body.password, projectId };
  const { token } = (await call(service, '/v1/auth/token', { json: login })).body;
  const patient = { id, email, password: login.password, projectId, token };
  if (consent) await decide(service, patient, 'OPTED_IN');
  return patient;
}

const ANA = JSON.stringify({
  resourceType: 'Patient',
  id: 'ana',
  name: [{ family: 'Larsen', given: ['Ana'] }],
  birthDate: '1970-02-03',
});

const lab = (id: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [
      {
        coding: [
          { system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' },
        ],
      },
    ],
    code: { text: 'Potassium' },
    subject: { reference: 'Patient/ana' },
    effectiveDateTime: '2026-02-03',
    valueQuantity: { value: 4, unit: 'mmol/L' },
    ...more,
  });

/** Whoever asks for the record waits at it until it is opened. */
function createGate(): () => void {
  const opened = Promise.withResolvers<void>();
  ehr.intercept = ({ path }, response) => {
    if (!path.endsWith('$everything')) return false;
    void opened.promise.then(() => send(response, buildBundle(ehr.resources, [], ehr.base)));
    return true;
  };
  return opened.resolve;
}

async function openMyData(t: TestContext, who: TestPatient): Promise<Page> {
  const browser = await newBrowser(t, fixtures, { reducedMotion: 'reduce' });
  await browser.signIn(who);
  const tab = await browser.newTab();
  await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data`);
  return tab;
}

const findCard = (tab: Page, name: string, text: string) =>
  tab.getByRole('listitem').filter({ hasText: name }).filter({ hasText: text });

describe('where a record comes from', () => {
  it('is shown with its state, and new records are fetched by the keyboard alone', async (t) => {
    ehr.resources = [ANA, lab('o1')];
    await connect('St. Mary Hospital');
    const tab = await openMyData(t, await createPerson(true));
    await findCard(tab, 'St. Mary Hospital', sources.states.up_to_date).waitFor();
    await waitForScreen(tab, 'my-data');

    ehr.resources.push(lab('o2', { meta: { lastUpdated: '2099-01-01T00:00:00Z' } }));
    const open = createGate();
    await tab.getByRole('button', { name: sources.get }).focus();
    await tab.keyboard.press('Enter');
    await tab.getByRole('status').getByText(sources.requested.one).waitFor();
    await findCard(tab, 'St. Mary Hospital', sources.states.running).waitFor();
    await waitForScreen(tab, 'my-data');
    open();
    await tab.getByRole('status').getByText(sources.finished).waitFor();
    await findCard(tab, 'St. Mary Hospital', sources.states.up_to_date).waitFor();
    await assertFocused(tab, sources.get);

    await tab.getByRole('link', { name: sources.what }).click();
    await waitForScreen(tab, 'my-data-documents');
    const came = tab.getByRole('listitem').filter({ hasText: 'From St. Mary Hospital, on' });
    await assertCount(came, 2);
    await came.filter({ hasText: en.myData.documents.created.one }).waitFor();
  });

  it('that does not know a person says so, and whom to ask, in both languages', async (t) => {
    await connect('Hill Clinic');
    const tab = await openMyData(t, await createPerson(true));
    await findCard(tab, 'Hill Clinic', sources.states.no_match).waitFor();
    const said = findCard(tab, 'Hill Clinic', sources.neverFetched);
    await assertText(said, /Ask Clinic \d+ to check your name and birth date/);
    await press(tab, en.common.otherLanguage);
    await findCard(tab, 'Hill Clinic', es.myData.sources.states.no_match).waitFor();
    await waitForScreen(tab, 'my-data');
  });

  it('that one no longer shares with is not asked any more', async (t) => {
    ehr.resources = [ANA];
    await connect('St. Mary Hospital');
    const patient = await createPerson(true);
    const tab = await openMyData(t, patient);
    await findCard(tab, 'St. Mary Hospital', sources.states.up_to_date).waitFor();
    await tab.getByRole('button', { name: en.myData.stop }).click();
    await press(tab, en.myData.yesStop);
    await findCard(tab, 'St. Mary Hospital', sources.states.paused).waitFor();
    await assertAbsent(tab.getByRole('button', { name: sources.get }));
  });

  it('is nothing to speak of where nothing is connected', async (t) => {
    const tab = await openMyData(t, await createPerson(true));
    await tab.getByText(en.myData.kinds.all).waitFor();
    await assertAbsent(tab.getByText(sources.title));
  });
});

describe('after the decision', () => {
  it('each hospital is named with its state; one that fails keeps nobody from going on', async (t) => {
    const { agent, service } = fixtures;
    ehr.resources = [ANA, lab('o1')];
    await connect('St. Mary Hospital');
    await connect('Closed Clinic', ehr.base.replace('/fhir', '/closed'));
    const open = createGate();
    const { intercept: instead } = ehr;
    ehr.intercept = (asked, response) => {
      if (!asked.path.startsWith('/closed')) return instead(asked, response);
      sendOutcome(response, 403);
      return true;
    };
    const patient = await createPerson(false);
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(patient);
    const tab = await browser.newTab();
    await tab.goto(agent.connectUrl());
    await openReview(tab);
    await press(tab, en.review.allow);
    await findCard(tab, 'St. Mary Hospital', en.processing.states.running).waitFor();
    await findCard(tab, 'Closed Clinic', en.processing.states.failed).waitFor();
    await tab.getByRole('status').getByText(en.processing.failed).waitFor();
    await waitForScreen(tab, 'processing');
    open();
    const tokens = await agent.exchange((await waitForAgent(tab, agent))['code']);
    const summary = await callMcp(service, tokens.body.access_token as string, 'tools/call');
    assert.match(summary.body.result.content[0].text as string, /1 laboratory result/);

    await tab.goto(`${service.baseUrl}/consent/#/my-data`);
    await findCard(tab, 'Closed Clinic', sources.states.failed).waitFor();
  });
});
