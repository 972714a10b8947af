import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateRecord } from '../../tools/synthetic-record/generate-record.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { countEntries, parseRows } from '../data/parse-tables.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  callTool,
  newTestPatient,
  startTestService,
  getToolText,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

type Part = Record<string, unknown>;

const HISTORIES = [
  'conditions',
  'medications',
  'labs',
  'vitals',
  'allergies',
  'procedures',
  'immunizations',
  'visits',
];
const RECORD = [...generateRecord({ seed: 5, years: 4, endsOn: '2026-11-01' })].map((each) =>
  JSON.stringify(each),
);

/** The same facts under other ids, as an independent second system would hold them. */
const renameIds = (texts: readonly string[]): string[] =>
  texts.map((text) =>
    text.replace(/[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g, (start) =>
      (Number.parseInt(start, 16) ^ 0x5a5a5a5a).toString(16).replace('-', '').padStart(8, '0').slice(-8),
    ),
  );

const buildBundle = (texts: readonly string[]): string =>
  `{"resourceType":"Bundle","type":"collection","entry":[${texts.map((text) => `{"resource":${text}}`).join(',')}]}`;

describe('one record from several sources', () => {
  let service: TestService;
  let one: TestPatient;
  let both: TestPatient;
  before(async () => {
    service = await startTestService({
      environment: { CHARTGATE_MCP_RATE_LIMIT: '100000', CHARTGATE_LOG_LEVEL: 'silent' },
    });
    one = await importPatient({ 'first.json': buildBundle(RECORD) });
    both = await importPatient({
      'first.json': buildBundle(RECORD),
      'second.json': buildBundle(renameIds(RECORD)),
    });
  });
  after(() => service.stop());

  async function importPatient(...uploads: Record<string, unknown>[]): Promise<TestPatient> {
    const patient = await newTestPatient(service);
    for (const contents of uploads) {
      const batch = await upload(service, patient, await createArchive(contents));
      assert.equal(batch.status, 'completed');
    }
    return patient;
  }
  const ask = async (patient: TestPatient, tool: string, input: object): Promise<string> =>
    getToolText(await callTool(service, patient, tool, input));
  const histories = async (patient: TestPatient): Promise<string[]> =>
    Promise.all(HISTORIES.map((what) => ask(patient, `get_${what}`, { years: 150 })));
  /** Removes the names of the sources. */
  const bare = (text: string): string =>
    text
      .replace(/ \| [^|\n]* \|$/gm, ' |')
      .replace(/ \| (?:Source|[A-Z](?:\+[A-Z])*) \|$/gm, ' |')
      .replace(/^[|-]+$/gm, '')
      .replace(/^Sources?: .*\n\n/gm, '');

  it('is shown like one record when a second file holds the same facts under other ids', async () => {
    const [alone, together] = [await histories(one), await histories(both)];
    for (const [place, text] of together.entries()) {
      assert.equal(bare(text), bare(alone[place] ?? ''), HISTORIES[place]);
      const rows = parseRows(text);
      assert.equal(countEntries(rows), countEntries(parseRows(alone[place] ?? '')), HISTORIES[place]);
      for (const { cells } of rows) assert.match(cells.get('Reference') ?? '', /[( ]also /);
    }
    assert.ok(together.some((text) => /\| \S/.test(text)));
  });

  it('counts each fact once in the summary, in both searches and at a visit', async () => {
    const counts = async (patient: TestPatient): Promise<string[]> => {
      const summary = await ask(patient, 'get_health_summary', {});
      const notes = await ask(patient, 'search_clinical_notes', { query: 'plan', years: 150 });
      const found = await ask(patient, 'search', { query: 'hypertension' });
      return [
        /^[\d,]+ entr[^;.]*/m.exec(summary)?.[0] ?? '',
        /^\d+ matching notes?/m.exec(notes)?.[0] ?? '',
        ...parseRows(found).map(({ cells }) => `${cells.get('Title')} ${cells.get('Similar')}`),
      ];
    };
    assert.deepEqual(await counts(both), await counts(one));
    const [visit] = parseRows(await ask(both, 'get_visits', { years: 150 }));
    const reference = visit?.cells.get('Reference') ?? '';
    const [, shown = '', other = ''] = /^(\S+) \(also (\S+)\)/.exec(reference) ?? [];
    const [here, there] = [
      await ask(both, 'search_clinical_notes', { encounterId: shown }),
      await ask(both, 'search_clinical_notes', { encounterId: other }),
    ];
    const details = await ask(both, 'get_details', { references: [shown] });
    assert.match(details, /^The same fact in other sources:$/m);
    assert.ok(
      parseRows(details).some(({ references }) => references.includes(other)),
      details,
    );
    assert.match(here, /^1 note$/m);
    assert.match(there, /^1 note$/m);
    assert.doesNotMatch(there, /holds no visit|the visit itself is not/);
  });

  it('stores the resources of both sources', async () => {
    const [row] = await service.store.db.query(sql<{ resources: number }>`
      select count(*)::integer as resources from resource where patient_id = ${both.id}`);
    assert.equal(row?.resources, RECORD.length * 2);
  });

  it('does not depend on the order of files or uploads, or on reindexing', async () => {
    const [first, second] = [
      { 'first.json': buildBundle(RECORD) },
      { 'second.json': buildBundle(renameIds(RECORD)) },
    ];
    // Entries of one time stand in the order of their arrival.
    const lines = async (patient: TestPatient): Promise<string[][]> =>
      (await histories(patient)).map((text) => text.split('\n').sort());
    const expected = await lines(both);
    for (const uploads of [
      [first, second],
      [second, first],
    ])
      assert.deepEqual(await lines(await importPatient(...uploads)), expected);
    await reindexAll({
      db: service.store.db,
      clock: service.clock,
      extractText: async () => null,
      getVocabulary,
    });
    assert.deepEqual(await lines(both), expected);
  });

  it('distinguishes two sources whose files have the same name', async () => {
    const patient = await importPatient(
      { 'a.json': buildBundle(RECORD) },
      { 'a.json': buildBundle(renameIds(RECORD)) },
    );
    assert.match(await ask(patient, 'get_conditions', { years: 150 }), /\(also Condition\//);
  });

  it('treats two equal entries of one server as two facts, in however many files', async () => {
    const fact = (id: string): [string, object] => [
      `https://hospital.example/fhir/Condition/${id}`,
      { resourceType: 'Condition', id, code: { text: 'Migraine' }, onsetDateTime: '2020-01-01' },
    ];
    const patient = await importPatient({
      'page1.json': createBundle(fact('m1')),
      'page2.json': createBundle(fact('m2')),
    });
    assert.equal(countEntries(parseRows(await ask(patient, 'get_conditions', { years: 150 }))), 2);
  });

  it('shows both sides of a contradiction between sources, also in the summary', async () => {
    const order = (id: string, text: string): Part => ({
      resourceType: 'MedicationRequest',
      id,
      status: 'active',
      intent: 'order',
      authoredOn: '2026-03-02',
      medicationCodeableConcept: { text: 'Metformin 500 MG' },
      dosageInstruction: [{ text }],
    });
    const glucose = (id: string, value: string): Part => ({
      resourceType: 'Observation',
      id,
      status: 'final',
      category: [{ coding: [{ code: 'laboratory' }] }],
      code: { text: 'Glucose' },
      effectiveDateTime: '2026-03-02T09:30:00Z',
      valueQuantity: { value: Number(value), unit: 'mmol/L' },
    });
    const patient = await importPatient({
      'a.json': createBundle(order('oa', 'once daily'), glucose('ga', '5.4')),
      'b.json': createBundle(order('ob', 'twice daily'), glucose('gb', '6.1')),
      'c.json': createBundle(order('oc', 'Once  daily.')),
    });
    const disagreement = /Sources disagree on the following; each value is shown with its source:\n\n/;
    const dose =
      /^- Metformin 500 MG, 2026-03-02: (once daily, active \(a\.json( \+ c\.json)?, MedicationRequest\/oa\)|twice daily, active \(b\.json, MedicationRequest\/ob\)|; ){3}$/m;
    for (const [tool, input, line] of [
      ['get_medications', {}, dose],
      ['get_health_summary', {}, dose],
      ['search', { query: 'metformin' }, /^- Metformin 500 MG, 2026-03-02: /m],
      [
        'get_labs',
        {},
        /^- Glucose, 2026-03-02 09:30: .*(5\.4|6\.1) mmol\/L \([ab]\.json.*; (5\.4|6\.1) mmol\/L/m,
      ],
    ] as const) {
      const text = await ask(patient, tool, input);
      assert.match(text, disagreement, tool);
      assert.match(text, line, tool);
      assert.equal(text.match(/^- Metformin/gm)?.length ?? 1, 1, tool);
    }
    assert.match(await ask(patient, 'get_medications', {}), /active \(a\.json \+ c\.json, /);
    assert.equal(countEntries(parseRows(await ask(patient, 'get_labs', {}))), 2);
  });

  it('shows both sides of what sources say about the outcome of a procedure, a stay, a vaccination and an illness', async () => {
    const record = (id: string, [outcome, severity, end, left, dose]: readonly string[]): Part[] => [
      {
        resourceType: 'Procedure',
        id: `p${id}`,
        status: 'completed',
        code: { text: 'Biopsy' },
        performedDateTime: '2025-01-01',
        outcome: { text: outcome },
      },
      {
        resourceType: 'Condition',
        id: `c${id}`,
        clinicalStatus: { coding: [{ code: 'active' }] },
        code: { text: 'Cancer' },
        onsetDateTime: '2025-01-01',
        severity: { text: severity },
      },
      {
        resourceType: 'Encounter',
        id: `e${id}`,
        status: 'finished',
        type: [{ text: 'Admission' }],
        period: { start: '2025-01-01', end },
        hospitalization: { dischargeDisposition: { text: left } },
      },
      {
        resourceType: 'Immunization',
        id: `i${id}`,
        status: 'completed',
        vaccineCode: { text: 'Hep B' },
        occurrenceDateTime: '2025-01-01',
        protocolApplied: [{ doseNumberPositiveInt: Number(dose) }],
      },
    ];
    const patient = await importPatient({
      'a.json': createBundle(...record('a', ['benign', 'Mild', '2025-01-03', 'home', '1'])),
      'b.json': createBundle(...record('b', ['malignant', 'Severe', '2025-01-04', 'died', '2'])),
    });
    for (const [tool, ...sides] of [
      ['get_procedures', 'completed, outcome: benign', 'completed, outcome: malignant'],
      ['get_conditions', 'active, Mild', 'active, Severe'],
      [
        'get_visits',
        'finished, until 2025-01-03, discharged to: home',
        'finished, until 2025-01-04, discharged to: died',
      ],
      ['get_immunizations', 'given, dose 1', 'given, dose 2'],
    ] as const) {
      const text = await ask(patient, tool, {});
      const [line = ''] = /^- .*, 2025-01-01: .*$/m.exec(text) ?? [];
      for (const side of sides) assert.ok(line.includes(`${side} (`), text);
      assert.equal(countEntries(parseRows(text)), 2, tool);
    }
    // Also where the other side is not among the rows.
    assert.match(
      await ask(patient, 'search', { query: 'admission' }),
      /until 2025-01-0[34].*; .*until 2025-01-0[34]/,
    );
  });

  it('finds a fact by the words of the source that is not shown', async () => {
    const code = [{ system: 'http://snomed.info/sct', code: '59621000' }];
    const patient = await importPatient({
      'a.json': createBundle({
        resourceType: 'Condition',
        id: 'a',
        code: { coding: code, text: 'Essential hypertension' },
        onsetDateTime: '2020-01-01',
        severity: { text: 'mild' },
      }),
      'b.json': createBundle({
        resourceType: 'Condition',
        id: 'b',
        code: { coding: code, text: 'High blood pressure' },
        onsetDateTime: '2020-01-01',
      }),
    });
    for (const query of ['essential', 'high blood']) {
      const rows = parseRows(await ask(patient, 'search', { query }));
      assert.deepEqual(
        rows.map(({ cells }) => cells.get('Reference')),
        ['Condition/a (also Condition/b)'],
        query,
      );
    }
  });
});
