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
import { toDataScopes, toWithheldMask } from '../../server/consent/access/sensitivity-labels.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createZip } from '../data/sample-data.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

const LABS = { consentDataResourceScopes: ['LABS'], consentDataSensitivityScopes: ['NORMAL'] };
const DIAGNOSES = { consentDataResourceScopes: ['DIAGNOSES'], consentDataSensitivityScopes: ['NORMAL'] };
const BOTH = { consentDataResourceScopes: ['DIAGNOSES', 'LABS'], consentDataSensitivityScopes: ['NORMAL'] };

const PSYCHIATRIC = ['NORMAL', 'MENTAL_HEALTH'];
const PSYCHIATRIC_LABS = { ...LABS, consentDataSensitivityScopes: PSYCHIATRIC };
const PSYCHIATRIC_DIAGNOSES = { ...DIAGNOSES, consentDataSensitivityScopes: PSYCHIATRIC };

const buildDiagnosis = (id: string, code: string, display: string) => ({
  resourceType: 'Condition',
  id,
  subject: { reference: 'Patient/p' },
  code: { coding: [{ system: 'http://snomed.info/sct', code, display }] },
  clinicalStatus: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
  },
  recordedDate: '2026-01-02',
});

const LABORATORY = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }],
};

const buildResult = (id: string, code: string, display: string) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  subject: { reference: 'Patient/p' },
  category: [LABORATORY],
  code: { coding: [{ system: 'http://loinc.org', code, display }] },
  effectiveDateTime: '2026-01-02',
  valueQuantity: { value: 4.1, unit: 'mmol/L' },
});

const RESOURCES = [
  buildDiagnosis('gout', '90560007', 'Gout'),
  buildDiagnosis('depression', '370143000', 'Major depressive disorder'),
  buildResult('potassium', '2823-3', 'Potassium'),
  buildResult('lithium', '14334-7', 'Lithium [Moles/volume] in Serum or Plasma'),
];

const RECORD = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: RESOURCES.map((resource) => ({ resource })),
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
      const ids = (whole.body.entry as { resource: { id: string } }[])
        .map(({ resource }) => resource.id)
        .filter((id) => RESOURCES.some((each) => each.id === id))
        .toSorted();
      for (const { resourceType, id } of RESOURCES) {
        const { status } = await call(service, `${path}/${resourceType}/${id}`, { token });
        assert.equal(status, ids.includes(id) ? 200 : 404, id);
      }
      return ids;
    }

    /** The pairs of category and class that are shown to the organization as shared. */
    async function listPairs({ patient }: Flow): Promise<string[]> {
      const path = `/v1/patients/${patient.id}/consented-data-scopes/study/${patient.projectId}`;
      const { body } = await call(service, path, { token: await getOrganizationToken(service) });
      return body.consentDataScopes.map(
        (pair: { resourceScope: string; sensitivityScope: string }) =>
          `${pair.resourceScope} ${pair.sensitivityScope}`,
      );
    }

    const narrow = async ({ browser, patient: { projectId } }: Flow, scopes: typeof LABS): Promise<void> => {
      const consentType = 'PATIENT_DIRECTED_DATA_EXCHANGE';
      const { status, body } = await browser.post('/account/consents/narrow', {
        projectId,
        consentType,
        ...scopes,
      });
      assert.ok([200, 204].includes(status), JSON.stringify(body));
    };

    const listOwn = async ({ patient }: Flow) => {
      const browser = await createSignedInBrowser(service, patient);
      return (await browser.get('/account/consents')).body.consents[0];
    };

    it('case 512: what is added for an hour ends then for the organization, and the rest goes on', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      assert.deepEqual(await listRead(flow), ['potassium']);
      await letIn(flow, { ...BOTH, duration: 'once' });
      assert.deepEqual(await listRead(flow), ['gout', 'potassium']);
      const { body } = await flow.browser.get('/account/consents');
      const [{ parts, until, ...shared }] = body.consents;
      assert.deepEqual(shared.consentDataResourceScopes, ['DIAGNOSES', 'LABS']);
      assert.deepEqual(
        parts.map((part: typeof LABS) => part.consentDataResourceScopes),
        [['LABS'], ['DIAGNOSES', 'LABS']],
      );
      assert.equal(parts[0].expirationTimestamp, until);
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual(await listRead(flow), ['potassium']);
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
      assert.deepEqual(await listRead(flow), ['gout', 'potassium']);
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual(await listRead(flow), ['potassium']);
    });

    it('is narrowed in each of its parts, and withdrawn as a whole', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      await letIn(flow, { ...BOTH, duration: 'once' });
      await narrow(flow, DIAGNOSES);
      assert.deepEqual(await listRead(flow), ['gout']);
      service.clock.advance(HOUR_MS + 1000);
      assert.equal(await listRead(flow), null);
      const later = { ...flow, browser: await createSignedInBrowser(service, flow.patient) };
      await letIn(later, { ...LABS, duration: '30-days' });
      await letIn(later, { ...BOTH, duration: 'once' });
      const withdrawn = await later.browser.post('/account/consents/withdraw', {
        projectId: flow.patient.projectId,
      });
      assert.equal(withdrawn.status, 204);
      assert.equal(await listRead(flow), null);
    });

    it('case 519: a narrowing prolongs and widens no part, and its record says what remains', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      await letIn(flow, { ...PSYCHIATRIC_DIAGNOSES, duration: 'once' });
      assert.deepEqual(await listRead(flow), ['depression', 'gout', 'potassium']);
      await narrow(flow, PSYCHIATRIC_LABS);
      assert.deepEqual(await listRead(flow), ['potassium']);
      const { parts, consentDataResourceScopes, consentDataSensitivityScopes } = await listOwn(flow);
      assert.deepEqual({ consentDataResourceScopes, consentDataSensitivityScopes }, LABS);
      assert.equal(parts, null);
      service.clock.advance(20 * DAY_MS);
      assert.deepEqual(await listRead(flow), ['potassium']);
    });

    it('is announced, logged and listed with its parts, and withdrawn without what has ended', async () => {
      const flow = await begin();
      await letIn(flow, { ...LABS, duration: '30-days' });
      await letIn(flow, { ...PSYCHIATRIC_DIAGNOSES, duration: 'once' });
      const listScopes = (parts: readonly (typeof LABS)[]) =>
        parts.map(({ consentDataResourceScopes, consentDataSensitivityScopes }) => ({
          consentDataResourceScopes,
          consentDataSensitivityScopes,
        }));
      const expected = [LABS, PSYCHIATRIC_DIAGNOSES];
      const readEvent = async (type: string) => {
        const { data } = await one(
          service.store.db,
          sql<{ data: string }>`select data::text as data from webhook_event
            where patient_id = ${flow.patient.id} and type = ${type} order by event_id desc limit 1`,
        );
        return JSON.parse(data);
      };
      assert.deepEqual(listScopes((await readEvent('consent.granted')).parts), expected);
      const organization = `/v1/organizations/${service.organization.organizationId}`;
      const list = async (query: string, headers = {}) => {
        const path = `${organization}/consent-records?patientId=${flow.patient.id}${query}`;
        return (await call(service, path, { token: await getOrganizationToken(service), headers })).body;
      };
      assert.deepEqual(listScopes((await list('')).results[0].parts), expected);
      const readPatient = async () => {
        const token = await getOrganizationToken(service);
        const { body } = await call(service, `${organization}/patients/${flow.patient.id}`, { token });
        return body.consents[0];
      };
      assert.deepEqual(listScopes((await readPatient()).parts), expected);
      assert.match(await list('', { accept: 'text/csv' }), /expirationTimestamp,.*,parts,/);
      assert.equal((await list('&shares=MENTAL_HEALTH')).results.length, 1);
      const log = await call(service, `${organization}/audit-events?action=consent.recorded&limit=1`, {
        token: await getOrganizationToken(service),
      });
      assert.deepEqual(listScopes(log.body.results[0].detail.parts), expected);
      service.clock.advance(HOUR_MS + 1000);
      assert.deepEqual(listScopes((await readPatient()).parts), [LABS]);
      assert.equal((await list('&shares=MENTAL_HEALTH')).results.length, 0);
      const later = await createSignedInBrowser(service, flow.patient);
      await later.post('/account/consents/withdraw', { projectId: flow.patient.projectId });
      const withdrawn = await readEvent('consent.withdrawn');
      assert.deepEqual(listScopes([withdrawn]), [LABS]);
      assert.equal(withdrawn.parts, undefined);
    });

    it('case 521: a node of the version before reads by what ends last alone', async () => {
      const flow = await begin();
      await letIn(flow, { ...BOTH, duration: 'once' });
      await letIn(flow, { ...LABS, duration: '30-days' });
      const { withheld } = await one(
        service.store.db,
        sql<{ withheld: number }>`select withheld from consent where patient_id = ${flow.patient.id}`,
      );
      assert.equal(withheld, toWithheldMask(toDataScopes(['LABS'], ['NORMAL'])));
    });

    it('case 520: nothing is read that no part covers by itself, whenever they end', async () => {
      const flow = await begin();
      await letIn(flow, { ...PSYCHIATRIC_LABS, duration: '30-days' });
      await letIn(flow, { ...DIAGNOSES, duration: '30-days' });
      assert.deepEqual(await listRead(flow), ['gout', 'lithium', 'potassium']);
      assert.deepEqual(await listPairs(flow), ['DIAGNOSES NORMAL', 'LABS NORMAL', 'LABS MENTAL_HEALTH']);
      assert.equal((await listOwn(flow)).parts.length, 2);
      await narrow(flow, PSYCHIATRIC_DIAGNOSES);
      assert.deepEqual(await listRead(flow), ['gout']);
      assert.deepEqual(await listPairs(flow), ['DIAGNOSES NORMAL']);
    });
  });
}
