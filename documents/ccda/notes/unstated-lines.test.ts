import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertCcdaDocument, decodeNoteText } from '../../../test/harness/ccda-document.ts';
import { parseCda } from '../parse-cda.ts';
import { listNarrativeLines } from '../render-narrative.ts';
import { collectStatements } from './statements.ts';
import { findUnstatedLines } from './unstated-lines.ts';

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

  it('is kept where it denies or adds in brackets what no entry does, and not for abbreviations and tags', async () => {
    const toItems = (...items: string[]): string =>
      `<list>${items.map((item) => `<item>${item}</item>`).join('')}</list>`;
    const more = ['No diabetes', 'Diabetes: denied', 'Diabetes (HIV)', 'Diabetes (not treated)'];
    const same = ['Diabetes (disorder)', 'Hypertension (HTN)', 'No known allergies', 'Diabetes, No. 5'];
    const names = ['Diabetes', 'Hypertension', 'No known allergies', 'Diabetes, number 5'];
    assert.deepEqual(
      await listLinesOfProblems(toItems(...same, ...more), ...names),
      more.map((item) => `- ${item}`),
    );
    assert.deepEqual(await listLinesOfProblems(toItems('No asthma'), 'Asthma, absent'), []);
  });

  it('is found by its next name where its first cell is a label, which is no name of an entry', async () => {
    const rows = [
      ['Mental Function', 'July 31, 2013', 'Difficulty understanding own emotions'],
      ['ADL/IADL: Bathing', 'July 31, 2013', 'Independent'],
      ['Cognitive function', 'Impaired'],
      ['Mental status', 'Normal'],
    ];
    assert.deepEqual(
      await listLinesOfProblems(buildTable({ rows }), 'Difficulty understanding own emotions', 'Bathing'),
      ['Cognitive function | Impaired', 'Mental status | Normal'],
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

describe('the headings of a narrative', () => {
  const heading = ['Name', 'Dates'];

  it('are no note where no row follows that is kept', async () => {
    const table = buildTable({ heading, rows: [['Asthma', '2012']] });
    for (const text of [
      `<list><caption>Issues</caption><item>${table}</item></list><list><caption>More issues</caption><item>${buildTable({ heading, rows: [] })}</item></list>`,
      `<list><item><table><thead><tr><th>Note written by Nick Nurse</th></tr></thead><tbody><tr><td>Asthma</td></tr></tbody></table></item></list>`,
    ])
      assert.deepEqual(await listLinesOfProblems(text, 'Asthma'), [], text);
  });

  it('stand before the rows of their own table, in an item too', async () => {
    const table = buildTable({ heading, rows: [['Epilepsy', '2013']] });
    assert.deepEqual(
      await listLinesOfProblems(
        `<list><caption>Issues</caption><item>${table}</item></list>${buildTable({ heading: ['Denied'], rows: [['Asthma']] })}<paragraph>Gout</paragraph>`,
        'Asthma',
      ),
      ['Issues', 'Name | Dates', 'Epilepsy | 2013', 'Gout'],
    );
  });

  it('take nothing with them that stands behind them in their line', () => {
    const inside = '<text><paragraph><caption>Course</caption>Slept well.</paragraph></text>';
    assert.deepEqual(
      listNarrativeLines(parseCda(Buffer.from(inside))).filter(({ text }) => text !== ''),
      [
        { text: 'Course', isHeading: true },
        { text: 'Slept well.', isHeading: false },
      ],
    );
  });

  it('are left out of a cell, but not the first cells of its rows', async () => {
    const inner = buildTable({ heading, rows: [['Epilepsy', '2013']], first: 'th' });
    assert.deepEqual(await listLinesOfProblems(`<table><tr><td>${inner}</td></tr></table>`, 'Asthma'), [
      'Epilepsy | 2013',
    ]);
  });
});

describe('the comparisons of a narrative with its entries', () => {
  const listRows = (count: number, toText: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => ({ text: toText(index), isHeading: false }));
  const toWord = (index: number): string =>
    `q${String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}z`;
  const compare = (count: number, toEntry: (index: number) => string[], toRow: (index: number) => string) => {
    const statements = collectStatements(Array.from({ length: count }, (_, index) => toEntry(index)));
    return {
      lines: findUnstatedLines(listRows(count, toRow), statements).length,
      work: statements.work.done / count,
    };
  };

  it('case 516: grow with the rows alone, where names share a word, a code or are the same', () => {
    const forms: [entry: (index: number) => string[], row: (index: number) => string, kept: boolean][] = [
      [(index) => [`Serum ${toWord(index)}`, '5'], (index) => `Serum ${toWord(index)} | 5`, false],
      [(index) => ['Glucose', `${index}.5`], (index) => `Glucose | ${index}.5`, false],
      [(index) => ['Glucose', `${index}.5`], (index) => `Glucose | 9${index}.7`, true],
      [() => ['Glucose', '2345-7'], (index) => `Sugar ${toWord(index)} | Glucose | 2345-7`, false],
      [(index) => ['2345-7', toWord(index)], (index) => `Sugar ${toWord(index)} | 2345-7`, true],
    ];
    for (const [toEntry, toRow, isKept] of forms) {
      const { lines, work } = compare(4000, toEntry, toRow);
      assert.equal(lines, isKept ? 4000 : 0, toRow(0));
      assert.ok(work < 25, `${toRow(0)}: ${work} comparisons a row`);
    }
  });

  it('case 516: end where they are too many, and the other rows are kept', () => {
    const common = Array.from({ length: 14 }, (_, index) => toWord(index));
    const toRow = (index: number): string => `${common.filter((_, bit) => (index >> bit) & 1).join(' ')} | 5`;
    const { lines, work } = compare(4000, () => [common.join(' '), '5'], toRow);
    assert.ok(work < 1000, `${work} comparisons a row`);
    assert.ok(lines > 3000);
  });
});
