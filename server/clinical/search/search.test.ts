import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createChart, entry, TODAY, type Chart } from '../../../test/harness/chart.ts';
import { ENGINES, openTestStore, type Engine } from '../../../test/harness/store.ts';
import { readQuestion } from '../../../test/harness/vocabulary.ts';
import { ConceptLine, type ConceptKind, type ConceptRow } from '../concepts/concept.ts';
import { compileVocabulary } from '../concepts/vocabulary.ts';
import { toRequiredMask } from '../../consent/access/sensitivity-labels.ts';
import { sql } from '../../platform/db/sql.ts';
import { parseQuery } from './search-query.ts';
import { addPassages, indexPassages, indexWaitingWords } from './index-entries.ts';
import { buildPassageRows } from './passages.ts';
import { searchNotes } from './search-notes.sql.ts';
import { searchPassages } from './search.sql.ts';

const row = (kind: ConceptKind, id: string, line: object = {}): ConceptRow => ({
  ...ConceptLine.parse({ id, name: id.replaceAll('-', ' '), source: 'own words', ...line }),
  kind,
});

/** Few enough to see what each test rests on. */
const VOCABULARY = compileVocabulary([
  row('conditions', 'myocardial-infarction', {
    en: ['heart attack'],
    es: ['infarto'],
    short: ['MI'],
    related: ['aspirin'],
  }),
  row('conditions', 'heart-failure', { codes: { icd10cm: ['I50'] }, related: ['diuretic'] }),
  row('conditions', 'gout', { related: ['allopurinol'] }),
  row('conditions', 'breast-cancer', { related: ['mammography'] }),
  row('conditions', 'celiac-disease'),
  row('symptoms', 'shortness-of-breath'),
  row('tests', 'troponin', { related: ['myocardial-infarction'] }),
  row('drugs', 'allopurinol', { brands: ['Zyloprim'] }),
  row('drugs', 'aspirin'),
  row('drugs', 'furosemide', { brands: ['Lasix'], broader: ['diuretic'] }),
  row('drugs', 'hydrochlorothiazide', { broader: ['diuretic'] }),
  row('drug-classes', 'diuretic', { en: ['water pill'], es: ['pastilla para orinar'] }),
  row('drug-classes', 'anticoagulant', { en: ['blood thinner'] }),
  row('procedures', 'mammography', { en: ['mammogram'] }),
  row('procedures', 'hip-replacement', { en: ['hip surgery'] }),
]);

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
    entry('note', 'Scanned letter', {
      dayText: '2022-03-02',
      detail: { text: null, unreadable: 'PNG image, 3 kB' },
    }),
    entry('note', 'Scanned letter', {
      dayText: '2022-03-01',
      detail: { text: null, unreadable: 'FHIR data' },
    }),
    ...[2012, 2014, 2016, 2018, 2020].map((year) =>
      entry('note', 'History note', {
        dayText: `${year}-05-05`,
        detail: { text: `# History\nPatient is ${year - 1980} years old. ${history}\n\n# Plan\nPain: none.` },
      }),
    ),
  );
}

/** A record of what people name in other words than its own. */
async function recordConcepts(chart: Chart): Promise<void> {
  await chart.add(
    entry('condition', 'Acute myocardial infarction', {
      dayText: '2015-03-01',
      detail: { clinicalStatus: 'active' },
    }),
    entry('condition', 'Pump weakness', {
      dayText: '2016-01-01',
      code: 'http://hl7.org/fhir/sid/icd-10-cm|I50.9',
      detail: { clinicalStatus: 'active' },
    }),
    entry('lab', 'Troponin I', { dayText: '2015-03-01', detail: { value: '4', unit: 'ng/mL' } }),
    entry('medication', 'Hydrochlorothiazide 25 MG', { dayText: '2019-05-01', status: 'stopped' }),
    entry('medication', 'Furosemide 40 MG', { dayText: '2017-05-01', status: 'active', current: true }),
    entry('medication', 'Allopurinol 100 MG', { dayText: '2018-05-01', status: 'active' }),
    entry('procedure', 'Mammography', { dayText: '2019-07-01' }),
    entry('procedure', 'Hip replacement', { dayText: '2018-01-01' }),
    entry('lab', 'Hemoglobin in Blood', { dayText: '2019-01-01', detail: { value: '14', unit: 'g/dL' } }),
    entry('lab', 'Thyroid panel', {
      dayText: '2019-02-01',
      status: 'cancelled',
      detail: { value: 'CANCELLED' },
    }),
    entry('note', 'Progress note', {
      dayText: '2019-03-01',
      detail: { text: '# History\nDenies shortness of breath. Mother had celiac disease.' },
    }),
  );
}

/** `Title` of each row, in order. */
const titles = (text: string): string[] =>
  [...text.matchAll(/^\| (?!Type|---)[^|]+\| ([^|]+?) \|/gm)].map((match) => match[1] ?? '');

for (const engine of ENGINES) {
  const store = await openTestStore(engine satisfies Engine, { isNew: true });
  const patient = await createChart(store.db, () => VOCABULARY);
  await record(patient);
  const chart = await createChart(store.db, () => VOCABULARY);
  await recordConcepts(chart);
  describe(`search on ${engine}`, () => {
    after(() => store.remove());
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
      assert.match(text, /^# Search: diabetis metformin · Read as: diabetis → diabetes\n/);
      assert.equal(titles(text)[0], 'Metformin hydrochloride 500 MG');
    });

    it('falls back to some of the words, with a remark', async () => {
      const text = await search('glucose tolerance');
      assert.match(
        text,
        /No text in the record contains “tolerance”; .*\n\nNo single entry answers all of this/,
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
      for (const word of ['echo', 'ECG', 'climbing'])
        assert.equal(titles(await search(word))[0], 'Progress note', word);
    });

    it('excludes words and keeps phrases together', async () => {
      assert.deepEqual(titles(await search('pain -stairs')), ['History note']);
      assert.deepEqual(titles(await search('"chest pain"')), ['Progress note']);
      assert.match(
        await search('"pain chest"'),
        /^Nothing found for “pain chest” among entries of all kinds; this record holds conditions, /m,
      );
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
        assert.match(await search(query), /contains no word|^Nothing found/m, query);
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

    it('says of notes without text why they have none', async () => {
      assert.match(
        await patient.callTool('search_clinical_notes', { query: 'scanned', years: 10 }),
        /## 2022-03-02 · Scanned letter\n\n- The text of this note can't be read here \(PNG image, 3 kB\)\.[^]*## 2022-03-01 · Scanned letter\n\n- The text of this note can't be read here \(FHIR data\)\./,
      );
    });

    describe('of what is meant', () => {
      const ask = (query: string): Promise<string> => chart.callTool('search', { query });

      it('finds a thing by its other names, then what tests and treats it, and says how it read them', async () => {
        for (const query of ['heart attack', 'Infarto', 'MI']) {
          const text = await ask(query);
          assert.match(
            text,
            new RegExp(
              `^# Search: ${query} · Read as: ${query.toLowerCase()} → myocardial infarction\\n`,
              'i',
            ),
          );
          assert.deepEqual(titles(text), ['Acute myocardial infarction', 'Troponin I'], query);
        }
        assert.match(
          await ask('heart attack'),
          /\nAll of it: get_conditions \{"years": 100\}; get_labs \{"tests": \["Troponin I"\], "years": 100\}\n/,
        );
      });

      it('finds a thing by its code, whatever it is called', async () => {
        const found = titles(await ask('heart failure'));
        assert.equal(found[0], 'Pump weakness');
        assert.deepEqual(found.slice(1).sort(), ['Furosemide 40 MG', 'Hydrochlorothiazide 25 MG']);
      });

      it('finds what has a code, of ICD-10 all of a category, with the name of the system or without', async () => {
        for (const query of ['I50.9', 'I50', 'ICD-10 I50.9'])
          assert.deepEqual(titles(await ask(query)), ['Pump weakness'], query);
        assert.match(await ask('4548-4'), /Nothing found for “4548-4”/);
      });

      it('finds the drugs of a class, those in force first', async () => {
        for (const query of ['water pill', 'pastilla para orinar', 'diuretics'])
          assert.deepEqual(
            titles(await ask(query)).slice(0, 2),
            ['Furosemide 40 MG', 'Hydrochlorothiazide 25 MG'],
            query,
          );
        assert.equal(titles(await ask('Lasix'))[0], 'Furosemide 40 MG');
      });

      it('finds nothing where only a general word, a procedure or a denial matches, and says what there is', async () => {
        for (const query of ['blood thinner', 'breast cancer', 'shortness of breath', 'celiac disease'])
          assert.match(
            await ask(query),
            /\n\nNothing found for “[a-z ]+” among entries of all kinds; this record holds conditions, laboratory results, medications, clinical notes and procedures\.(?:\n\n“shortness of breath”: named in this record beside words such as “no” or “rule out”, which may or may not deny it: search for “no shortness of breath” to read where\.)?$/,
            query,
          );
        assert.match(
          await chart.callTool('search', { query: 'gout', kinds: ['goal', 'note'] }),
          /Nothing found for “gout” among goals and clinical notes; /,
        );
      });

      it('finds what treats or tests a condition that nothing states, and says that it is no more than related', async () => {
        const text = await ask('gout');
        assert.deepEqual(titles(text), ['Allopurinol 100 MG']);
        assert.match(text, /\n\nNo entry is of “gout” itself; these are related /);
      });

      it('finds what is said of relatives where it is asked for, and then only that', async () => {
        assert.deepEqual(titles(await ask('family history of celiac disease')), ['Progress note']);
        assert.match(await ask('family history of heart attack'), /Nothing found/);
      });

      it('asks of the patient what nothing is said of the relative that is named: who asks may care for the patient', async () => {
        const text = await ask('did dad ever have a heart attack?');
        assert.match(text, /; of the patient, since nothing of it is said of relatives\n/);
        assert.deepEqual(titles(text), ['Acute myocardial infarction', 'Troponin I']);
        assert.deepEqual(titles(await ask('does mom have celiac disease?')), ['Progress note']);
      });

      it('keeps to a time, by days or by an event of the record, and orders by it', async () => {
        assert.deepEqual(titles(await ask('mammography in 2019')), ['Mammography']);
        assert.match(
          await ask('troponin in 2019'),
          /Read as: in 2019 → 2019-01-01 to 2019-12-31\n\nNothing found for “troponin” among entries of all kinds \(2019-01-01 to 2019-12-31\); /,
        );
        assert.equal(titles(await ask('water pills before my hip surgery'))[0], 'Furosemide 40 MG');
        assert.match(
          await ask('water pills before my hip surgery'),
          /before hip surgery → before 2018-01-01/,
        );
        assert.equal(titles(await ask('last water pill'))[0], 'Hydrochlorothiazide 25 MG');
        assert.equal(titles(await ask('first water pill'))[0], 'Furosemide 40 MG');
      });

      it('lists a kind that alone is asked for', async () => {
        assert.deepEqual(titles(await ask('my procedures')), ['Mammography', 'Hip replacement']);
      });
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
      await store.db.tx((tx) => indexPassages(tx, other.patientId, { seqs: [1], passages: [] }));
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
        indexPassages(tx, other.patientId, { seqs: [2], passages: buildPassageRows([renamed], () => []) }),
      );
      assert.deepEqual(await passages(), [{ title: 'Pseudogout' }]);
    });

    it('adds many distinct words by parts, of which none waits for the index on the embedded engine (case 353)', async () => {
      const other = await createChart(store.db);
      const read = (words: readonly string[]) => [
        {
          seq: 1,
          ordinal: 0,
          reference: 'DocumentReference/1',
          documentPath: 'x',
          requiredLabels: toRequiredMask('CLINICAL_NOTES'),
          entry: entry('note', 'Letter', { detail: { text: words.join(' ') } }),
        },
      ];
      const index = (words: readonly string[]) =>
        store.db.tx((tx) =>
          indexPassages(tx, other.patientId, {
            seqs: [1],
            passages: buildPassageRows(read(words), () => []),
          }),
        );
      const words = Array.from({ length: 6000 }, (_, n) => `w${n}`);
      assert.deepEqual(await index(words.map(() => 'pain')), []);
      const parts = await index(words);
      assert.ok(parts.length > 1, String(parts.length));
      for (const passages of parts) {
        await store.db.tx((tx) => addPassages(tx, other.patientId, passages));
        await indexWaitingWords(store.db, passages);
      }
      const [waiting] = await store.db.query(
        sql<{ pages: number }>`select gin_clean_pending_list('passage_terms') as pages`,
      );
      if (engine === 'embedded') assert.equal(waiting?.pages, 0);
      const titles = await store.db.query(sql<{ count: number }>`
        select count(*) from passage where patient_id = ${other.patientId} and terms @@ 'w5999'::tsquery`);
      assert.equal(titles[0]?.count, 1);
    });

    it('case 361: looks hits up among the texts that are shown, instead of comparing each with each', async () => {
      const question = readQuestion('diabetes pain', TODAY);
      const { statement } = searchPassages(patient.access, { question, kinds: null, today: TODAY });
      const plan = await store.db.query(sql<{ 'QUERY PLAN': string }>`
        explain with gate as materialized (select 0 as withheld)
        select (select json_agg(answer) from (${statement}) answer) from gate`);
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(
        text,
        /CTE used\n\s+->.*\n(\s+.*Key.*\n)?\s+->\s+CTE Scan on hit .*\n\s+Filter: .*hashed SubPlan/,
        text,
      );
    });

    it('looks other values of a day up by that day, instead of reading the record for each hit', async () => {
      const long = await createChart(store.db);
      const toDay = (n: number): string =>
        new Date(Date.UTC(2000, 0, 1) + n * 864e5).toISOString().slice(0, 10);
      await long.add(
        ...Array.from({ length: 2000 }, (_, n) =>
          entry('lab', 'Potassium', { dayText: toDay(n), detail: { value: `value ${n}` } }),
        ),
      );
      const question = readQuestion('potassium', TODAY);
      const { statement } = searchPassages(long.access, { question, kinds: null, today: TODAY });
      const plan = await store.db.query(sql<{ 'QUERY PLAN': string }>`
        explain with gate as materialized (select 0 as withheld)
        select (select json_agg(answer) from (${statement}) answer) from gate`);
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(text, /Index Cond: .*\(kind = measured\w*\.kind\) AND \(day = measured\w*\.day\)/, text);
      assert.match(text, /CTE undated[^]*?hashed SubPlan[^]*?CTE rival/, text);
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
        searchPassages(patient.access, {
          question: readQuestion('diabetes pain', TODAY),
          kinds: null,
          today: TODAY,
        }),
        searchNotes(patient.access, query, days),
      ]) {
        const plan = await store.db.query(sql<{ 'QUERY PLAN': string }>`
          explain with gate as materialized (select 0 as withheld)
          select (select json_agg(answer) from (${statement}) answer) from gate`);
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
