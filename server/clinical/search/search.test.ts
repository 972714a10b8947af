import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, type Chart } from '../../../test/harness/chart.ts';
import { ENGINES, openTestStore, type Engine } from '../../../test/harness/store.ts';
import { toRequiredMask } from '../../consent/access/sensitivity-labels.ts';
import { sql } from '../../platform/db/sql.ts';
import { parseQuery } from './search-query.ts';
import { indexEntries } from './index-entries.ts';
import { searchNotes } from './search-notes.sql.ts';
import { searchPassages } from './search.sql.ts';

const history =
  'Patient has a history of viral sinusitis (disorder), anemia and a fracture of the left wrist after a fall in the garden.';

async function record(chart: Chart): Promise<void> {
  await chart.add(
    entry('condition', 'Type 2 diabetes mellitus', {
      dayText: '2020-01-01',
      detail: { clinicalStatus: 'active' },
    }),
    entry('medication', 'Metformin hydrochloride 500 MG', {
      dayText: '2020-01-01',
      status: 'active',
      detail: { reason: 'Type 2 diabetes mellitus' },
    }),
    entry('medication', 'Acetaminophen 325 MG', { dayText: '2019-01-01', status: 'stopped' }),
    entry('medication', 'Acetaminophen 160 MG', { dayText: '2018-01-01', status: 'stopped' }),
    entry('lab', 'Glucose', { dayText: '2024-02-01', detail: { value: '142', unit: 'mg/dL' } }),
    entry('lab', 'Glucose', { dayText: '2012-02-01', detail: { value: '98', unit: 'mg/dL' } }),
    entry('note', 'Progress note', {
      dayText: '2024-03-01',
      detail: {
        text: '# Complaint\nChest pain when climbing stairs.\n\n# Plan\nStart aspirin; ECG/echo ordered.No fever.',
      },
    }),
    ...[2012, 2014, 2016, 2018, 2020].map((year) =>
      entry('note', 'History note', {
        dayText: `${year}-05-05`,
        detail: { text: `# History\nPatient is ${year - 1980} years old. ${history}\n\n# Plan\nPain: none.` },
      }),
    ),
  );
}

/** `Title` of each row, in order. */
const titles = (text: string): string[] =>
  [...text.matchAll(/^\| (?!Type|---)[^|]+\| ([^|]+?) \|/gm)].map((match) => match[1] ?? '');

for (const engine of ENGINES) {
  describe(`search on ${engine}`, async () => {
    const store = await openTestStore(engine satisfies Engine);
    after(() => store.remove());
    const patient = await createChart(store.db);
    await record(patient);
    const search = (query: string): Promise<string> => patient.callTool('search', { query });

    it('finds every kind of entry, the closest first', async () => {
      assert.deepEqual(titles(await search('diabetes')), [
        'Type 2 diabetes mellitus',
        'Metformin hydrochloride 500 MG',
      ]);
      assert.equal(titles(await search('chest pain'))[0], 'Progress note');
    });

    it('reads a misspelled word as the title it nearly is, also one of several', async () => {
      assert.equal(titles(await search('metfromin'))[0], 'Metformin hydrochloride 500 MG');
      const text = await search('diabetis metformin');
      assert.match(text, /searched as: “diabetis” as “diabetes”/);
      assert.equal(titles(text)[0], 'Metformin hydrochloride 500 MG');
    });

    it('falls back to some of the words, with a remark', async () => {
      const text = await search('glucose tolerance');
      assert.match(
        text,
        /No text in the record contains “tolerance”; .*\n\nNo single passage contains all of these words/,
      );
      assert.deepEqual(titles(text), ['Glucose']);
    });

    it('shows equal entries and near-identical paragraphs once, by the newest, with their count', async () => {
      const glucose = await search('glucose');
      assert.match(glucose, /\| 2024-02-01 \| 142 mg\/dL \| and 1 more, 2012 to 2024 \|/);
      assert.match(glucose, /\n1 result$/);
      assert.match(await search('sinusitis wrist'), /\| 2020-05-05 \|.*\| and 4 more, 2012 to 2020 \|/);
    });

    it('keeps drugs apart that differ in a number', async () => {
      assert.deepEqual(titles(await search('acetaminophen')).sort(), [
        'Acetaminophen 160 MG',
        'Acetaminophen 325 MG',
      ]);
    });

    it('finds words that are joined by a sign or a missing space', async () => {
      for (const word of ['echo', 'ECG', 'fever', 'ordered'])
        assert.equal(titles(await search(word))[0], 'Progress note', word);
    });

    it('excludes words and keeps phrases together', async () => {
      assert.deepEqual(titles(await search('pain -stairs')), ['History note']);
      assert.deepEqual(titles(await search('"chest pain"')), ['Progress note']);
      assert.match(await search('"pain chest"'), /No text in this record matches/);
    });

    it('answers queries without words, and hostile ones, with a sentence', async () => {
      for (const query of [
        'the of and',
        '🤒',
        '-diabetes',
        '"',
        "'; drop table passage; --",
        ':* & | ! ( ) <->',
        '\\',
        '%_',
        'a:b*c',
        'x'.repeat(999),
      ]) {
        assert.match(await search(query), /contains no word|No text in this record matches/, query);
        assert.match(await patient.callTool('search_clinical_notes', { query }), /hasMoreData: /, query);
      }
    });

    it('finds notes whose words stand in different paragraphs, and counts them', async () => {
      const text = await patient.callTool('search_clinical_notes', { query: 'aspirin stairs' });
      assert.match(text, /climbing stairs[^]*aspirin/);
      assert.match(text, /\n1 matching note\n\nhasMoreData: false \| dateRange: 2023-11-20 to 2026-11-20$/);
    });

    it('pages notes by day, and repeats no passage in full', async () => {
      const text = await patient.callTool('search_clinical_notes', {
        query: 'pain none',
        years: 5,
        beforeDate: '2020-01-01',
      });
      assert.match(
        text,
        /## 2018-05-05 · History note\n\n- Plan: Pain: none\.[^]*## 2016-05-05 · History note\n\n- as in the note of 2018-05-05/,
      );
      assert.match(
        text,
        /\n2 matching notes\n\nhasMoreData: true \| dateRange: 2015-01-01 to 2019-12-31 \| nextBeforeDate: 2014-05-06$/,
      );
      const none = await patient.callTool('search_clinical_notes', { query: 'sinusitis', years: 1 });
      assert.match(none, /No note since 2025-11-20 matches\. The newest earlier date is 2020-05-05/);
      assert.match(none, /\n0 matching notes\n/);
    });

    it('deletes passages that no entry uses any more', async () => {
      const other = await createChart(store.db);
      await other.add(
        entry('condition', 'Gout', { dayText: '2020-01-01' }),
        entry('condition', 'Gout', { dayText: '2021-01-01' }),
      );
      const passages = () =>
        store.db.query(
          sql<{ title: string }>`select title from passage where patient_id = ${other.patientId}`,
        );
      await store.db.tx((tx) =>
        indexEntries(tx, other.patientId, { seqs: [1], entries: [], annotate: () => [] }),
      );
      assert.deepEqual(await passages(), [{ title: 'Gout' }]);
      const renamed = {
        seq: 2,
        ordinal: 0,
        reference: 'Condition/2',
        documentPath: 'x',
        requiredLabels: toRequiredMask('DIAGNOSES'),
        entry: entry('condition', 'Pseudogout'),
      };
      await store.db.tx((tx) =>
        indexEntries(tx, other.patientId, { seqs: [2], entries: [renamed], annotate: () => [] }),
      );
      assert.deepEqual(await passages(), [{ title: 'Pseudogout' }]);
    });

    it('reads through the index of words of one patient', async () => {
      await store.db.query(sql`
        insert into passage (patient_id, passage_hash, title, body, terms)
        select patient, sha256((patient::text || n)::bytea), 'Note', 'word' || n % 400, to_tsvector('english', 'word' || n % 400)
        from unnest(array[${patient.patientId}::uuid] || array(select gen_random_uuid() from generate_series(1, 12))) as patient,
          generate_series(1, 1500) as n`);
      await store.db.query(sql`vacuum analyze passage`);
      const query = parseQuery('diabetes pain');
      const days = { from: '2000-01-01', before: null };
      for (const { statement } of [
        searchPassages(patient.access, query),
        searchNotes(patient.access, query, days),
      ]) {
        const plan = await store.db.query(sql<{ 'QUERY PLAN': string }>`
          explain with gate as materialized (select 0 as withheld) select * from (${statement}) answer`);
        const text = plan.map((row) => row['QUERY PLAN']).join('\n');
        assert.doesNotMatch(text, /Seq Scan on passage/);
        assert.match(
          text,
          /Index Scan on passage_terms .*\n\s+Index Cond: \(\(patient_id = .*\) AND \(terms @@ w\w*\.query\)\)/,
        );
      }
    });
  });
}
