import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { createChart, TODAY } from '../../../test/harness/chart.ts';
import { isLong } from '../../../test/harness/long.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { partnerAccessFor, type PartnerAccess } from '../../consent/access/partner-access.ts';
import { generateId } from '../../platform/kernel/ids.ts';
import { sql } from '../../platform/db/sql.ts';
import { NDJSON_SERIALIZER } from './ndjson.ts';
import { readChunks, type Cursor, type Override } from './read-chunks.ts';

const clock = { now: () => new Date(`${TODAY}T12:00:00Z`) };

/** More than two chunks of rows. */
const ROWS = 2_050;

interface Range {
  after: number;
  limit: number;
  contact?: boolean;
  /** Places of Patients. */
  patients?: readonly number[];
}

for (const engine of ENGINES) {
  describe(`readChunks on ${engine}`, () => {
    let store: TestStore;
    let access: PartnerAccess;
    before(async () => {
      store = await openTestStore(engine);
      const { patientId } = await createChart(store.db);
      access = accessTo(patientId);
      await fill(patientId);
      await store.db.query(sql`
        insert into record_head (patient_id, next_seq, total) values (${patientId}, ${ROWS * 10 + 1}, ${ROWS})`);
    });
    after(() => store.remove());

    const accessTo = (patientId: PatientId): PartnerAccess =>
      partnerAccessFor(
        {
          kind: 'patient',
          patientId,
          projectId: generateId<ProjectId>(),
          organizationId: generateId<OrganizationId>(),
          firstName: 'Ada',
          lastName: 'Nowak',
          isTestPatient: true,
          client: 'direct',
          grantId: null,
          credentialId: null,
          tokenExpiresAt: new Date('2100-01-01'),
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

    async function walk({
      after,
      limit,
      contact = true,
      patients = [],
    }: Range): Promise<{ places: number[]; cursor: Cursor }> {
      const cursor: Cursor = { last: after, rows: 0 };
      const options = {
        selection: { types: null, since: null, dates: null, state: clock.now() },
        serializer: NDJSON_SERIALIZER,
        assumptions: { full: true, unchanged: false },
        contact,
        after,
        limit,
        cursor,
        overrides: async function* (from: number): AsyncGenerator<Override, undefined> {
          for (const seq of patients) if (seq > from) yield { seq, encoded: Buffer.from(`\n-${seq}`) };
          return undefined;
        },
      };
      let text = '';
      for await (const { parts, onSent } of readChunks({ db: store.db, clock }, access, options)) {
        text += parts.join('');
        onSent?.();
      }
      return { places: text.split('\n').slice(1).map(Number), cursor };
    }

    const listPlaces = (patients: readonly number[]): number[] =>
      Array.from({ length: ROWS }, (_, place) => (place + 1) * 10).map((place) =>
        patients.includes(place) ? -place : place,
      );

    async function assertRange(range: Range): Promise<void> {
      const expected = listPlaces(range.patients ?? [])
        .filter((place) => Math.abs(place) > range.after)
        .slice(0, range.limit);
      const { places: read, cursor } = await walk(range);
      assert.deepEqual(read, expected);
      assert.equal(cursor.rows, expected.length);
      // The place to continue from is not before what was sent, and skips nothing.
      const last = Math.abs(expected.at(-1) ?? range.after);
      assert.ok(cursor.last >= last, `${cursor.last} is before ${last}`);
      const next = listPlaces([]).find((place) => place > last);
      assert.ok(next === undefined || cursor.last < next, `${cursor.last} leaves out ${next}`);
    }

    it('stops at its limit, also at the borders of chunks', async () => {
      const end = ROWS * 10;
      for (const limit of [
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
        await assertRange({ after: 0, limit });
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
        await assertRange({ after, limit: 1000 });
    });

    it('inserts overrides in order: first, last, alone, adjacent, at a border', async () => {
      const end = ROWS * 10;
      const patients = [10, 20, 9_990, 10_000, 10_010, end - 10, end];
      await makePatients(patients);
      for (const limit of [0, 1, 2, 3, 998, 999, 1000, 1001, 1002, ROWS - 2, ROWS - 1, ROWS, ROWS + 1])
        await assertRange({ after: 0, limit, patients, contact: false });
      const afters = [5, 10, 15, 20, 9_980, 9_990, 10_000, 10_010, end - 20, end - 10, end];
      for (const after of afters)
        for (const limit of [1, 2, 3, 4, 3000]) await assertRange({ after, limit, patients, contact: false });
      const random = fc.record({
        after: fc.integer({ min: 0, max: end + 20 }),
        limit: fc.integer({ min: 0, max: 30 }),
      });
      await fc.assert(
        fc.asyncProperty(random, (range) => assertRange({ ...range, patients, contact: false })),
        { numRuns: isLong ? 40 : 10 },
      );
    });

    it('never sends a stored Patient when addresses are withheld, even without an override', async () => {
      await makePatients([500]);
      const { places: read } = await walk({ after: 480, limit: 3, contact: false });
      assert.deepEqual(read, [490, 510, 520]);
    });

    const makePatients = (seqs: readonly number[]): Promise<unknown> =>
      store.db.query(sql`
        update resource set resource_type = case when seq = any(${seqs}::bigint[]) then 'Patient' else 'Basic' end
        where patient_id = ${access.patientId}`);

    it('ends when the account was deleted', async () => {
      const deleted = accessTo(generateId<PatientId>());
      const walk = { ...access, ...deleted };
      const cursor: Cursor = { last: 0, rows: 0 };
      const steps = readChunks({ db: store.db, clock }, walk, {
        selection: { types: null, since: null, dates: null, state: clock.now() },
        serializer: NDJSON_SERIALIZER,
        assumptions: { full: true, unchanged: true },
        contact: true,
        after: 0,
        limit: 5,
        cursor,
        overrides: () => ({ next: async () => ({ done: true, value: undefined }) }),
      });
      await assert.rejects(steps.next(), { status: 403, code: 'no_consent' });
    });
  });
}
