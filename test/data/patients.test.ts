import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LONGEST_ANSWER } from '../../server/mcp/fit.ts';
import type { VitalName } from '../../server/records/entry.ts';
import { sql } from '../../server/storage/sql.ts';
import {
  callTool,
  newTestPatient,
  testService,
  textOf,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { assertOutAgain } from './everything.ts';
import { filesOf, samplePatients, skip, zipOf, type SamplePatient } from './sample-data.ts';
import { entriesIn, lastLineOf, rowsOf, UNTOLD, type LastLine, type Row } from './told.ts';

interface Answered extends LastLine {
  rows: Row[];
}

/** What a history tool must tell of a patient, and the sections that PATIENTS.tsv does not count. */
interface Expectation {
  tool: string;
  columns: string[];
  /** Rows outside the columns: other measurements, doses given in hospital. */
  beside?: RegExp;
}

const HISTORIES: readonly Expectation[] = [
  { tool: 'get_conditions', columns: ['Condition'] },
  {
    tool: 'get_medications',
    columns: ['MedicationRequest', 'MedicationStatement'],
    beside: /^(Given|Dispensed)/,
  },
  { tool: 'get_labs', columns: ['labObs(category laboratory)'] },
  {
    tool: 'get_vitals',
    columns: ['bp', 'hr', 'temp', 'rr', 'spo2', 'wt', 'ht', 'bmi'],
    beside: /^Other measurements$/,
  },
  { tool: 'get_allergies', columns: ['AllergyIntolerance'] },
  { tool: 'get_procedures', columns: ['Procedure'] },
  { tool: 'get_immunizations', columns: ['Immunization'] },
  { tool: 'get_visits', columns: ['Encounter'] },
];

const VITAL_COLUMNS: Readonly<Record<VitalName, string>> = {
  'Blood Pressure': 'bp',
  'Heart Rate': 'hr',
  'Body Temperature': 'temp',
  'Respiratory Rate': 'rr',
  'Oxygen Saturation': 'spo2',
  Weight: 'wt',
  Height: 'ht',
  'Body Mass Index': 'bmi',
};

/** Shown whatever the window, so in every answer of a walk. */
const STANDING = new Set(['get_conditions', 'get_medications', 'get_allergies']);

/** Notes exist twice in most records, as DocumentReference and as DiagnosticReport; each pair is one note. */
const notesOf = (sample: SamplePatient): number =>
  Math.max(
    sample.count('notes:DocumentReference.data'),
    sample.count('notes:DiagnosticReport.presentedForm.data'),
  );

const sumOf = (sample: SamplePatient, columns: readonly string[]): number =>
  columns.reduce((sum, column) => sum + sample.count(column), 0);

function assertFitToRead(text: string, what: string): void {
  assert.ok(text.length <= LONGEST_ANSWER, `${what}: ${text.length} characters`);
  // What notes say is fenced; a record may well hold the word "null" there.
  const ours = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
  const untold = UNTOLD.exec(ours);
  assert.equal(
    untold,
    null,
    `${what}: …${ours.slice(Math.max(0, (untold?.index ?? 0) - 80), (untold?.index ?? 0) + 80)}…`,
  );
}

describe('the published patients', { skip, timeout: 300_000 }, () => {
  let service: TestService;
  before(
    async () => void (service = await testService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '1000000' } })),
  );
  after(() => service.stop());

  async function told(patient: TestPatient, tool: string, input: object = {}): Promise<string> {
    const answer = await callTool(service, patient, tool, input);
    const what = `${tool} ${JSON.stringify(input)}`;
    assert.equal(answer.status, 200, what);
    assert.equal(answer.body.error, undefined, `${what}: ${JSON.stringify(answer.body.error)}`);
    assert.notEqual(answer.body.result.isError, true, what);
    const text = textOf(answer);
    assertFitToRead(text, what);
    return text;
  }

  /** From the newest data to the oldest, as an agent goes that does what the last line says. */
  async function walk(patient: TestPatient, tool: string, input: object): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (let beforeDate: string | null = null; ;) {
      const text = await told(patient, tool, { ...input, ...(beforeDate !== null && { beforeDate }) });
      const last = lastLineOf(text);
      assert.equal(last.hasMoreData, last.nextBeforeDate !== null, tool);
      answers.push({ ...last, rows: rowsOf(text) });
      if (last.nextBeforeDate === null) return answers;
      assert.ok(beforeDate === null || last.nextBeforeDate < beforeDate, `${tool} goes back at every step`);
      beforeDate = last.nextBeforeDate;
    }
  }

  /** How many entries of the record stand whatever the window, unless they begin after it. */
  async function standing(patient: TestPatient, tool: string): Promise<(before: string | null) => number> {
    const kind = { get_conditions: 'condition', get_medications: 'medication', get_allergies: 'allergy' }[
      tool
    ];
    const rows = await service.store.db.query(sql<{ day: string | null }>`
      select day from clinical_entry where patient_id = ${patient.id} and kind = ${kind ?? null}
        and (current or kind = 'allergy')`);
    return (before) => rows.filter(({ day }) => day === null || before === null || day < before).length;
  }

  function assertNoneTwice(answers: readonly Answered[], what: string): void {
    const seen = new Map<string, number>();
    for (const [step, { rows }] of answers.entries()) {
      for (const reference of rows.flatMap(({ references }) => references)) {
        assert.ok((seen.get(reference) ?? step) === step, `${what}: ${reference} is shown twice`);
        seen.set(reference, step);
      }
    }
  }

  for (const sample of samplePatients()) {
    describe(`${sample.name}, ${sample.count('resources')} resources`, () => {
      let patient: TestPatient;
      before(async () => {
        patient = await newTestPatient(service);
        const batch = await upload(service, patient, await zipOf(filesOf(sample)));
        assert.match(batch.status, /^completed/);
        assert.ok(batch.resources.created >= sample.count('resources'), JSON.stringify(batch.resources));
      });

      it('come out of $everything as they came', () => assertOutAgain(service, patient, sample));

      for (const { tool, columns, beside } of HISTORIES) {
        const counted = (answers: readonly Answered[]): number =>
          entriesIn(answers.flatMap(({ rows }) => rows).filter(({ section }) => !beside?.test(section)));

        it(`are told whole by ${tool}, a lifetime at once`, async () => {
          const answers = await walk(patient, tool, { years: 150 });
          assert.equal(counted(answers), sumOf(sample, columns));
          if (answers.length > 1 && !STANDING.has(tool)) assertNoneTwice(answers, tool);
        });

        it(`are told whole by ${tool}, three years at a time`, async () => {
          const answers = await walk(patient, tool, {});
          if (!STANDING.has(tool)) {
            assertNoneTwice(answers, tool);
            assert.equal(counted(answers), sumOf(sample, columns));
            return;
          }
          const stand = await standing(patient, tool);
          let total = stand(null);
          let previous: string | null = null;
          for (const answer of answers) {
            total += counted([answer]) - stand(previous);
            previous = answer.nextBeforeDate;
          }
          assert.equal(total, sumOf(sample, columns));
        });
      }

      it('show each vital sign as often as it was taken', async () => {
        const rows = (await walk(patient, 'get_vitals', { years: 150 })).flatMap((answer) => answer.rows);
        for (const [name, column] of Object.entries(VITAL_COLUMNS)) {
          const taken = entriesIn(rows.filter(({ section }) => section === name));
          assert.equal(taken, sample.count(column), name);
          const alone = await walk(patient, 'get_vitals', { years: 150, vitals: [name] });
          assert.equal(entriesIn(alone.flatMap((answer) => answer.rows)), taken, `${name} alone`);
        }
      });

      it('show each note once: in search, and at its visit', async () => {
        const found = new Set<string>();
        let headings = 0;
        for (let beforeDate: string | null = null; ;) {
          const input = { query: 'chief complaint', years: 150, ...(beforeDate !== null && { beforeDate }) };
          const text = await told(patient, 'search_clinical_notes', input);
          if (beforeDate === null) {
            const [, count] = /^(\d+) matching notes?/m.exec(text) ?? [];
            assert.equal(Number(count), notesOf(sample));
          }
          for (const [reference] of text.matchAll(/(?:DocumentReference|DiagnosticReport)\/[A-Za-z0-9.-]+/g))
            found.add(reference);
          headings += text.match(/^## /gm)?.length ?? 0;
          beforeDate = lastLineOf(text).nextBeforeDate;
          if (beforeDate === null) break;
        }
        assert.deepEqual(
          { notes: found.size, headings },
          { notes: notesOf(sample), headings: notesOf(sample) },
        );
        const visits = (await walk(patient, 'get_visits', { years: 150 })).flatMap(({ rows }) =>
          rows.flatMap(({ references }) => references),
        );
        let atVisits = 0;
        for (const encounterId of visits) {
          const text = await told(patient, 'search_clinical_notes', { encounterId });
          const [, count = '0'] = /^(\d+) notes?$/m.exec(text) ?? [];
          // A report that is only a link to a PDF elsewhere is named, and is no text that PATIENTS.tsv counts.
          atVisits +=
            Number(count) - (text.match(/^The text of this note can't be read here/gm)?.length ?? 0);
        }
        // One note of the cut-off record belongs to a visit that was cut off.
        assert.equal(atVisits, notesOf(sample) - (sample.file.includes('last5600') ? 1 : 0));
      });

      it('are told in clean sentences by the other tools', async () => {
        const summary = await told(patient, 'get_health_summary');
        assert.match(summary, /^# Health summary/);
        for (const query of [
          'pain',
          'hypertension medication',
          'covid vaccine',
          '"body weight"',
          'diabtes -insulin',
        ]) {
          const text = await told(patient, 'search', { query });
          rowsOf(text);
        }
        assert.match(await told(patient, 'update_and_check_recent_records'), /Last synchronization: \d{4}-/);
      });
    });
  }
});
