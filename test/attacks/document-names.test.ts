import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResourceScope, RestrictedScope } from '../../contract/data-categories.ts';
import { toLabelMask } from '../../server/consent/access/sensitivity-labels.ts';
import { insertRecordHeads } from '../../server/clinical/store/records.sql.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { OTHER_KINDS } from '../../server/clinical/entries/other-kinds.ts';
import { createChart, type Chart } from '../harness/chart.ts';
import { importBatch } from '../harness/import-record.ts';
import { ENGINES, openTestStore, type TestStore } from '../harness/store.ts';

/** By the id of what it holds. */
const PATHS: Readonly<Record<string, string>> = {
  first: 'uploads of Ana.zip/HIV clinic/potassium.json',
  second: 'Ana Diaz - HIV clinic - 555-12-3456.json',
  eczema: 'Methadone program - discharge 2026.json',
  asthma: 'Psychiatry - schizophrenia follow-up.json',
};
const NAMES =
  /HIV clinic|hiv-clinic|potassium\.json|Ana Diaz|3456|Methadone|2026\.json|Psychiatry|schizo|\.zip/;
const MARK = /document [0-9a-f]{6}/g;

const potassium = (id: string, value: number): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '2823-3' }], text: 'Potassium' },
  effectiveDateTime: '2026-03-02',
  valueQuantity: { value, unit: 'mmol/L' },
});
const condition = (id: string, text: string): object => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { text },
  onsetDateTime: '2026-03-02',
});
const RECORD = [
  potassium('first', 4.1),
  potassium('second', 5.9),
  condition('eczema', 'Eczema'),
  condition('asthma', 'Asthma'),
].map((resource) => JSON.stringify(resource));

const QUESTIONS: readonly (readonly [tool: string, input: object])[] = [
  ...['get_health_summary', 'update_and_check_recent_records'].map((tool) => [tool, {}] as const),
  ...['conditions', 'labs'].map((what) => [`get_${what}`, { years: 150 }] as const),
  ...['potassium', 'eczema', 'asthma'].map((query) => ['search', { query }] as const),
  ...OTHER_KINDS.map((kind) => ['get_other_records', { kind, years: 150 }] as const),
  ['get_details', { references: ['Observation/first', 'Condition/eczema', 'Condition/asthma'] }],
];

/** What a consent on the page leaves out at first, all but one category, and a single category. */
const WITHHELD = {
  'the protected classes': toLabelMask(RestrictedScope.options),
  'all but laboratory results': toLabelMask([
    ...ResourceScope.options.filter((scope) => scope !== 'LABS'),
    ...RestrictedScope.options,
  ]),
  'demographics alone': toLabelMask(['DEMOGRAPHICS']),
};

for (const engine of ENGINES) {
  describe(`the names of uploaded files: ${engine}`, () => {
    let store: TestStore;
    let record: Chart;
    before(async () => {
      store = await openTestStore(engine);
      record = await importRecord();
    });
    after(() => store.remove());

    /** With a secret of its own. */
    async function importRecord(): Promise<Chart> {
      const chart = await createChart(store.db);
      await store.db.query(insertRecordHeads([chart.patientId]));
      await importBatch(store.db, chart, RECORD, { getPath: (id) => PATHS[id] ?? assert.fail(id) });
      await store.db.query(
        sql`update resource set origin = 'https://hiv-clinic.example.org' where patient_id = ${chart.patientId}`,
      );
      return chart;
    }

    const withhold = ({ patientId }: Chart, withheld: number): Promise<unknown> =>
      store.db.query(sql`update consent set withheld = ${withheld} where patient_id = ${patientId}`);

    async function ask(chart: Chart): Promise<string[]> {
      const texts: string[] = [];
      for (const [tool, input] of QUESTIONS) texts.push(await chart.callTool(tool, input));
      return texts;
    }
    const listMarks = (texts: readonly string[]): string[] => [
      ...new Set(texts.flatMap((text) => text.match(MARK) ?? [])),
    ];

    for (const [what, mask] of Object.entries(WITHHELD))
      it(`case 392: stand in no answer to an agent that does not get ${what}`, async () => {
        await withhold(record, mask);
        for (const text of await ask(record)) assert.doesNotMatch(text, NAMES);
      });

    it('case 392: are distinguished by names that are the same in every answer, under every such consent', async () => {
      await withhold(record, WITHHELD['the protected classes']);
      const marks = listMarks(await ask(record));
      assert.equal(marks.length, Object.keys(PATHS).length);
      const labs = await record.callTool('get_labs', { years: 150 });
      assert.equal(listMarks([labs]).length, 2, 'sources that disagree');
      await withhold(record, WITHHELD['demographics alone']);
      assert.deepEqual(listMarks(await ask(record)), marks);
    });

    it('case 393: cannot be guessed by a patient who has a file of that name', async () => {
      const other = await importRecord();
      for (const chart of [record, other]) await withhold(chart, WITHHELD['demographics alone']);
      const [one, two] = [listMarks(await ask(record)), listMarks(await ask(other))];
      assert.equal(one.length, Object.keys(PATHS).length);
      assert.deepEqual(
        one.filter((mark) => two.includes(mark)),
        [],
      );
    });

    it('are said where everything is shared', async () => {
      await withhold(record, 0);
      const texts = (await ask(record)).join('\n');
      assert.match(texts, /source: Methadone program - discharge 2026\.json; server: https/);
      assert.doesNotMatch(texts, MARK);
    });
  });
}
