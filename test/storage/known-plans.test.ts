import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BatchId, DataMask, PatientId } from '../../contract/brands.ts';
import {
  findCategories,
  findDisplays,
  findExistingIds,
  findResourcesByIdentifier,
  findResourcesBySourceId,
  insertVersions,
  updateBodies,
} from '../../server/clinical/store/resources.sql.ts';
import { updateListedBy, upsertContexts } from '../../server/clinical/entries/entry-context.sql.ts';
import { findChangedMasks, updateSupersededBy } from '../../server/clinical/entries/entries.sql.ts';
import { selectBatchChanges } from '../../server/clinical/store/record-changes.sql.ts';
import {
  findBinaryLinks,
  findHolders,
  findUnreadOfBatch,
  selectUnread,
} from '../../server/clinical/labels/contents.sql.ts';
import { deletePassageUses, insertPassages } from '../../server/clinical/search/passages.sql.ts';
import { findBodiesByIds } from '../../server/clinical/store/bodies-by-id.sql.ts';
import { findObjected } from '../../server/clinical/store/objected-resources.sql.ts';
import {
  deleteUnneededContents,
  restoreResources,
  updateBringers,
} from '../../server/clinical/store/batch-resources.sql.ts';
import {
  deleteClosedReferences,
  findResourcesByOpenTarget,
} from '../../server/clinical/store/open-references.sql.ts';
import { findOtherPeriods, updatePeriods } from '../../server/clinical/store/clinical-periods.sql.ts';
import { one, type Db } from '../../server/platform/db/db.ts';
import { raw, sql, type Sql } from '../../server/platform/db/sql.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

const PATIENTS = Array.from({ length: 4 }, (_, n) => `00000000-0000-4000-8000-00000000000${n}` as PatientId);

for (const engine of ENGINES)
  describe(`plans of a record that statistics do not know, on ${engine}`, () => {
    let store: TestStore;
    let db: Db;
    before(async () => void ({ db } = store = await openTestStore(engine, { isNew: true })));
    after(() => store.remove());

    /** `ids`: what those of resources and those at their source begin with. */
    const fill = (patientId: PatientId | undefined, ids = '') =>
      db.query(sql`
        insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash,
          document_path, last_updated, first_batch_id, last_batch_id)
        select ${patientId}::uuid, n, 'Condition', ${ids} || right(${patientId}, 1) || n, '', ${ids} || n, 'CONDITIONS', '{}', '', '', now(),
          ${patientId}::uuid, ${patientId}::uuid
        from generate_series(1, 2000) n`);
    const explain = async ({ text, values }: Sql): Promise<string> =>
      JSON.stringify(
        await db.tx((tx) => tx.query({ text: `explain (analyze, timing off) ${text}`, values })),
      );

    for (const [index, when] of ['who came after them', 'in a table that was almost empty'].entries())
      it(`look each resource up by its key, ${when} (case 354)`, async () => {
        if (index === 0) await fill(PATIENTS[0]);
        else await db.query(sql`delete from resource where seq < 2000 or patient_id = ${PATIENTS[0]}`);
        await db.query(raw(index === 0 ? 'analyze resource' : 'vacuum analyze resource'));
        await assertLooksUp(PATIENTS[index + 1] as PatientId);
      });

    /** Counts the rows of resources that a statement of a writer reads, wanted or not. An `explain` would be planned with its values. */
    const countRead = (statement: Sql): Promise<number> =>
      db.tx(async (tx) => {
        const count = sql<{ rows: number }>`
          select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = 'resource'`;
        const { rows: before } = await one(tx, count);
        await tx.query(statement);
        return (await one(tx, count)).rows - before;
      });

    async function assertLooksUp(patientId: PatientId, ids = ''): Promise<void> {
      await fill(patientId, ids);
      const numbers = Array.from({ length: 20 }, (_, n) => n * 50 + 1);
      const own = numbers.map((n) => `${ids}${patientId.at(-1)}${n}`);
      const references = own.map((id) => ({ type: 'Condition', id }));
      for (const statement of [
        findResourcesBySourceId(
          patientId,
          numbers.map((n) => `${ids}${n}`),
        ),
        findExistingIds(patientId, references),
        findCategories(patientId, references),
        findDisplays(patientId, references),
        findObjected(patientId, references, '.'),
        findBodiesByIds(patientId, 'Condition' as 'Claim', own),
      ]) {
        assert.equal(await countRead(statement), 20, statement.text);
      }
    }

    it('case 358: read a page of resources, not the record, when its periods are compared', async () => {
      const rows = Array.from({ length: 20 }, (_, n) => ({
        seq: n + 100,
        period: { first: '-infinity', last: 'infinity' },
      }));
      const plan = await explain(findOtherPeriods(PATIENTS[2] as PatientId, rows));
      assert.match(
        plan,
        /Index Scan using resource_pkey on resource [^"]*actual rows=1(\.00)? loops=20/,
        plan,
      );
      assert.doesNotMatch(plan, /actual rows=2000|Rows Removed by Filter: [2-9]\d\d/, plan);
    });

    it('compare no row of the record with each of a page, or of the record (case 373)', async () => {
      const patientId = PATIENTS[2] as PatientId;
      const batchId = patientId as string as BatchId;
      const hash = (n: number): string => n.toString(16).padStart(64, '0');
      const seqs = Array.from({ length: 20 }, (_, n) => n * 50 + 1);
      const rows = seqs.map((seq) => ({ seq }));
      await fillOthers(patientId);
      const astray: string[] = [];
      for (const statement of [
        findResourcesByIdentifier(
          patientId,
          seqs.map((seq) => `name ${seq}`),
        ),
        updateBodies(
          { patientId, batchId: batchId, now: new Date() },
          rows.map((row) => ({ ...row, body: '{}', organizationReference: null })),
        ),
        insertVersions(patientId, seqs, new Date()),
        updateBringers(
          patientId,
          rows.map((row) => ({ ...row, first: batchId, last: batchId })),
        ),
        restoreResources(
          patientId,
          rows.map((row) => ({ ...row, hash: '' })),
          new Date(),
        ),
        deleteUnneededContents(patientId, seqs),
        selectBatchChanges(patientId, { batchId, since: new Date(0) }),
        findResourcesByOpenTarget(patientId, { targets: ['Patient/1'], after: 0, limit: 300 }),
        deleteClosedReferences(
          patientId,
          rows.map((row) => ({ ...row, target: 'Patient/1' })),
        ),
        findBinaryLinks(patientId),
        findUnreadOfBatch(patientId, batchId, 100),
        selectUnread(patientId, 100),
        findHolders(patientId, 'digest 1'),
        findChangedMasks(
          patientId,
          sql`select seq, ordinal, '{1}'::integer[] as superseded_by from clinical_entry where patient_id = ${patientId}`,
        ),
        updatePeriods(
          patientId,
          rows.map((row) => ({ ...row, period: { first: '-infinity', last: 'infinity' } })),
        ),
        updateSupersededBy(
          patientId,
          rows.map((row) => ({ ...row, ordinal: 0, superseded_by: [1] })),
        ),
        updateListedBy(
          patientId,
          rows.map((row) => ({ ...row, ordinal: 0, masks: [1 as DataMask] })),
        ),
        upsertContexts(
          patientId,
          rows.map((row) => ({ ...row, ordinal: 0, facts: [] })),
        ),
        insertPassages(
          patientId,
          seqs.map((seq) => ({
            seq,
            ordinal: 0,
            hash: hash(seq),
            title: 'x',
            body: 'x',
            concepts: [],
            required_labels: 0 as DataMask,
          })),
          { mayBeThere: true },
        ),
        deletePassageUses(patientId, seqs),
      ]) {
        const compared = await countInVain(statement);
        // Of a page with itself: 20 rows with 20.
        if (compared >= 1000) astray.push(`${compared} rows in vain: ${statement.text}`);
      }
      assert.deepEqual(astray, []);
    });

    it('look each resource up by its key, where that index has a level more than that of numbers (case 354)', async () => {
      const ids = 's'.repeat(300);
      await db.query(raw('truncate resource'));
      await fill(PATIENTS[0], ids);
      await db.query(raw('analyze resource'));
      await assertLooksUp(PATIENTS[3] as PatientId, ids);
    });

    interface PlanNode {
      'Actual Loops': number;
      'Rows Removed by Filter'?: number;
      'Rows Removed by Join Filter'?: number;
      Plans?: PlanNode[];
    }

    /** Counts the rows that a join reads and does not want: each for each of another side. */
    async function countInVain({ text, values }: Sql): Promise<number> {
      const [row] = await db.tx((tx) =>
        tx.query<{ 'QUERY PLAN': string }>({
          text: `explain (analyze, timing off, format json) ${text}`,
          values,
        }),
      );
      const count = (node: PlanNode): number =>
        (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'] +
        (node['Actual Loops'] > 1 ? (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'] : 0) +
        (node.Plans ?? []).reduce((sum, each) => sum + count(each), 0);
      const [explained] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as { Plan: PlanNode }[];
      assert.ok(explained);
      return count(explained.Plan);
    }

    /** What belongs to each of 2,000 resources. */
    async function fillOthers(patientId: PatientId): Promise<void> {
      const numbers = raw('generate_series(1, 2000) n');
      for (const insert of [
        sql`resource_label (patient_id, seq, required_labels) select ${patientId}::uuid, n, 0`,
        sql`resource_identifier (patient_id, identifier, seq) select ${patientId}::uuid, 'name ' || n, n`,
        sql`open_reference (patient_id, target, seq) select ${patientId}::uuid, 'Patient/1', n`,
        sql`resource_content (patient_id, seq, name, is_unread, description) select ${patientId}::uuid, n, 'digest ' || n, true, ''`,
        sql`resource_content (patient_id, seq, name, is_unread) select ${patientId}::uuid, n, 'Binary/' || n, false`,
        sql`entry_context (patient_id, seq, ordinal, facts) select ${patientId}::uuid, n, 0, '[]'`,
        sql`passage (patient_id, passage_hash, title, body, required_labels, concepts, terms)
          select ${patientId}::uuid, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', '', 0, '{}', ''`,
        sql`passage_use (patient_id, passage_hash, seq, ordinal) select ${patientId}::uuid, decode(lpad(to_hex(n), 64, '0'), 'hex'), n, 0`,
        sql`batch_resource (patient_id, batch_id, seq, source_hash, brought_at) select ${patientId}::uuid, ${patientId}::uuid, n, '', now()`,
        sql`replaced_resource (patient_id, seq, source_hash, origin, category, body, document_path, first_day, last_day)
          select ${patientId}::uuid, n, '', '', 'CONDITIONS', '{}', '', '-infinity', 'infinity'`,
        sql`clinical_entry (patient_id, seq, ordinal, kind, category, title, current, group_key, reference, document_path, detail, required_labels, informativeness)
          select ${patientId}::uuid, n, 0, 'note', 'NOTES', 'x', false, '', 'Condition/' || n, '', '{}', 0, 0`,
      ])
        await db.query(sql`insert into ${insert} from ${numbers}`);
    }
  });
