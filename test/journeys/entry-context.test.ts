import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { labelBit } from '../../server/consent/access/sensitivity-labels.ts';
import { readRecord } from '../../server/consent/access/record-access.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { findHistory, type EntryFilter } from '../../server/clinical/queries/clinical.sql.ts';
import type { Chart } from '../harness/chart.ts';
import { importUploads } from '../harness/import-record.ts';
import { openTestStore } from '../harness/store.ts';
import { getVocabulary } from '../harness/vocabulary.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';

const LABORATORY = [{ coding: [{ code: 'laboratory' }] }];
const subject = { reference: 'Patient/p' };
const visit = {
  resourceType: 'Encounter',
  id: 'e',
  status: 'finished',
  class: { code: 'EMER' },
  period: { start: '2024-02-01T10:00:00Z', end: '2024-02-01T12:00:00Z' },
};
const RESOURCES = [
  {
    resourceType: 'Condition',
    id: 'c',
    subject,
    code: { text: 'Pneumonia' },
    encounter: { reference: 'Encounter/e' },
  },
  {
    resourceType: 'Observation',
    id: 'coli',
    subject,
    category: LABORATORY,
    code: { text: 'Escherichia coli' },
    effectiveDateTime: '2024-02-02',
    hasMember: [{ reference: 'Observation/levo' }],
  },
  {
    resourceType: 'Observation',
    id: 'levo',
    subject,
    category: LABORATORY,
    code: { text: 'Levofloxacin' },
    effectiveDateTime: '2024-02-02',
    valueCodeableConcept: { text: 'Resistant' },
  },
  visit,
];

const store = await openTestStore();

describe('what resources say about each other', () => {
  after(() => store.remove());

  const read = async ({ access, deps }: Chart, kind: EntryFilter['kind']) => {
    const filter: EntryFilter = { kind, alwaysShown: 'none' };
    const { rows } = await readRecord(deps, access, {
      entries: findHistory(access, filter, { from: '2000-01-01', before: null }),
    });
    return rows.entries.map((entry) => [
      entry.title,
      entry.dayText,
      entry.dateFrom,
      ...(entry.context ?? []).map(({ role, title }) => `${role}: ${title}`),
    ]);
  };
  const withhold = (chart: Chart, mask: number) =>
    store.db.query(sql`update consent set withheld = ${mask} where patient_id = ${chart.patientId}`);

  /** Each inner list is one upload. */
  const importRecord = (...uploads: object[][]): Promise<Chart> => importUploads(store.db, ...uploads);

  it('is the same whatever the order of files and uploads, and after a reindex', async () => {
    const orders = [
      [RESOURCES],
      [RESOURCES.toReversed()],
      RESOURCES.map((each) => [each]),
      RESOURCES.toReversed().map((each) => [each]),
    ];
    for (const uploads of orders) {
      const chart = await importRecord(...uploads);
      const check = async (): Promise<void> => {
        assert.deepEqual(await read(chart, 'lab'), [
          ['Levofloxacin', '2024-02-02', null, 'panel: Escherichia coli'],
        ]);
        assert.deepEqual(await read(chart, 'condition'), [['Pneumonia', '2024-02-01', 'Encounter/e']]);
        assert.deepEqual(await read(chart, 'visit'), [
          ['Visit (emergency)', '2024-02-01', null, 'reason: Pneumonia'],
        ]);
      };
      await check();
      await reindexAll({ db: store.db, clock: systemClock, extractText: async () => null, getVocabulary });
      await check();
    }
  });

  it('is said of a store of the version before once it is reindexed, in the same words as of a new one', async () => {
    const chart = await importRecord([
      ...RESOURCES,
      {
        resourceType: 'QuestionnaireResponse',
        id: 'q',
        subject,
        status: 'completed',
        authored: '2024-02-03',
        item: [{ text: 'Sleep', answer: [{ valueString: 'poor' }] }],
      },
      { resourceType: 'CarePlan', id: 'plan', subject, status: 'active', title: 'Rehabilitation' },
    ]);
    const readTexts = async (): Promise<string[]> => [
      await chart.callTool('get_health_summary'),
      await chart.callTool('get_labs', { years: 150 }),
      await chart.callTool('get_conditions', { years: 150 }),
      await chart.callTool('get_visits', { years: 150 }),
      await chart.callTool('get_other_records', { kind: 'survey', years: 150 }),
      await chart.callTool('get_other_records', {}),
    ];
    const asNew = await readTexts();
    // What migrations leave of a store whose entries version 0030 wrote: no links and no kinds but the one for everything else.
    await store.db.query(sql`
      update clinical_entry set links = null, listed_by = null, unless_covered = null, date_from = null, informativeness = 0,
        group_key = coalesce(code, ''), day = case when kind = 'condition' then null else day end,
        day_text = case when kind = 'condition' then null else day_text end,
        title = case when kind = 'survey' then 'Questionnaire' else title end,
        detail = case when kind = 'survey' then '{"type":"QuestionnaireResponse","text":"Sleep: poor"}' else detail end,
        kind = case when kind = 'survey' then 'other' else kind end
      where patient_id = ${chart.patientId}`);
    await store.db.query(sql`delete from entry_context where patient_id = ${chart.patientId}`);
    await store.db.query(
      sql`update record_head set has_alike_ids = true where patient_id = ${chart.patientId}`,
    );
    await store.db.query(
      sql`delete from record_holding where patient_id = ${chart.patientId} and kind = 'survey'`,
    );
    assert.notDeepEqual(await readTexts(), asNew);
    await reindexAll({ db: store.db, clock: systemClock, extractText: async () => null, getVocabulary });
    assert.deepEqual(await readTexts(), asNew);
  });

  it('is shown as far as the consent covers what says it', async () => {
    const chart = await importRecord(RESOURCES);
    await withhold(chart, labelBit('VISITS'));
    assert.deepEqual(await read(chart, 'condition'), [['Pneumonia', null, null]]);
    await withhold(chart, labelBit('DIAGNOSES'));
    assert.deepEqual(await read(chart, 'visit'), [['Visit (emergency)', '2024-02-01', null]]);
  });

  it('goes when the resource that said it changes', async () => {
    const organism = RESOURCES[1];
    const chart = await importRecord(RESOURCES, [{ ...organism, hasMember: [] }]);
    assert.deepEqual(await read(chart, 'lab'), [
      ['Levofloxacin', '2024-02-02', null],
      ['Escherichia coli', '2024-02-02', null],
    ]);
  });
});
