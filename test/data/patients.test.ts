import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MAX_RESULT_LENGTH } from '../../server/surfaces/mcp/render/fit-length.ts';
import type { VitalName } from '../../server/clinical/entries/entry.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { callTool, getToolText, type TestPatient, type TestService } from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { toDevelopmentRecord } from './development-records.ts';
import { getSharedService, importRecord } from './imported-records.ts';
import { assertRoundTrip } from './round-trip.ts';
import { selectPatients, skip, type SamplePatient } from './sample-data.ts';
import {
  countEntries,
  parseLastLine,
  parseRows,
  removeQuoted,
  LEAKED_VALUES,
  type LastLine,
  type Row,
} from './parse-tables.ts';

interface ToolPage extends LastLine {
  rows: Row[];
}

/** What a history tool must show of a patient, and the sections that PATIENTS.tsv does not count. */
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
const countNotes = (sample: SamplePatient): number =>
  Math.max(
    sample.count('notes:DocumentReference.data'),
    sample.count('notes:DiagnosticReport.presentedForm.data'),
  );

/** Visits whose notes are asked for one by one. */
const MAX_VISITS = 200;

const sumColumns = (sample: SamplePatient, columns: readonly string[]): number =>
  columns.reduce((sum, column) => sum + sample.count(column), 0);

function assertFitToRead(text: string, what: string): void {
  assert.ok(text.length <= MAX_RESULT_LENGTH, `${what}: ${text.length} characters`);
  const ours = removeQuoted(text);
  const leaked = LEAKED_VALUES.exec(ours);
  assert.equal(
    leaked,
    null,
    `${what}: …${ours.slice(Math.max(0, (leaked?.index ?? 0) - 80), (leaked?.index ?? 0) + 80)}…`,
  );
}

describe('the published patients', { skip }, () => {
  let service: TestService;
  before(async () => void (service = await getSharedService()));

  async function callToolText(patient: TestPatient, tool: string, input: object = {}): Promise<string> {
    const answer = await callTool(service, patient, tool, input);
    const what = `${tool} ${JSON.stringify(input)}`;
    assert.equal(answer.status, 200, what);
    assert.equal(answer.body.error, undefined, `${what}: ${JSON.stringify(answer.body.error)}`);
    assert.notEqual(answer.body.result.isError, true, what);
    const text = getToolText(answer);
    assertFitToRead(text, what);
    return text;
  }

  /** From the newest data to the oldest, as an agent goes that does what the last line says. */
  async function readAllPages(patient: TestPatient, tool: string, input: object): Promise<ToolPage[]> {
    const answers: ToolPage[] = [];
    for (let beforeDate: string | null = null; ;) {
      const text = await callToolText(patient, tool, {
        ...input,
        ...(beforeDate !== null && { beforeDate }),
      });
      const last = parseLastLine(text);
      assert.equal(last.hasMoreData, last.nextBeforeDate !== null, tool);
      answers.push({ ...last, rows: parseRows(text) });
      if (last.nextBeforeDate === null) return answers;
      assert.ok(beforeDate === null || last.nextBeforeDate < beforeDate, `${tool} goes back at every step`);
      beforeDate = last.nextBeforeDate;
    }
  }

  /** How many facts of the record stand whatever the window, unless they begin after it; a fact may have variants by consent. */
  async function countStanding(
    patient: TestPatient,
    tool: string,
  ): Promise<(before: string | null) => number> {
    const kind = { get_conditions: 'condition', get_medications: 'medication', get_allergies: 'allergy' }[
      tool
    ];
    const rows = await service.store.db.query(sql<{ day: string | null }>`
      select distinct on (seq) day from clinical_entry where patient_id = ${patient.id} and kind = ${kind ?? null}
        and (current or kind = 'allergy') order by seq, ordinal`);
    return (before) => rows.filter(({ day }) => day === null || before === null || day < before).length;
  }

  /**
   * How many orders the rows of drugs in force show beside those that stand in the answer of [from, before): such a row counts
   * the orders of the whole record.
   */
  async function countOrdersElsewhere(
    patient: TestPatient,
    { from, before }: { from: string | null; before: string | null },
  ): Promise<number> {
    const [row] = await service.store.db.query(sql<{ elsewhere: number }>`
      select coalesce(sum(orders - inside), 0)::bigint as elsewhere from (
        select count(*) as orders, count(*) filter (where is_shown or not current
          and (${from}::date is null or day >= ${from}::date) and (${before}::date is null or day < ${before}::date)) as inside
        from (
          select distinct on (seq) group_key, current, day,
            current and (day is null or ${before}::date is null or day < ${before}::date) as is_shown
          from clinical_entry where patient_id = ${patient.id} and kind = 'medication'
            and (current or status in ('completed', 'stopped', 'cancelled', 'ended'))
            and split_part(reference, '/', 1) in ('MedicationRequest', 'MedicationStatement')
          order by seq, ordinal) ordered
        group by group_key having bool_or(is_shown)) drug`);
    return row?.elsewhere ?? 0;
  }

  function assertNoneTwice(answers: readonly ToolPage[], what: string): void {
    const seen = new Map<string, number>();
    for (const [step, { rows }] of answers.entries()) {
      for (const reference of rows.flatMap(({ references }) => references)) {
        assert.ok((seen.get(reference) ?? step) === step, `${what}: ${reference} is shown twice`);
        seen.set(reference, step);
      }
    }
  }

  for (const sample of selectPatients()) {
    describe(`${sample.name}, ${sample.count('resources')} resources`, () => {
      let patient: TestPatient;
      before(async () => {
        const record = await importRecord(toDevelopmentRecord(sample));
        patient = record.patient;
        const { batch } = record;
        assert.ok(batch.resources.created >= sample.count('resources'), JSON.stringify(batch.resources));
      });

      it('come out of $everything as they were uploaded', () => assertRoundTrip(service, patient, sample));

      for (const { tool, columns, beside } of HISTORIES) {
        const countListed = (answers: readonly ToolPage[]): number =>
          countEntries(answers.flatMap(({ rows }) => rows).filter(({ section }) => !beside?.test(section)));

        it(`are shown in full by ${tool}, a lifetime at once`, async () => {
          const answers = await readAllPages(patient, tool, { years: 150 });
          assert.equal(countListed(answers), sumColumns(sample, columns));
          if (answers.length > 1 && !STANDING.has(tool)) assertNoneTwice(answers, tool);
        });

        it(`are shown in full by ${tool}, three years at a time`, async () => {
          const answers = await readAllPages(patient, tool, {});
          if (!STANDING.has(tool)) {
            assertNoneTwice(answers, tool);
            assert.equal(countListed(answers), sumColumns(sample, columns));
            return;
          }
          const stand = await countStanding(patient, tool);
          let total = stand(null);
          let previous: string | null = null;
          for (const answer of answers) {
            const window = { from: answer.nextBeforeDate, before: previous };
            const elsewhere = tool === 'get_medications' ? await countOrdersElsewhere(patient, window) : 0;
            total += countListed([answer]) - elsewhere - stand(previous);
            previous = answer.nextBeforeDate;
          }
          assert.equal(total, sumColumns(sample, columns));
        });
      }

      it('show each vital sign as often as it was taken', async () => {
        for (const [name, column] of Object.entries(VITAL_COLUMNS)) {
          const alone = await readAllPages(patient, 'get_vitals', { years: 150, vitals: [name] });
          assert.equal(countEntries(alone.flatMap((answer) => answer.rows)), sample.count(column), name);
        }
      });

      it('show each note once: in search, and at its visit', async () => {
        const found = new Set<string>();
        let headings = 0;
        for (let beforeDate: string | null = null; ;) {
          const input = { query: 'chief complaint', years: 150, ...(beforeDate !== null && { beforeDate }) };
          const text = await callToolText(patient, 'search_clinical_notes', input);
          if (beforeDate === null) {
            const [, count] = /^(\d+) matching notes?/m.exec(text) ?? [];
            assert.equal(Number(count), countNotes(sample));
          }
          for (const [reference] of text.matchAll(/(?:DocumentReference|DiagnosticReport)\/[A-Za-z0-9.-]+/g))
            found.add(reference);
          headings += text.match(/^## /gm)?.length ?? 0;
          beforeDate = parseLastLine(text).nextBeforeDate;
          if (beforeDate === null) break;
        }
        assert.deepEqual(
          { notes: found.size, headings },
          { notes: countNotes(sample), headings: countNotes(sample) },
        );
        const visits = (await readAllPages(patient, 'get_visits', { years: 150 })).flatMap(({ rows }) =>
          rows.flatMap(({ references }) => references),
        );
        // The largest record has a third of all visits: each tenth of them in `npm test`.
        const isSampled = !isLong && visits.length > MAX_VISITS;
        let atVisits = 0;
        for (const encounterId of isSampled ? visits.filter((_, index) => index % 10 === 0) : visits) {
          const text = await callToolText(patient, 'search_clinical_notes', { encounterId });
          const [, count = '0'] = /^(\d+) notes?$/m.exec(text) ?? [];
          // A report that is only a link to a PDF elsewhere is named, and is no text that PATIENTS.tsv counts.
          atVisits +=
            Number(count) - (text.match(/^The text of this note can't be read here/gm)?.length ?? 0);
        }
        if (isSampled) return assert.ok(atVisits > 0 && atVisits <= countNotes(sample) / 2);
        // One note of the cut-off record belongs to a visit that was cut off.
        assert.equal(atVisits, countNotes(sample) - (sample.file.includes('last5600') ? 1 : 0));
      });

      it('are rendered in clean sentences by the other tools', async () => {
        const summary = await callToolText(patient, 'get_health_summary');
        assert.match(summary, /^# Health summary/);
        for (const query of [
          'pain',
          'hypertension medication',
          'covid vaccine',
          '"body weight"',
          'diabtes -insulin',
        ]) {
          const text = await callToolText(patient, 'search', { query });
          parseRows(text);
        }
        assert.match(
          await callToolText(patient, 'update_and_check_recent_records'),
          /Last synchronization: \d{4}-/,
        );
      });
    });
  }
});
