import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { OrganizationId, PatientId, ProjectId } from '../../contract/ids.ts';
import { chart, TODAY } from '../../test/harness/chart.ts';
import { ENGINES, testStore, type TestStore } from '../../test/harness/store.ts';
import { partnerAccess, type PartnerAccess } from '../consent/partner-access.ts';
import { newId } from '../kernel/ids.ts';
import { sql } from '../storage/sql.ts';
import { NDJSON_TELLING } from './ndjson.ts';
import { stretches, type Progress, type Replaced } from './stretches.ts';

const clock = { now: () => new Date(`${TODAY}T12:00:00Z`) };

/** More than two stretches of rows. */
const ROWS = 2_050;

interface Asked {
  after: number;
  most: number;
  contact?: boolean;
  /** Places of Patients. */
  patients?: readonly number[];
}

for (const engine of ENGINES) {
  describe(`a walk through a record on ${engine}`, { timeout: 120_000 }, () => {
    let store: TestStore;
    let access: PartnerAccess;
    before(async () => {
      store = await testStore(engine);
      const { patientId } = await chart(store.db);
      access = accessTo(patientId);
      await fill(patientId);
      await store.db.query(sql`
        insert into record_head (patient_id, next_seq, total) values (${patientId}, ${ROWS * 10 + 1}, ${ROWS})`);
    });
    after(() => store.remove());

    const accessTo = (patientId: PatientId): PartnerAccess =>
      partnerAccess(
        {
          kind: 'patient',
          patientId,
          projectId: newId<ProjectId>(),
          organizationId: newId<OrganizationId>(),
          firstName: 'Ada',
          lastName: 'Nowak',
          isTestPatient: true,
          client: 'direct',
          grantId: null,
        },
        patientId,
      );

    /** Places 10, 20, 30 …, whose bodies are their numbers. */
    const fill = (patientId: PatientId): Promise<unknown> =>
      store.db.query(sql`
        insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash, last_updated,
          first_batch_id, last_batch_id, document_path)
        select ${patientId}, place * 10, 'Basic', place::text, '', place::text, 'Basic', (place * 10)::text, '', '2026-01-01',
          ${patientId}, ${patientId}, ''
        from generate_series(1, ${ROWS}::integer) place`);

    async function walked({
      after,
      most,
      contact = true,
      patients = [],
    }: Asked): Promise<{ told: number[]; progress: Progress }> {
      const progress: Progress = { last: after, rows: 0 };
      const walk = {
        selection: { types: null, since: null, state: clock.now() },
        telling: NDJSON_TELLING,
        hope: { full: true, unchanged: false },
        contact,
        after,
        most,
        progress,
        replaced: async function* (from: number): AsyncGenerator<Replaced, undefined> {
          for (const seq of patients) if (seq > from) yield { seq, told: Buffer.from(`\n-${seq}`) };
          return undefined;
        },
      };
      let text = '';
      for await (const bytes of stretches({ db: store.db, clock }, access, walk)) text += bytes.toString();
      return { told: text.split('\n').slice(1).map(Number), progress };
    }

    const places = (patients: readonly number[]): number[] =>
      Array.from({ length: ROWS }, (_, place) => (place + 1) * 10).map((place) =>
        patients.includes(place) ? -place : place,
      );

    async function assertWalk(asked: Asked): Promise<void> {
      const expected = places(asked.patients ?? [])
        .filter((place) => Math.abs(place) > asked.after)
        .slice(0, asked.most);
      const { told, progress } = await walked(asked);
      assert.deepEqual(told, expected);
      assert.equal(progress.rows, expected.length);
      // The place to go on from is nowhere before what was told, and skips nothing.
      const last = Math.abs(expected.at(-1) ?? asked.after);
      assert.ok(progress.last >= last, `${progress.last} is before ${last}`);
      const next = places([]).find((place) => place > last);
      assert.ok(next === undefined || progress.last < next, `${progress.last} leaves out ${next}`);
    }

    it('stops where it was told to, also at the borders of stretches', async () => {
      const end = ROWS * 10;
      for (const most of [
        0,
        1,
        2,
        999,
        1000,
        1001,
        1999,
        2000,
        2001,
        ROWS - 1,
        ROWS,
        ROWS + 1,
        Number.MAX_SAFE_INTEGER,
      ])
        await assertWalk({ after: 0, most });
      for (const after of [
        0,
        5,
        9,
        10,
        11,
        9_990,
        10_000,
        10_010,
        end - 10_000,
        end - 10,
        end,
        end + 10,
        Number.MAX_SAFE_INTEGER,
      ])
        await assertWalk({ after, most: 1000 });
    });

    it('puts what is told otherwise in its place: first, last, alone, side by side, at a border', async () => {
      const end = ROWS * 10;
      const patients = [10, 20, 9_990, 10_000, 10_010, end - 10, end];
      await makePatients(patients);
      for (const most of [0, 1, 2, 3, 998, 999, 1000, 1001, 1002, ROWS - 2, ROWS - 1, ROWS, ROWS + 1])
        await assertWalk({ after: 0, most, patients, contact: false });
      const afters = [5, 10, 15, 20, 9_980, 9_990, 10_000, 10_010, end - 20, end - 10, end];
      for (const after of afters)
        for (const most of [1, 2, 3, 4, 3000]) await assertWalk({ after, most, patients, contact: false });
      const random = fc.record({
        after: fc.integer({ min: 0, max: end + 20 }),
        most: fc.integer({ min: 0, max: 30 }),
      });
      await fc.assert(
        fc.asyncProperty(random, (asked) => assertWalk({ ...asked, patients, contact: false })),
        { numRuns: 40 },
      );
    });

    it('never tells a Patient as it is stored when addresses are withheld, whoever forgot to replace it', async () => {
      await makePatients([500]);
      const { told } = await walked({ after: 480, most: 3, contact: false });
      assert.deepEqual(told, [490, 510, 520]);
    });

    const makePatients = (seqs: readonly number[]): Promise<unknown> =>
      store.db.query(sql`
        update resource set resource_type = case when seq = any(${seqs}::bigint[]) then 'Patient' else 'Basic' end
        where patient_id = ${access.patientId}`);

    it('ends when the account is gone', async () => {
      const gone = accessTo(newId<PatientId>());
      const walk = { ...access, ...gone };
      const progress: Progress = { last: 0, rows: 0 };
      const steps = stretches({ db: store.db, clock }, walk, {
        selection: { types: null, since: null, state: clock.now() },
        telling: NDJSON_TELLING,
        hope: { full: true, unchanged: true },
        contact: true,
        after: 0,
        most: 5,
        progress,
        replaced: () => ({ next: async () => ({ done: true, value: undefined }) }),
      });
      await assert.rejects(steps.next(), { status: 403, code: 'access_revoked' });
    });
  });
}
