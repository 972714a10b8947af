import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  decide,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

interface Event {
  organization_id: string;
  project_id: string;
  occurred_at: Date;
  data: string;
}

const condition = (text: string): object => ({ resourceType: 'Condition', id: 'c', code: { text } });

for (const engine of JOURNEY_ENGINES) {
  describe(`records.updated on ${engine}`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    const listEvents = ({ id }: TestPatient): Promise<Event[]> =>
      service.store.db.query(sql<Event>`
        select organization_id, project_id, occurred_at, data from webhook_event
        where patient_id = ${id} and type = 'records.updated' order by event_id`);

    const send = async (patient: TestPatient, text = 'Asthma'): ReturnType<typeof upload> =>
      upload(service, patient, await createArchive({ 'c.json': condition(text) }));

    it('is emitted once to the project that the patient consents to, when an upload has changed the record', async () => {
      const patient = await newTestPatient(service);
      const { batchId } = await send(patient);
      const [event, ...more] = await listEvents(patient);
      assert.deepEqual(more, []);
      assert.equal(event?.organization_id, service.organization.organizationId);
      assert.equal(event.project_id, patient.projectId);
      const [{ last_synchronized_at } = assert.fail()] = await service.store.db.query(
        sql<{
          last_synchronized_at: Date;
        }>`select last_synchronized_at from record_head where patient_id = ${patient.id}`,
      );
      assert.deepEqual(JSON.parse(event.data), {
        patientId: patient.id,
        updatedAt: last_synchronized_at.toISOString(),
        batchId,
        source: 'UPLOAD',
      });
    });

    it('is emitted again when something has changed, not when nothing has', async () => {
      const patient = await newTestPatient(service);
      await send(patient);
      await send(patient);
      assert.equal((await listEvents(patient)).length, 1);
      await send(patient, 'Asthma, mild');
      assert.equal((await listEvents(patient)).length, 2);
      await upload(service, patient, await createArchive({ 'a.txt.json': '{"no": "resource"}' }));
      assert.equal((await listEvents(patient)).length, 2);
    });

    it('is emitted to nobody without a consent, nor after its withdrawal or its end', async () => {
      const never = await newTestPatient(service, { consent: false });
      await send(never);
      assert.deepEqual(await listEvents(never), []);

      const withdrawn = await newTestPatient(service);
      await decide(service, withdrawn, 'OPTED_OUT');
      await send(withdrawn);
      assert.deepEqual(await listEvents(withdrawn), []);

      const ended = await newTestPatient(service, { consent: false });
      const until = new Date(service.clock.now().getTime() + 60_000).toISOString();
      await decide(service, ended, 'OPTED_IN', { expirationTimestamp: until });
      service.clock.advance(61_000);
      await send(ended);
      assert.deepEqual(
        await listEvents(ended),
        [],
        'by the time of the service, also where the upload is read',
      );
    });

    it('is emitted to each project that has a consent, and to no other', async () => {
      const patient = await newTestPatient(service);
      const second = await newProject(service, `Second ${engine}`);
      await newProject(service, `Third ${engine}`);
      const { body } = await call(
        service,
        `/v1/organizations/${service.organization.organizationId}/test-patients`,
        {
          token: await getOrganizationToken(service),
        },
      );
      const { email, firstName, lastName } = body.results.find(({ id }: { id: string }) => id === patient.id);
      await call(service, `/v1/projects/${second}/patients`, {
        token: await getOrganizationToken(service),
        json: { patients: [{ email, firstName, lastName }], suppressNotifications: true },
      });
      const login = await call(service, '/v1/auth/token', {
        json: { email, password: patient.password, projectId: second },
      });
      await decide(service, { id: patient.id, projectId: second, token: login.body.token }, 'OPTED_IN');
      await send(patient);
      assert.deepEqual(
        (await listEvents(patient)).map(({ project_id }) => project_id).sort(),
        [patient.projectId, second].sort(),
      );
    });
  });
}
