import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedOrganization } from '../../server/identity/members/create-organization.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  buildAuthorizePath,
  createPkce,
  decideRequest,
  exchangeCode,
  getRedirectParameters,
  getRequestId,
  registerClient,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import { buildScreenshot } from '../harness/evidence.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  getToolText,
  newTestPatient,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { createWebhookApi } from '../harness/webhooks.ts';

/** The address of every store's service: tokens name it. */
export const BASE_URL = 'https://records.example';

/** What people, apps and operators of a store knew when its backup was made. */
export interface Known {
  organization: CreatedOrganization;
  /** Consented by API, has a record. */
  patient: TestPatient;
  /** Has withdrawn. */
  withdrawn: TestPatient;
  /** Let an app in on the consent page, since 0010. */
  connected?: { patient: TestPatient; clientId: string; accessToken: string; refreshToken: string };
  /** Since 0021; it acknowledged what happened. */
  webhookId?: string;
}

/** Since when there is what a store is filled with: numbers of migrations. */
export const SINCE = {
  authorization: '0010',
  evidence: '0015',
  documents: '0020',
  webhooks: '0021',
  drafts: '0051',
};

/** Lets the program of a schema, at an address, do a little of all that it can; answers what there is to know of it. */
export async function fillStore(
  {
    baseUrl,
    organization,
    webhookUrl,
  }: { baseUrl: string; organization: CreatedOrganization; webhookUrl: string },
  schema: string,
): Promise<Known> {
  const service = { baseUrl, organization } as unknown as TestService;
  const webhookId = schema < SINCE.webhooks ? undefined : await registerWebhook(service, webhookUrl);
  const patient = await newTestPatient(service);
  await uploadRecord(service, patient);
  await uploadLater(service, patient, schema);
  await callTool(service, patient, 'get_conditions');
  await enrollByExternalId(service);
  const withdrawn = await newTestPatient(service);
  assert.equal((await decide(service, withdrawn, 'OPTED_OUT')).status, 201);
  const connected = schema < SINCE.authorization ? undefined : await connectApp(service, schema);
  if (webhookId !== undefined) await waitUntilDelivered(service, webhookId);
  return {
    organization,
    patient,
    withdrawn,
    ...(connected !== undefined && { connected }),
    ...(webhookId !== undefined && { webhookId }),
  };
}

async function registerWebhook(service: TestService, url: string): Promise<string> {
  const webhooks = await createWebhookApi(service);
  const { id } = await webhooks.createWebhook(url, { projectScope: { type: 'all' } });
  return id as string;
}

async function waitUntilDelivered(service: TestService, webhookId: string): Promise<void> {
  const webhooks = await createWebhookApi(service);
  for (;;) {
    const { body } = await webhooks.send(`/${webhookId}/deliveries?status=delivered`);
    if (JSON.stringify(body).includes('consent.withdrawn')) return;
    await sleep(100);
  }
}

async function enrollByExternalId(service: TestService): Promise<void> {
  const { status, body } = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
    token: await getOrganizationToken(service),
    json: {
      patients: [
        {
          email: 'ana@people.example',
          firstName: 'Ana',
          lastName: 'Ruiz',
          externalId: 'mrn-7',
          phone: '+34600111222',
        },
      ],
      suppressNotifications: true,
    },
  });
  assert.ok(status < 300, JSON.stringify(body));
}

const code = (system: string, value: string, text: string) => ({ coding: [{ system, code: value }], text });
const subject = { reference: 'Patient/p' };

const potassium = (value: number): object => ({
  resourceType: 'Observation',
  id: 'potassium',
  subject,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: code('http://loinc.org', '2823-3', 'Potassium'),
  effectiveDateTime: '2026-02-03',
  valueQuantity: { value, unit: 'mmol/L' },
});

/** One resource of each of the kinds that people ask for. */
const RECORD = createBundle(
  { resourceType: 'Patient', id: 'p', name: [{ family: 'Doe', given: ['Jo'] }] },
  {
    resourceType: 'Condition',
    id: 'asthma',
    subject,
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: code('http://snomed.info/sct', '195967001', 'Asthma'),
    onsetDateTime: '2020-03-04',
    encounter: { reference: 'Encounter/visit' },
  },
  {
    resourceType: 'Encounter',
    id: 'visit',
    subject,
    status: 'finished',
    class: { code: 'AMB' },
    period: { start: '2026-02-03', end: '2026-02-03' },
    reasonReference: [{ reference: 'Condition/asthma' }],
  },
  {
    resourceType: 'MedicationRequest',
    id: 'salbutamol',
    subject,
    status: 'active',
    intent: 'order',
    medicationCodeableConcept: { text: 'Salbutamol 100 micrograms' },
    authoredOn: '2026-02-03',
  },
  potassium(4.1),
  {
    resourceType: 'AllergyIntolerance',
    id: 'peanut',
    patient: subject,
    clinicalStatus: { coding: [{ code: 'active' }] },
    code: { text: 'Peanut' },
  },
  {
    resourceType: 'DocumentReference',
    id: 'note',
    subject,
    status: 'current',
    date: '2026-02-03',
    content: [
      {
        attachment: { contentType: 'text/plain', data: Buffer.from('Wheezes at night.').toString('base64') },
      },
    ],
  },
);

/** What each tool must find of the record. */
export const FINDINGS: Readonly<Record<string, RegExp>> = {
  get_conditions: /Asthma/,
  get_medications: /Salbutamol/,
  get_labs: /Potassium[^]*4\.4/,
  get_allergies: /Peanut/,
  get_visits: /2026-02-03/,
};

async function uploadRecord(service: TestService, patient: TestPatient): Promise<void> {
  const batch = await upload(service, patient, await createArchive({ 'record.json': RECORD }));
  assert.equal(batch.status, 'completed', JSON.stringify(batch));
}

/** A value that was corrected; a letter, and a file that nobody understands. */
async function uploadLater(service: TestService, patient: TestPatient, schema: string): Promise<void> {
  const archive = await createArchive({
    'corrected.json': createBundle({ resourceType: 'Patient', id: 'p' }, potassium(4.4)),
    ...(schema >= SINCE.documents && {
      'letter.txt': 'Sleeps badly since March.',
      'scan.bin': '\u0000\u0001',
    }),
  });
  const batch = await upload(service, patient, archive);
  assert.match(batch.status as string, /^completed/, JSON.stringify(batch));
}

/** A person lets an app in as the page of then did it: with one picture in the decision, or with a draft. */
async function connectApp(service: TestService, schema: string): Promise<NonNullable<Known['connected']>> {
  const patient = await newTestPatient(service, { consent: false });
  await uploadRecord(service, patient);
  const browser = createTestBrowser(service, { origin: BASE_URL });
  const { email, password } = patient;
  assert.equal((await browser.post('/account/sign-in', { email, password })).status, 200);
  const flow: Flow = { patient, browser, client: await registerClient(service), pkce: createPkce() };
  const clientId = flow.client.client_id as string;
  const path = buildAuthorizePath({ clientId, challenge: flow.pkce.challenge });
  const requestId = getRequestId(await browser.get(path));
  const decided =
    schema < SINCE.drafts
      ? await browser.post(`/oauth/interaction/${requestId}`, {
          decision: 'grant',
          ...(schema >= SINCE.evidence && { screenshots: [buildScreenshot(new Date())] }),
        })
      : await decideRequest(browser, requestId, 'grant');
  assert.equal(decided.status, 200, JSON.stringify(decided.body));
  await waitUntilReady(browser, requestId);
  const completed = getRedirectParameters(await browser.get(`/oauth/complete/${requestId}`));
  const { status, body } = await exchangeCode(service, flow, completed['code'] ?? '');
  assert.equal(status, 200, JSON.stringify(body));
  const token = body.access_token as string;
  const answer = await callTool(service, { token }, 'get_conditions');
  assert.match(getToolText(answer), /Asthma/);
  return { patient, clientId, accessToken: token, refreshToken: body.refresh_token as string };
}
