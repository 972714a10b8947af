import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConsentType } from '../../contract/account/consent.ts';
import { EVENT_TYPES } from '../../contract/webhooks/webhook-events.ts';
import { emitExpiryEvents } from '../../server/consent/decisions/expiry-events.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import {
  call,
  callTool,
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

interface Event {
  event_id: string;
  organization_id: string;
  project_id: string;
  type: string;
  occurred_at: Date;
  data: string;
}

const SECOND = 1000;

for (const engine of JOURNEY_ENGINES) {
  describe(`consent.expired on ${engine}`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    /** In the order in which things happened. */
    const listEvents = ({ id }: Pick<TestPatient, 'id'>): Promise<Event[]> =>
      service.store.db.query(sql<Event>`
        select * from webhook_event where patient_id = ${id} order by occurred_at, event_id`);
    const listEventTypes = async (patient: TestPatient): Promise<string[]> =>
      (await listEvents(patient)).map(({ type }) => type);

    const emitExpiry = (): Promise<void> =>
      emitExpiryEvents(
        { db: service.store.db, clock: service.clock, emit: createEmitter(() => {}) },
        new AbortController().signal,
      );

    /** A patient whose consent ended two seconds ago. */
    async function createExpiredConsent(more: object = {}): Promise<TestPatient & { ended: Date }> {
      const patient = await newTestPatient(service, { consent: false });
      const ended = new Date(service.clock.now().getTime() + SECOND);
      const given = { expirationTimestamp: ended.toISOString(), ...more };
      assert.equal((await decide(service, patient, 'OPTED_IN', given)).status, 201);
      service.clock.advance(3 * SECOND);
      return { ...patient, ended };
    }

    it('is emitted by the timer, once, with what the consent covered, and when it ended', async () => {
      const scopes = {
        consentDataResourceScopes: ['MEDICATIONS', 'LABS'],
        consentDataSensitivityScopes: ['NORMAL', 'MENTAL_HEALTH'],
      };
      const { ended, ...patient } = await createExpiredConsent(scopes);
      assert.equal((await callTool(service, patient, 'get_allergies')).status, 403);
      await service.worker.enqueueRecurringJobs();
      for (let minute = 0; minute < 3; minute++) {
        await service.worker.drain();
        service.clock.advance(60 * SECOND);
      }
      const [granted, expired, ...more] = await listEvents(patient);
      assert.deepEqual(more, []);
      assert.equal(granted?.type, 'consent.granted');
      assert.ok(expired);
      assert.equal(expired.type, 'consent.expired');
      assert.equal(expired.organization_id, service.organization.organizationId);
      assert.equal(expired.project_id, patient.projectId);
      assert.deepEqual(expired.occurred_at, ended);
      assert.ok(expired.event_id > granted.event_id);
      const data: unknown = JSON.parse(expired.data);
      EVENT_TYPES['consent.expired'].data.strict().parse(data);
      assert.deepEqual(data, {
        patientId: patient.id,
        consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE',
        consentRecordId: JSON.parse(granted.data).consentRecordId,
        expiredAt: ended.toISOString(),
        fullRecordWithoutRestrictedData: false,
        ...scopes,
      });
      // From here on only the tests emit: a timer in the middle of a batch holds its consents, which they skip.
      await service.worker.stop();
    });

    it('is emitted for every type of consent', async () => {
      const types: ConsentType[] = ['DATA_AUTHORIZATION', 'FUTURE_DATA_USE'];
      for (const consentType of types) {
        const patient = await createExpiredConsent({ consentType });
        await emitExpiry();
        const expired = (await listEvents(patient)).at(-1);
        assert.deepEqual(
          [expired?.type, JSON.parse(expired?.data ?? '{}').consentType],
          ['consent.expired', consentType],
        );
      }
    });

    it('is not emitted for a consent that goes on, or that was withdrawn before its end', async () => {
      const goesOn = await newTestPatient(service);
      const takenBack = await newTestPatient(service);
      const soon = new Date(service.clock.now().getTime() + 60 * SECOND).toISOString();
      await decide(service, takenBack, 'OPTED_IN', { expirationTimestamp: soon });
      await decide(service, takenBack, 'OPTED_OUT');
      service.clock.advance(120 * SECOND);
      await emitExpiry();
      assert.deepEqual(await listEventTypes(goesOn), ['consent.granted']);
      assert.equal((await listEventTypes(takenBack)).includes('consent.expired'), false);
    });

    it('is emitted by the next decision where the timer was not there yet, and only then', async () => {
      const patient = await createExpiredConsent();
      await decide(service, patient, 'OPTED_IN');
      await emitExpiry();
      assert.deepEqual(await listEventTypes(patient), [
        'consent.granted',
        'consent.expired',
        'consent.granted',
      ]);

      const expired = await createExpiredConsent();
      await emitExpiry();
      await decide(service, expired, 'OPTED_OUT');
      assert.deepEqual(await listEventTypes(expired), ['consent.granted', 'consent.expired']);
    });

    it('is emitted again for a consent that was given anew and ends again', async () => {
      const patient = await createExpiredConsent();
      await emitExpiry();
      const again = new Date(service.clock.now().getTime() + SECOND).toISOString();
      await decide(service, patient, 'OPTED_IN', { expirationTimestamp: again });
      await emitExpiry();
      service.clock.advance(2 * SECOND);
      await emitExpiry();
      const granted = 'consent.granted';
      assert.deepEqual(await listEventTypes(patient), [
        granted,
        'consent.expired',
        granted,
        'consent.expired',
      ]);
    });

    it('is emitted for nobody who was deleted since', async () => {
      const patient = await createExpiredConsent();
      const { organizationId } = service.organization;
      const url = `/v1/organizations/${organizationId}/test-patients/${patient.id}`;
      const gone = await call(service, url, { method: 'DELETE', token: await getOrganizationToken(service) });
      assert.equal(gone.status, 204);
      await emitExpiry();
      assert.equal((await listEventTypes(patient)).includes('consent.expired'), false);
    });

    it('is emitted once for each of hundreds that end together, also when two nodes emit at once', async () => {
      const { db } = service.store;
      const like = await createExpiredConsent();
      const most = 250;
      await db.query(sql`
        with copied as (
          select gen_random_uuid() as patient_id, gen_random_uuid() as consent_record_id from generate_series(1, ${most})),
        records as (
          insert into consent_record select (json_populate_record(r, row_to_json(copied))).*
          from consent_record r, copied where r.patient_id = ${like.id})
        insert into consent select (json_populate_record(c, row_to_json(copied))).*
        from consent c, copied where c.patient_id = ${like.id}`);
      await Promise.all([emitExpiry(), emitExpiry()]);
      await emitExpiry();
      const events = await db.query(sql<{ patient_id: string; expired: number }>`
        select patient_id, count(*) as expired from webhook_event
        where type = 'consent.expired' and occurred_at = ${like.ended} group by patient_id`);
      assert.equal(events.length, most + 1);
      assert.deepEqual(new Set(events.map(({ expired }) => expired)), new Set([1]));
    });
  });
}
