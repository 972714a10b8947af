import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import {
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';

interface Version {
  fhir_id: string;
  body: string;
  required_labels: number;
  valid_from: Date;
  valid_until: Date;
}

const condition = (text: string, more: object = {}): object => ({
  resourceType: 'Condition',
  id: 'c',
  code: { text },
  ...more,
});

for (const engine of JOURNEY_ENGINES) {
  describe(`the time of a record on ${engine}`, () => {
    let service: TestService;
    before(async () => void (service = await startTestService({ engine })));
    after(() => service.stop());

    const getLastUpdated = async ({ id }: TestPatient): Promise<Date> =>
      (
        await service.store.db.query(
          sql<{ at: Date }>`select last_synchronized_at as at from record_head where patient_id = ${id}`,
        )
      )[0]!.at;

    const listUpdateTimes = async ({ id }: TestPatient): Promise<Record<string, Date>> =>
      Object.fromEntries(
        (
          await service.store.db.query(
            sql<{
              fhir_id: string;
              at: Date;
            }>`select fhir_id, last_updated as at from resource where patient_id = ${id}`,
          )
        ).map(({ fhir_id, at }) => [fhir_id, at]),
      );

    const listVersions = ({ id }: TestPatient): Promise<Version[]> =>
      service.store.db.query(
        sql<Version>`select fhir_id, body, required_labels, valid_from, valid_until from resource_version where patient_id = ${id} order by valid_until`,
      );

    it('goes strictly forward when the clock goes back, and what was changed is kept as it was', async () => {
      const patient = await newTestPatient(service);
      await upload(service, patient, await createArchive({ 'c.json': condition('Asthma') }));
      const first = await getLastUpdated(patient);
      assert.deepEqual(await listUpdateTimes(patient), { c: first });

      service.clock.advance(-3_600_000);
      await upload(service, patient, await createArchive({ 'c.json': condition('Asthma, mild') }));
      const second = await getLastUpdated(patient);
      assert.ok(second > first, `${second.toISOString()} after ${first.toISOString()}`);
      assert.deepEqual(await listUpdateTimes(patient), { c: second });
      const [before, ...more] = await listVersions(patient);
      assert.deepEqual(more, []);
      assert.equal(JSON.parse(before?.body ?? '').code.text, 'Asthma');
      assert.deepEqual([before?.fhir_id, before?.valid_from, before?.valid_until], ['c', first, second]);
      assert.ok(before && before.required_labels >= 0, 'with what a consent must cover for it');
      service.clock.advance(3_600_000);
    });

    it('moves with references that are rewritten later', async () => {
      const patient = await newTestPatient(service);
      const recorder = { reference: 'Practitioner?identifier=https://npi.example|17' };
      await upload(service, patient, await createArchive({ 'c.json': condition('Asthma', { recorder }) }));
      const first = await getLastUpdated(patient);
      const practitioner = {
        resourceType: 'Practitioner',
        id: 'p',
        identifier: [{ system: 'https://npi.example', value: '17' }],
      };
      const batch = await upload(service, patient, await createArchive({ 'p.json': practitioner }));
      assert.deepEqual(batch.resources, { created: 1, updated: 1, unchanged: 0 });
      const { c, p } = await listUpdateTimes(patient);
      assert.ok(c && p && p > first && c > p, 'one change after the other');
      assert.deepEqual(await getLastUpdated(patient), c);
      const [before] = await listVersions(patient);
      assert.deepEqual(JSON.parse(before?.body ?? '').recorder, recorder);
      assert.deepEqual([before?.valid_from, before?.valid_until], [first, c]);
    });

    it('stands still, and no version is kept, when nothing changes', async () => {
      const patient = await newTestPatient(service);
      const archive = await createArchive({ 'c.json': condition('Asthma') });
      await upload(service, patient, archive);
      const before = await getLastUpdated(patient);
      await upload(service, patient, archive);
      assert.deepEqual(await getLastUpdated(patient), before);
      assert.deepEqual(await listVersions(patient), []);
    });
  });
}
