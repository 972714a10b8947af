import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  callTool,
  newTestPatient,
  testService,
  textOf,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { DATA, filesInZip, skip, zipOf, type File } from './sample-data.ts';
import { entriesIn, rowsOf, type Row } from './told.ts';

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

/** What a row says, without who says so. */
const fact = ({ cells }: Row): string =>
  [...cells].flatMap(([head, cell]) => (head === 'Source' || head === 'Reference' ? [] : cell)).join(' | ');

describe('the published archives of one person from several sources', { skip, timeout: 300_000 }, () => {
  let service: TestService;
  before(
    async () =>
      void (service = await testService({
        environment: { CHARTGATE_MCP_RATE_LIMIT: '100000', CHARTGATE_LOG_LEVEL: 'silent' },
      })),
  );
  after(() => service.stop());

  const archive = (name: string): Promise<File[]> => filesInZip(join(DATA, 'archives', `${name}.zip`));

  async function patientOf(files: readonly File[]): Promise<TestPatient> {
    const patient = await newTestPatient(service);
    assert.match((await upload(service, patient, await zipOf(files))).status, /^completed/);
    return patient;
  }
  const ask = async (patient: TestPatient, tool: string, input: object = { years: 150 }): Promise<string> =>
    textOf(await callTool(service, patient, tool, input));

  it('02: a document that is there as C-CDA, as PDF and in FHIR is one note', async () => {
    const patient = await patientOf(await archive('02-ccda-pdf-fhir-same-patient'));
    const text = await ask(patient, 'search_clinical_notes', { query: 'hospice comfort', years: 150 });
    assert.match(text, /^1 matching note$/m);
    assert.match(
      text,
      /CDA_with_Embedded_PDF\.xml.* \+ .*DocumentReference\/\S+ \(also DocumentReference\/[^;)]+; DocumentReference\/[^;)]+\)/,
    );
  });

  it('03: what only one of three documents tells as an entry is taken for no other', async () => {
    const files = await archive('03-va-bluebutton');
    const [all, alone] = [
      await patientOf(files),
      await patientOf(files.filter(({ path }) => path.endsWith('.xml'))),
    ];
    for (const what of HISTORIES)
      assert.deepEqual(
        rowsOf(await ask(all, `get_${what}`)).map(fact),
        rowsOf(await ask(alone, `get_${what}`)).map(fact),
      );
    const text = await ask(all, 'search_clinical_notes', { query: 'veteran', years: 150 });
    assert.doesNotMatch(text, /\(also /);
  });

  describe('05', () => {
    let files: File[];
    let patient: TestPatient;
    before(async () => {
      files = await archive('05-isabella-jones-many-sources');
      patient = await patientOf(files);
    });

    it('a file that is there twice adds a source and no fact', async () => {
      const without = await patientOf(files.filter(({ path }) => !path.includes('duplicate')));
      for (const what of HISTORIES) {
        const [twice, once] = [await ask(patient, `get_${what}`), await ask(without, `get_${what}`)];
        assert.deepEqual(rowsOf(twice).map(fact).sort(), rowsOf(once).map(fact).sort(), what);
        assert.equal(entriesIn(rowsOf(twice)), entriesIn(rowsOf(once)), what);
      }
    });

    it('a fact that five documents tell is one row with all of them', async () => {
      const rows = rowsOf(await ask(patient, 'get_allergies')).filter(
        ({ cells }) => cells.get('Allergy') === 'Aspirin',
      );
      assert.equal(rows.length, 1);
      assert.match(rows[0]?.cells.get('Source') ?? '', / \+ .* \+ .* and 2 more$/);
      const asthma = rowsOf(await ask(patient, 'get_conditions')).filter(
        ({ cells }) => cells.get('Condition') === 'Asthma',
      );
      assert.equal(asthma.length, 1);
    });

    it('of a dosage that differs in the exactness of its dates alone nothing is told', async () => {
      const text = await ask(patient, 'get_medications');
      const rows = rowsOf(text).filter(({ cells }) => cells.get('Medication') === 'Cefepime');
      assert.deepEqual(
        rows.map(({ cells }) => cells.get('Ordered')),
        ['2012-10-02 (not noted since)'],
      );
      assert.doesNotMatch(text, /^- Cefepime/m);
    });

    it('what an older, an updated and another document contradict each other about is told', async () => {
      const vitals = await ask(patient, 'get_vitals');
      assert.match(
        vitals,
        /^- Weight, 2012-10-02: .*1[67]0 \[lb_av\] \(bluebutton-0\d-\w+\.xml, .*; 1[67]0 \[lb_av\]/m,
      );
      assert.match(vitals, /^- Blood pressure, 2012-10-02: 12[06]\/78 mm\[Hg\] .*; 12[06]\/78 mm\[Hg\]/m);
      // A pressure of which one source leaves out a half contradicts nothing.
      assert.doesNotMatch(vitals, /^- Blood pressure, .*unknown/m);
      assert.match(
        await ask(patient, 'get_immunizations'),
        /^- Pneumococcal .*: (not )?given, .*; (not )?given, /m,
      );
      assert.match(
        await ask(patient, 'get_allergies'),
        /^- ALLERGENIC EXTRACT, PENICILLIN.*Hives.*Nausea|Nausea.*Hives/m,
      );
      const summary = await ask(patient, 'get_health_summary', {});
      assert.match(summary, /Two birth dates are recorded: 1947-05-01; 1975-05-01\./);
      assert.match(summary, /^## Sources disagree\n\nTold differently by different sources/m);
    });
  });
});
