import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  buildAuthorizePath,
  createSignedInBrowser,
  decideRequest,
  getRequestId,
  newFlow,
  registerClient,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import { createZip } from '../data/sample-data.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

const LABS = { consentDataResourceScopes: ['LABS'], consentDataSensitivityScopes: ['NORMAL'] };
const DIAGNOSES = { consentDataResourceScopes: ['DIAGNOSES'], consentDataSensitivityScopes: ['NORMAL'] };
const BOTH = { consentDataResourceScopes: ['DIAGNOSES', 'LABS'], consentDataSensitivityScopes: ['NORMAL'] };

const RECORD = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    {
      resource: {
        resourceType: 'Condition',
        id: 'c1',
        subject: { reference: 'Patient/p' },
        code: { text: 'Gout' },
        clinicalStatus: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
        },
        recordedDate: '2026-01-02',
      },
    },
    {
      resource: {
        resourceType: 'Observation',
        id: 'o1',
        status: 'final',
        subject: { reference: 'Patient/p' },
        category: [
          {
            coding: [
              {
                system: 'http://terminology.hl7.org/CodeSystem/observation-category',
                code: 'laboratory',
              },
            ],
          },
        ],
        code: { coding: [{ system: 'http://loinc.org', code: '2823-3', display: 'Potassium' }] },
        effectiveDateTime: '2026-01-02',
        valueQuantity: { value: 4.1, unit: 'mmol/L' },
      },
    },
  ],
};

for (const engine of JOURNEY_ENGINES) {
  describe(`a yes to an app for another time than the rest: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: { CHARTGATE_OAUTH_RATE_LIMIT: '1000' } });
    });
    after(() => service.stop());

    async function letIn(
      { browser, pkce: { challenge } }: Flow,
      more: Record<string, unknown>,
    ): Promise<void> {
      const client = await registerClient(service);
      const path = buildAuthorizePath({ clientId: client.client_id as string, challenge });
      const answer = await decideRequest(browser, getRequestId(await browser.get(path)), 'grant', more);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }

    async function begin(): Promise<Flow> {
      const flow = await newFlow(service);
      const batch = await upload(
        service,
        flow.patient,
        await createZip([{ path: 'record.json', bytes: Buffer.from(JSON.stringify(RECORD)) }]),
      );
      assert.equal(batch.status, 'completed', JSON.stringify(batch));
      return flow;
    }

    /** What the organization reads now, by each way; null: it may not. */
    async function listRead({ patient }: Flow): Promise<string[] | null> {
      const token = await getOrganizationToken(service);
      const path = `/FHIR/R4/Person/${patient.id}`;
      const whole = await call(service, `${path}/$everything`, { token });
      if (whole.status === 403) return null;
      assert.equal(whole.status, 200);
      const types = (whole.body.entry as { resource: { resourceType: string } }[])
        .map(({ resource }) => resource.resourceType)
        .filter((type) => ['Condition', 'Observation'].includes(type))
        .toSorted();
      for (const [type, id] of [
        ['Condition', 'c1'],
        ['Observation', 'o1'],
      ] as const) {
        const expected = types.includes(type) ? 200 : 404;
        for (const address of [`${path}/${type}/${id}`, `/FHIR/R4/${type}/${id}`]) {
          const { status } = await call(service, address, { token });
          // Others of this run have the same ids.
          if (address.includes('Person')) assert.equal(status, expected, address);
        }
      }
      return types;
    }

    it('case 512: what is added for an hour ends then for the organization, and the rest goes on', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      assert.deepEqual(await listRead(flow), ['Observation']);
      await letIn(flow, { ...BOTH, duration: 'once' });
      assert.deepEqual(await listRead(flow), ['Condition', 'Observation']);
      const { body } = await flow.browser.get('/account/consents');
      const [{ parts, until, ...shared }] = body.consents;
      assert.deepEqual(shared.consentDataResourceScopes, ['DIAGNOSES', 'LABS']);
      assert.deepEqual(
        parts.map((part: typeof LABS) => part.consentDataResourceScopes),
        [['LABS'], ['DIAGNOSES', 'LABS']],
      );
      assert.equal(parts[0].expirationTimestamp, until);
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual(await listRead(flow), ['Observation']);
      const later = await createSignedInBrowser(service, flow.patient);
      const [current] = (await later.get('/account/consents')).body.consents;
      assert.deepEqual(current.consentDataResourceScopes, ['LABS']);
      service.clock.advance(30 * DAY_MS);
      assert.equal(await listRead(flow), null);
    });

    it('case 512: what was given for an hour ends then, although other data is given for longer', async () => {
      const flow = await begin();
      await letIn(flow, { ...DIAGNOSES, duration: 'once' });
      await letIn(flow, { ...LABS, duration: '30-days' });
      assert.deepEqual(await listRead(flow), ['Condition', 'Observation']);
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual(await listRead(flow), ['Observation']);
    });

    it('is narrowed in each of its parts, and withdrawn as a whole', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      await letIn(flow, { ...BOTH, duration: 'once' });
      const { projectId } = flow.patient;
      const narrowed = await flow.browser.post('/account/consents/narrow', {
        projectId,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        ...DIAGNOSES,
      });
      assert.ok([200, 204].includes(narrowed.status), JSON.stringify(narrowed.body));
      assert.deepEqual(await listRead(flow), ['Condition']);
      service.clock.advance(HOUR_MS + 1000);
      assert.equal(await listRead(flow), null);
      const later = { ...flow, browser: await createSignedInBrowser(service, flow.patient) };
      await letIn(later, { ...LABS, duration: '30-days' });
      await letIn(later, { ...BOTH, duration: 'once' });
      const withdrawn = await later.browser.post('/account/consents/withdraw', { projectId });
      assert.equal(withdrawn.status, 204);
      assert.equal(await listRead(flow), null);
    });
  });
}
