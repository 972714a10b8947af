import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decideTestPatientConsent } from '../../server/consent/decisions/decide-test-patient-consent.ts';
import { ALL_DATA_SCOPES } from '../../server/consent/access/sensitivity-labels.ts';
import { createAuditLog } from '../../server/platform/audit/append.ts';
import { createService } from '../../server/app.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

interface Event {
  event_id: string;
  organization_id: string;
  project_id: string;
  type: string;
  occurred_at: Date;
  data: string;
}

const listEvents = (service: TestService, { id }: TestPatient): Promise<Event[]> =>
  service.store.db.query(sql<Event>`select * from webhook_event where patient_id = ${id} order by event_id`);

for (const engine of JOURNEY_ENGINES) {
  describe(`the outbox of consents on ${engine}`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    it('holds one consent.withdrawn for a consent that is taken back, with what it covered', async () => {
      const patient = await newTestPatient(service);
      await decide(service, patient, 'OPTED_OUT');
      const [granted, withdrawn, ...more] = await listEvents(service, patient);
      assert.deepEqual(more, []);
      assert.equal(granted?.type, 'consent.granted');
      assert.equal(withdrawn?.type, 'consent.withdrawn');
      assert.match(withdrawn.event_id, /^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.equal(withdrawn.organization_id, service.organization.organizationId);
      assert.equal(withdrawn.project_id, patient.projectId);
      assert.deepEqual(JSON.parse(withdrawn.data), {
        patientId: patient.id,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        withdrawnAt: withdrawn.occurred_at.toISOString(),
        fullRecordWithoutRestrictedData: true,
        consentDataResourceScopes: null,
        consentDataSensitivityScopes: null,
        withdrawalSource: 'PATIENT',
        effectiveImmediately: true,
      });
    });

    it('names the scopes of the consent that was withdrawn, where it named some', async () => {
      const patient = await newTestPatient(service);
      const scopes = {
        consentDataResourceScopes: ['MEDICATIONS', 'LABS'],
        consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
      };
      const url = `/v1/projects/${patient.projectId}/test-patients/${patient.id}/consent`;
      const json = { consentStatus: 'OPTED_IN', ...scopes };
      assert.equal((await call(service, url, { token: patient.token, json })).status, 201);
      await decide(service, patient, 'OPTED_OUT');
      const withdrawn = (await listEvents(service, patient)).at(-1);
      const { fullRecordWithoutRestrictedData, ...data } = JSON.parse(withdrawn?.data ?? '{}') as Record<
        string,
        unknown
      >;
      assert.equal(fullRecordWithoutRestrictedData, false);
      assert.deepEqual(data['consentDataResourceScopes'], scopes.consentDataResourceScopes);
      assert.deepEqual(data['consentDataSensitivityScopes'], scopes.consentDataSensitivityScopes);
    });

    it('holds nothing for a withdrawal that takes nothing back: a second one, one without a consent, one after its end', async () => {
      const never = await newTestPatient(service, { consent: false });
      await decide(service, never, 'OPTED_OUT');
      assert.deepEqual(await listEvents(service, never), []);

      const twice = await newTestPatient(service);
      await decide(service, twice, 'OPTED_OUT');
      await decide(service, twice, 'OPTED_OUT');
      assert.deepEqual(
        (await listEvents(service, twice)).map(({ type }) => type),
        ['consent.granted', 'consent.withdrawn'],
      );

      const ended = await newTestPatient(service, { consent: false });
      const until = new Date(service.clock.now().getTime() + 1000).toISOString();
      const url = `/v1/projects/${ended.projectId}/test-patients/${ended.id}/consent`;
      const json = { consentStatus: 'OPTED_IN', expirationTimestamp: until };
      assert.equal((await call(service, url, { token: ended.token, json })).status, 201);
      service.clock.advance(2000);
      assert.equal((await callTool(service, ended, 'get_allergies')).status, 403);
      await decide(service, ended, 'OPTED_OUT');
      await decide(service, ended, 'OPTED_OUT');
      // Its end is emitted by itself, a moment later or before.
      assert.deepEqual(
        (await listEvents(service, ended))
          .map(({ type }) => type)
          .filter((type) => type !== 'consent.expired'),
        ['consent.granted'],
      );
    });

    it('holds one consent.withdrawn of a test patient who is deleted', async () => {
      const { organizationId } = service.organization;
      const token = await getOrganizationToken(service, 'admin');
      const patient = await newTestPatient(service);
      const url = `/v1/organizations/${organizationId}/test-patients/${patient.id}`;
      assert.equal((await call(service, url, { method: 'DELETE', token })).status, 204);
      const [granted, withdrawn, ...more] = await listEvents(service, patient);
      assert.deepEqual([granted?.type, withdrawn?.type, more], ['consent.granted', 'consent.withdrawn', []]);
      assert.equal(JSON.parse(withdrawn?.data ?? '{}').withdrawalSource, 'ORGANIZATION');
    });

    it('is emitted for exactly one withdrawal when ten come at once', async () => {
      const patient = await newTestPatient(service);
      await Promise.all(Array.from({ length: 10 }, () => decide(service, patient, 'OPTED_OUT')));
      const types = (await listEvents(service, patient)).map(({ type }) => type);
      assert.deepEqual(types, ['consent.granted', 'consent.withdrawn']);
    });

    it('holds nothing of a decision that was rolled back, and the decision nothing without it', async () => {
      const patient = await newTestPatient(service);
      const { db, clock } = { db: service.store.db, clock: service.clock };
      const deps = {
        db,
        clock,
        audit: createAuditLog({ db, clock }),
        emit: createEmitter(() => {}),
        denyRequests: () => Promise.reject(new Error('the grants cannot be ended')),
      };
      const decision = {
        patientId: patient.id,
        projectId: patient.projectId,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        consentStatus: 'OPTED_OUT',
        scopes: ALL_DATA_SCOPES,
        expiresAt: null,
      } as const;
      await assert.rejects(decideTestPatientConsent(deps, decision as never), /cannot be ended/);
      assert.deepEqual(
        (await listEvents(service, patient)).map(({ type }) => type),
        ['consent.granted'],
      );
      assert.equal((await callTool(service, patient, 'get_allergies')).status, 200);
    });
  });
}

describe('a withdrawal on one node', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  it('is felt by the next tools/call on another, whatever that has answered before', async () => {
    const patient = await newTestPatient(service);
    const { store, clock, config } = service;
    const other = createService({ config, db: store.db, clock });
    try {
      const ask = async (): Promise<number> => {
        const payload = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_allergies', arguments: {} },
        };
        const headers = {
          authorization: `Bearer ${patient.token}`,
          'content-type': 'application/json',
          host: new URL(config.http.baseUrl).host,
        };
        const { statusCode } = await other.app.inject({ method: 'POST', url: '/mcp', headers, payload });
        return statusCode;
      };
      assert.equal(await ask(), 200);
      await decide(service, patient, 'OPTED_OUT');
      assert.equal(await ask(), 403);
      await decide(service, patient, 'OPTED_IN');
      assert.equal(await ask(), 200);
    } finally {
      await other.app.close();
    }
  });
});
