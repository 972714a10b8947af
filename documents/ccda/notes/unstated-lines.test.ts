import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertCcdaDocument, decodeNoteText } from '../../../test/harness/ccda-document.ts';

interface Table {
  heading?: readonly string[];
  rows: readonly (readonly string[])[];
  /** The element of the first cell of a row. */
  first?: 'td' | 'th';
}

const buildTable = ({ heading = [], rows, first = 'td' }: Table): string => {
  const head = heading.map((cell) => `<th>${cell}</th>`).join('');
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><${first}>${name}</${first}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<table>${head && `<thead><tr>${head}</tr></thead>`}<tbody>${body.join('')}</tbody></table>`;
};

const buildResult = (name: string, value: string, range = ''): string =>
  `<entry><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.2"/>
  <code code="1" codeSystem="1.2" displayName="${name}"/><statusCode code="completed"/><effectiveTime value="20120812"/>
  <value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="PQ" value="${value}" unit="g/dL"/>${range}</observation></entry>`;
const buildProblem = (name: string): string =>
  `<entry><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/>
  <code code="55607006" codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/>
  <value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CD" code="13644009" codeSystem="2.16.840.1.113883.6.96" displayName="${name}"/></observation></entry>`;

async function listLines(code: string, text: string, entries: readonly string[]): Promise<string[]> {
  const { ofType: of } = await convertCcdaDocument(
    `<section><code code="${code}"/><title>Section</title><text>${text}</text>${entries.join('')}</section>`,
  );
  return of('DocumentReference').flatMap((note) => decodeNoteText(note)?.split('\n') ?? []);
}
const listLinesOfResults = (table: Table, ...entries: string[]): Promise<string[]> =>
  listLines('30954-2', buildTable(table), entries);
const listLinesOfProblems = (text: string, ...names: string[]): Promise<string[]> =>
  listLines('11450-4', text, names.map(buildProblem));

describe('a row of a narrative that no entry states', () => {
  it('case 505: is kept by its name, however short, and whatever words its other cells share with entries', async () => {
    const rows = [
      ['Hemoglobin', '13.2 g/dL (high)'],
      ['TSH', '12.4 mIU/L (high)'],
      ['INR', '7.1'],
      ['K', '7.9'],
      ['HIV 1/2 Ab', 'positive'],
      ['EKG', 'Sinus rhythm'],
    ];
    assert.deepEqual(
      await listLinesOfResults({ rows }, buildResult('Hemoglobin, sinus rhythm, high', '13.2')),
      rows.slice(1).map((row) => row.join(' | ')),
    );
  });

  it('is kept where its words are those of several entries, and none has all', async () => {
    const rows = [
      ['Vitamin B12 deficiency', 'Active'],
      ['Iron overload', 'Active'],
      ['Iron deficiency', 'Active'],
      ['Epilepsy(Confirmed)', 'Active'],
      ['Hypertension', 'Active'],
    ];
    assert.deepEqual(
      await listLinesOfProblems(
        buildTable({ rows }),
        'Vitamin B12 deficiency (Confirmed)',
        'Iron overload',
        'Hyperlipidemia',
      ),
      ['Iron deficiency | Active', 'Epilepsy(Confirmed) | Active', 'Hypertension | Active'],
    );
  });

  it('is kept where it is a single word of a list', async () => {
    const items = ['Hypercholesterolemia', 'Diverticulitis', 'COPD', 'Gout : Status - Active'];
    assert.deepEqual(
      await listLinesOfProblems(
        `<list>${items.map((item) => `<item>${item}</item>`).join('')}</list>`,
        'Hypercholesterolemia',
      ),
      items.slice(1).map((item) => `- ${item}`),
    );
  });

  it('is not kept where an entry states it in another order, form or strength of its words', async () => {
    const rows = [
      ['Hypertension, essential', 'Active', 'Mar 3, 2012'],
      ['Asthma (acute)', 'Resolved', '03/04/2012 10:15 AM'],
      ['13644009', 'Hypercholesterolemias', '(555) 555-1234'],
    ];
    assert.deepEqual(
      await listLinesOfProblems(
        buildTable({ rows }),
        'Essential hypertension',
        'Acute asthma',
        'Hypercholesterolemia',
      ),
      [],
    );
  });
});

describe('a row of a narrative whose numbers no entry of its name states', () => {
  const stated = [buildResult('Hemoglobin', '10.20'), buildResult('Glucose', '132.6')];

  it('is kept with the headings of its table', async () => {
    const heading = ['Test', 'Nov 1, 2011', 'August 6, 2012'];
    assert.deepEqual(
      await listLinesOfResults(
        {
          heading,
          first: 'th',
          rows: [
            ['Hemoglobin', '10.2', '13.2'],
            ['Glucose', '132.6'],
          ],
        },
        ...stated,
      ),
      [heading.join(' | '), 'Hemoglobin | 10.2 | 13.2'],
    );
  });

  it('is kept where the number is that of another test', async () => {
    assert.deepEqual(await listLinesOfResults({ rows: [['Hemoglobin', '132.6']] }, ...stated), [
      'Hemoglobin | 132.6',
    ]);
  });

  it('is not kept for other zeros, decimals, dates, telephone numbers and ids', async () => {
    const rows = [
      ['Hemoglobin', '10,2 g/dL', '12.08.2012', '08/12/2012 09:15:00', '12-Aug-2012', 'Aug 12 2012'],
      ['Glucose', '132.60 mg/dL', '133', '132', '(555) 555-1234', 'Order 20120812-17', '4004 Hospital Dr.'],
    ];
    assert.deepEqual(await listLinesOfResults({ rows }, ...stated), []);
  });
});
