import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  callTool,
  newTestPatient,
  startTestService,
  getToolText,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { DATA_FOLDER, readZipFiles, skip, createZip, type File } from './sample-data.ts';
import { countEntries, parseRows, type Row } from './parse-tables.ts';

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
const toFactKey = ({ cells }: Row): string =>
  [...cells]
    .flatMap(([head, cell]) =>
      head === 'Source' || head === 'Reference' ? [] : cell.split('; ').sort().join('; '),
    )
    .join(' | ');

/** The results of a row, one or many of a moment: results are laid out by panel, which depends on what shares a source. */
function listResults({ cells }: Row): string[] {
  const date = cells.get('Date') ?? '';
  const one = cells.get('Result');
  const others = [...cells].flatMap(([head, cell]) =>
    ['Date', 'Source', 'Reference', 'Of'].includes(head) ? [] : cell,
  );
  return (one === undefined ? others : [one])
    .map((cell) => cell.replace(/ \(.*\)$/, ''))
    .filter((cell) => cell !== '')
    .map((cell) => `${date} ${cell}`);
}

describe('the published archives of one person from several sources', { skip }, () => {
  let service: TestService;
  before(
    async () =>
      void (service = await startTestService({
        environment: { CHARTGATE_MCP_RATE_LIMIT: '100000', CHARTGATE_LOG_LEVEL: 'silent' },
      })),
  );
  after(() => service.stop());

  const archive = (name: string): Promise<File[]> =>
    readZipFiles(join(DATA_FOLDER, 'archives', `${name}.zip`));

  async function importPatient(files: readonly File[]): Promise<TestPatient> {
    const patient = await newTestPatient(service);
    assert.match((await upload(service, patient, await createZip(files))).status, /^completed/);
    return patient;
  }
  const callToolText = async (
    patient: TestPatient,
    tool: string,
    input: object = { years: 150 },
  ): Promise<string> => getToolText(await callTool(service, patient, tool, input));

  it('01: notes that are there as text files too, without a date, are counted once', async () => {
    const files = await archive('01-synthea-bundle-plus-notes');
    const [all, alone] = [
      await importPatient(files),
      await importPatient(files.filter(({ path }) => path.endsWith('.json'))),
    ];
    const count = async (patient: TestPatient): Promise<string | undefined> =>
      /\b(\d+) clinical notes/.exec(await callToolText(patient, 'get_health_summary', {}))?.[1];
    assert.equal(await count(alone), '34');
    assert.equal(await count(all), '34');
    const text = await callToolText(all, 'search_clinical_notes', { query: 'nasal discharge', years: 150 });
    assert.equal(text.match(/ \(also [^)]*DocumentReference\//g)?.length, 6);
  });

  it('02: a document that is there as C-CDA, as PDF and in FHIR is one note', async () => {
    const patient = await importPatient(await archive('02-ccda-pdf-fhir-same-patient'));
    const text = await callToolText(patient, 'search_clinical_notes', {
      query: 'hospice comfort',
      years: 150,
    });
    assert.match(text, /^1 matching note$/m);
    assert.match(
      text,
      /CDA_with_Embedded_PDF\.xml.* \+ .*DocumentReference\/\S+ \(also DocumentReference\/[^,)]+, DocumentReference\/[^,)]+\)/,
    );
  });

  it('03: what only one of three documents holds as an entry is taken for no other', async () => {
    const files = await archive('03-va-bluebutton');
    const [all, alone] = [
      await importPatient(files),
      await importPatient(files.filter(({ path }) => path.endsWith('.xml'))),
    ];
    for (const what of HISTORIES)
      assert.deepEqual(
        parseRows(await callToolText(all, `get_${what}`)).map(toFactKey),
        parseRows(await callToolText(alone, `get_${what}`)).map(toFactKey),
      );
    const text = await callToolText(all, 'search_clinical_notes', { query: 'veteran', years: 150 });
    assert.doesNotMatch(text, /\(also /);
  });

  describe('05', () => {
    let files: File[];
    let patient: TestPatient;
    before(async () => {
      files = await archive('05-isabella-jones-many-sources');
      patient = await importPatient(files);
    });

    it('a file that is there twice adds a source and no fact', async () => {
      const without = await importPatient(files.filter(({ path }) => !path.includes('duplicate')));
      for (const what of HISTORIES) {
        const [twice, once] = [
          await callToolText(patient, `get_${what}`),
          await callToolText(without, `get_${what}`),
        ];
        const [facts, expected] = [twice, once].map((text) =>
          parseRows(text)
            .flatMap((row) => (what === 'labs' ? listResults(row) : toFactKey(row)))
            .sort(),
        );
        assert.deepEqual(facts, expected, what);
        assert.equal(countEntries(parseRows(twice)), countEntries(parseRows(once)), what);
      }
    });

    it('a fact that five documents hold is one row with all of them', async () => {
      const rows = parseRows(await callToolText(patient, 'get_allergies')).filter(
        ({ cells }) => cells.get('Allergy') === 'Aspirin',
      );
      assert.equal(rows.length, 1);
      assert.match(rows[0]?.cells.get('Reference') ?? '', /\(also (?:\S+, ){2}\S+ and 1 more\)$/);
      const asthma = parseRows(await callToolText(patient, 'get_conditions')).filter(
        ({ cells }) => cells.get('Condition') === 'Asthma',
      );
      assert.equal(asthma.length, 1);
    });

    it('a dosage that differs in the precision of its dates alone is no disagreement', async () => {
      const text = await callToolText(patient, 'get_medications');
      const rows = parseRows(text).filter(({ cells }) => cells.get('Medication') === 'Cefepime');
      assert.deepEqual(
        rows.map(({ cells }) => cells.get('Ordered')),
        ['2012-10-02†'],
      );
      assert.doesNotMatch(text, /^- Cefepime/m);
    });

    it('what an older, an updated and another document contradict each other about is reported', async () => {
      const vitals = await callToolText(patient, 'get_vitals');
      assert.match(
        vitals,
        /^- Weight, 2012-10-02: .*1[67]0 \[lb_av\] \(bluebutton-0\d-\w+\.xml, .*; 1[67]0 \[lb_av\]/m,
      );
      assert.match(vitals, /^- Blood pressure, 2012-10-02: 12[06]\/78 mm\[Hg\] .*; 12[06]\/78 mm\[Hg\]/m);
      // A pressure of which one source leaves out a half contradicts nothing.
      assert.doesNotMatch(vitals, /^- Blood pressure, .*unknown/m);
      assert.match(
        await callToolText(patient, 'get_immunizations'),
        /^- Pneumococcal .*: (not )?given, .*; (not )?given, /m,
      );
      assert.match(
        await callToolText(patient, 'get_allergies'),
        /^- ALLERGENIC EXTRACT, PENICILLIN.*Hives.*Nausea|Nausea.*Hives/m,
      );
      const summary = await callToolText(patient, 'get_health_summary', {});
      assert.match(summary, /Two birth dates are recorded: 1947-05-01; 1975-05-01\./);
      assert.match(summary, /^## Sources disagree\n\nSources disagree on the following/m);
    });
  });
});
