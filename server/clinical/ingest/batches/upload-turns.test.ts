import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { PatientId } from '../../../../contract/brands.ts';
import { createTestClock } from '../../../../test/harness/clock.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { sql } from '../../../platform/db/sql.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { insertRecordHeads } from '../../store/records.sql.ts';
import { addConversionTime } from './conversion-time.sql.ts';
import { createUploadTurns, TURN_MS } from './upload-turns.ts';

describe('case 195: the turns of archives', () => {
  const clock = createTestClock();
  let store: TestStore;
  before(async () => void (store = await openTestStore()));
  after(() => store.remove());
  afterEach(() => store.db.query(sql`delete from job`));

  async function newPatient(usedMs = 0): Promise<PatientId> {
    const patientId = generateId<PatientId>();
    await store.db.query(insertRecordHeads([patientId]));
    const now = clock.now();
    const ends = new Date(now.getTime() + 3_600_000);
    await store.db.query(addConversionTime(patientId, usedMs, { now, ends }));
    return patientId;
  }
  const neverRead = async (): Promise<void> => assert.fail('it was read');
  const enqueueOther = () =>
    store.db.query(sql`
      insert into job (job_id, kind, unique_key, payload, run_at, created_at)
      values (${generateId()}, 'upload', 'other', '{}', ${clock.now()}, ${clock.now()})`);

  it('let an archive be converted for a minute, whoever waits', async () => {
    await enqueueOther();
    const turns: (number | null)[] = [];
    const { take } = createUploadTurns({ db: store.db, clock });
    await take(await newPatient(TURN_MS - 1), async (turnMs) => void turns.push(turnMs));
    assert.deepEqual(turns, [TURN_MS]);
  });

  it('come to those who had theirs when nobody else waits, and then have no end', async () => {
    const { take } = createUploadTurns({ db: store.db, clock });
    const patientId = await newPatient(TURN_MS);
    await enqueueOther();
    await assert.rejects(take(patientId, neverRead), { name: 'Reschedule' });
    await store.db.query(sql`delete from job`);
    const turns: (number | null)[] = [];
    await take(patientId, async (turnMs) => void turns.push(turnMs));
    assert.equal(turns.length, 1);
    clock.advance(3_600_001);
    await take(patientId, async (turnMs) => void turns.push(turnMs));
    assert.deepEqual(turns, [null, TURN_MS]);
  });

  it('leave one thread at most to archives that take long', async () => {
    const { take } = createUploadTurns({ db: store.db, clock });
    const [one, other] = [await newPatient(TURN_MS), await newPatient(TURN_MS)];
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const long = take(one, () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    await assert.rejects(take(other, neverRead), { name: 'Reschedule' });
    end.resolve();
    await long;
    await take(other, async () => {});
  });
});
