import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry, measure } from '../../../../test/harness/chart.ts';
import type { ContextFact } from '../../../clinical/entries/entry-link.ts';
import type { ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { renderAnswer } from './answer-text.ts';
import { renderLabPanels } from './lab-panels.ts';
import { renderLabTests } from './lab-tests.ts';
import { resolveTests } from '../../../clinical/queries/lab-tests.ts';

type Lab = StoredEntry<'lab'>;
type Given = Partial<Omit<Lab, 'detail'>> & { detail?: Partial<ObservationDetail> };

let seq = 0;
function lab(title: string, { detail, context, ...rest }: Given): Lab {
  seq += 1;
  const built = entry('lab', title, { dayText: '2024-02-03', ...rest, detail: detail ?? {} });
  const place = { seq, ordinal: 0, reference: `Observation/${seq}`, documentPath: 'record.json' };
  return { ...built, ...place, ...rest, context: context ?? null } as Lab;
}
const result = (title: string, value: string, unit: string | null, given: Given = {}): Lab =>
  lab(title, { ...given, detail: { value, unit, ...given.detail } });

const panel = (title: string, level: number, from: string, text: string | null = null): ContextFact => ({
  role: 'panel',
  from,
  title,
  code: null,
  text,
  level,
});
const specimen = (title: string): ContextFact => ({
  role: 'specimen',
  from: 'Specimen/1',
  title,
  code: null,
  text: null,
  level: 1,
});

const render = (...labs: Lab[]): string => {
  seq = 0;
  return renderAnswer(renderLabPanels(labs));
};
const lines = (text: string): string[] => text.split('\n').filter((line) => /^(##|\||Sources?:)/.test(line));

describe('laboratory results', () => {
  it('of a panel are one row a moment, with unit and range in the heading', () => {
    seq = 0;
    const lipids = { context: [panel('Lipid panel', 1, 'DiagnosticReport/r')] };
    const range = { referenceRange: '0 to 100 mg/dL' };
    assert.deepEqual(
      lines(
        render(
          result('LDL', '190', 'mg/dL', { ...lipids, detail: range }),
          result('HDL', '51', 'mg/dL', lipids),
          result('LDL', '95', 'mg/dL', { ...lipids, dayText: '2023-02-03', detail: range }),
          result('HDL', '49', 'mg/dL', { ...lipids, dayText: '2023-02-03' }),
        ),
      ),
      [
        '## Lipid panel',
        '| Date | LDL (mg/dL; 0 to 100) | HDL (mg/dL) | Reference |',
        '|---|---|---|---|',
        '| 2024-02-03 | 190 | 51 | Observation/1 (2) |',
        '| 2023-02-03 | 95 | 49 | Observation/3 (2) |',
        'Source: Riverside Clinic',
      ],
    );
  });

  it('of cultures keep specimen, organism and drug together, and isolates of one moment apart', () => {
    seq = 0;
    const grown = (organism: string, from: string): Given => ({
      context: [panel(organism, 1, from), panel('Blood culture', 2, 'Observation/c'), specimen('Blood')],
    });
    const text = render(
      result('Levofloxacin', 'Resistant', null, grown('Escherichia coli', 'Observation/o1')),
      result('Levofloxacin', 'Susceptible', null, grown('Klebsiella', 'Observation/o2')),
      result('Levofloxacin', 'Susceptible', null, grown('Escherichia coli', 'Observation/o3')),
      result('Blood culture', 'No growth', null, { dayText: '2024-02-01' }),
    );
    assert.deepEqual(lines(text), [
      '## Blood culture: Escherichia coli',
      '| Date | Levofloxacin | Of | Reference |',
      '|---|---|---|---|',
      '| 2024-02-03 | Resistant | specimen: Blood | Observation/1 |',
      '| 2024-02-03 | Susceptible | specimen: Blood | Observation/3 |',
      '## Blood culture: Klebsiella',
      '| Date | Levofloxacin | Of | Reference |',
      '|---|---|---|---|',
      '| 2024-02-03 | Susceptible | specimen: Blood | Observation/2 |',
      '## Other results',
      '| Date | Blood culture | Reference |',
      '|---|---|---|',
      '| 2024-02-01 | No growth | Observation/4 |',
      'Source: Riverside Clinic',
    ]);
  });

  it('show units, ranges and flags that differ beside the value they belong to', () => {
    seq = 0;
    const text = render(
      result('Potassium', '6.9', 'mmol/L', {
        detail: { referenceRange: '3.5 to 5', computed: { flag: 'high', text: 'above 5' } },
      }),
      result('Potassium', '4.0', 'mEq/L', { dayText: '2023-01-01', detail: { referenceRange: '3.4 to 5' } }),
      result('Potassium', '4.1', 'mmol/L', {
        dayText: '2022-01-01',
        status: 'preliminary',
        detail: { interpretation: 'Normal', computed: { flag: 'high', text: 'above 4', contradicts: true } },
      }),
    );
    assert.deepEqual(lines(text).slice(3), [
      '| 2024-02-03 | 6.9 mmol/L (range 3.5 to 5; above 5, computed) | Observation/1 |',
      '| 2023-01-01 | 4.0 mEq/L (range 3.4 to 5) | Observation/2 |',
      '| 2022-01-01 | 4.1 mmol/L (Normal as written, but above 4, computed; preliminary) | Observation/3 |',
      'Source: Riverside Clinic',
    ]);
  });

  it('have a unit and a range in the heading only where every number below has them', () => {
    seq = 0;
    const at = (year: number, referenceRange: string | null = null) => ({
      dayText: `${year}-01-01`,
      detail: { referenceRange },
    });
    const text = render(
      result('Glucose', '101', 'mg/dL', at(2024, '70 to 99')),
      result('Glucose', '5.6', null, at(2023)),
      result('Glucose', '< 5.9', null, at(2022)),
      result('Ketones', '15', 'mg/dL', at(2024, '0 to 5')),
      result('Ketones', 'Negative', null, at(2023)),
      result('Ketones', 'Trace', null, at(2022)),
      result('Protein', '12', 'mg/dL', at(2024, '0 to 10')),
      result('Protein', '9', 'mg/dL', at(2023)),
      result('Protein', 'Negative', null, at(2022)),
    );
    assert.deepEqual(lines(text).slice(1, -1), [
      '| Date | Glucose | Ketones (mg/dL; 0 to 5) | Protein (mg/dL) | Reference |',
      '|---|---|---|---|---|',
      '| 2024-01-01 | 101 mg/dL (range 70 to 99) | 15 | 12 (range 0 to 10) | Observation/7 (3) |',
      '| 2023-01-01 | 5.6 | Negative | 9 | Observation/8 (3) |',
      '| 2022-01-01 | < 5.9 | Trace | Negative | Observation/9 (3) |',
    ]);
  });

  it('of reports that are called like their result share a table', () => {
    seq = 0;
    const text = render(
      ...['Platelets', 'Hematocrit'].flatMap((name) =>
        ['2024-02-03', '2023-02-03', '2022-02-03'].map((dayText) =>
          result(name, '1', null, {
            dayText,
            context: [panel(name, 1, `DiagnosticReport/${name}${dayText}`)],
          }),
        ),
      ),
    );
    assert.deepEqual(
      lines(text).filter((line) => /^##|^\| Date/.test(line)),
      ['## Results', '| Date | Platelets | Hematocrit | Reference |'],
    );
  });

  it('of a panel with many tests are several sheets, each with its reference', () => {
    seq = 0;
    const text = render(
      ...['2024-02-03', '2023-02-03'].flatMap((dayText) =>
        Array.from({ length: 14 }, (_, index) =>
          result(`Analyte ${index}`, String(index), 'U/L', {
            dayText,
            context: [panel('Chemistry', 1, `DiagnosticReport/${dayText}`)],
          }),
        ),
      ),
    );
    const heads = lines(text).filter((line) => line.startsWith('| Date'));
    assert.deepEqual(
      heads.map((line) => line.match(/Analyte \d+/g)?.length),
      [7, 7],
    );
    assert.deepEqual(lines(text).slice(0, 5).toSpliced(1, 2), [
      '## Chemistry',
      '| 2024-02-03 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | Observation/1 (7) |',
      '| 2023-02-03 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | Observation/15 (7) |',
    ]);
  });

  it('of many different tests are a list by test, not a wide and empty sheet', () => {
    seq = 0;
    const many = Array.from({ length: 14 }, (_, index) =>
      result(`Analyte ${index}`, String(index), index === 3 ? 'mg/L' : 'U/L', {
        dayText: `2024-01-${10 + index}`,
      }),
    );
    const text = render(...many);
    assert.deepEqual(lines(text).slice(0, 7), [
      '## Results',
      '| Test | Date | Result | Unit | Reference |',
      '|---|---|---|---|---|',
      '| Analyte 0 | 2024-01-10 | 0 |  | Observation/1 |',
      '| Analyte 1 | 2024-01-11 | 1 |  | Observation/2 |',
      '| Analyte 2 | 2024-01-12 | 2 |  | Observation/3 |',
      '| Analyte 3 | 2024-01-13 | 3 | mg/L | Observation/4 |',
    ]);
    assert.match(text, /^Unit where blank: U\/L$/m);
  });

  it('that a panel only lists, and the consent withholds, are said to be missing', () => {
    seq = 0;
    const text = render(lab('Urine culture', { detail: { members: ['Observation/x'] } }));
    assert.match(
      text,
      /Urine culture .*\n.*\n\| 2024-02-03 \| its results are not in the part of the record that is shown \|/,
    );
  });

  it('from several sources have marks with a legend, where a table mixes them', () => {
    seq = 0;
    const text = render(
      result('Glucose', '5.4', 'mmol/L', { organization: 'Hilltop Labs' }),
      result('Sodium', '140', 'mmol/L', { organization: 'City Hospital' }),
    );
    assert.deepEqual(lines(text).slice(1), [
      '| Date | Glucose (mmol/L) | Sodium (mmol/L) | Source | Reference |',
      '|---|---|---|---|---|',
      '| 2024-02-03 | 5.4 |  | A | Observation/1 |',
      '| 2024-02-03 |  | 140 | B | Observation/2 |',
      'Sources: A = Hilltop Labs; B = City Hospital',
    ]);
  });
});

describe('the conditions of a result', () => {
  const culture = (value: string, bodySite: string, dayText: string): Lab =>
    result('Wound culture', value, null, { dayText, detail: { bodySite } });

  it('stand beside each value where they differ, and once where they are the same', () => {
    assert.match(
      render(culture('No growth', 'Left heel', '2024-02-03'), culture('E. coli', 'Right heel', '2023-02-03')),
      /\| No growth \(Left heel\) \|[^]*\| E\. coli \(Right heel\) \|/,
    );
    assert.deepEqual(
      lines(
        render(
          culture('No growth', 'Left heel', '2024-02-03'),
          culture('E. coli', 'Left heel', '2023-02-03'),
        ),
      ),
      [
        '## Results',
        '| Date | Wound culture (Left heel) | Reference |',
        '|---|---|---|',
        '| 2024-02-03 | No growth | Observation/1 |',
        '| 2023-02-03 | E. coli | Observation/2 |',
        'Source: Riverside Clinic',
      ],
    );
  });
});

describe('the course of a test', () => {
  const course = (tests: string[], ...labs: Lab[]): string =>
    renderAnswer(
      renderLabTests(
        labs,
        tests.map((name) => ({ name, filter: resolveTests([name], () => []) })),
      ),
    );

  it('names first, last, lowest and highest, and lists the values newest first', () => {
    seq = 0;
    const a1c = { code: 'http://loinc.org|4548-4', groupKey: 'http://loinc.org|4548-4' };
    const text = course(
      ['a1c', 'ferritin'],
      result('Hemoglobin A1c', '7.0', '%', { ...a1c, dayText: '2024-01-01' }),
      result('Hemoglobin A1c', '9.5', '%', { ...a1c, dayText: '2023-01-01' }),
      result('Hemoglobin A1c', '6.1', '%', { ...a1c, dayText: '2022-01-01' }),
    );
    assert.match(text, /^## Hemoglobin A1c · LOINC 4548-4$/m);
    assert.match(
      text,
      /^3 values: first 6\.1 % \(2022-01-01\), last 7\.0 % \(2024-01-01\), lowest 6\.1 % \(2022-01-01\), highest 9\.5 % \(2023-01-01\)\.$/m,
    );
    assert.match(text, /\| 2024-01-01 \| 7\.0 \|.*\n\| 2023-01-01 \| 9\.5 \|.*\n\| 2022-01-01 \| 6\.1 \|/);
    assert.match(text, /^Not found in this window: “ferritin”\./m);
  });

  it('counts a cancelled result as no value, and says an unusual status', () => {
    seq = 0;
    const text = course(
      ['potassium'],
      result('Potassium', '0.5', 'mmol/L', { dayText: '2024-01-01', status: 'unknown' }),
      result('Potassium', '9.9', 'mmol/L', { dayText: '2023-01-01', status: 'cancelled' }),
      result('Potassium', '4.1', 'mmol/L', { dayText: '2022-01-01' }),
    );
    assert.match(
      text,
      /^2 values besides 1 cancelled: first 4\.1 mmol\/L \(2022-01-01\), last 0\.5 mmol\/L \(2024-01-01; status unknown\), lowest 0\.5 mmol\/L \(2024-01-01; status unknown\), highest 4\.1 mmol\/L \(2022-01-01\)\.$/m,
    );
    assert.match(text, /\| 2023-01-01 \| 9\.9 \(cancelled\) \|/);
  });

  it('counts what has no date, which may be the highest, and is neither first nor last', () => {
    seq = 0;
    const undated = { dayText: null, day: null };
    const potassium = [
      result('Potassium', '4.2', 'mmol/L', { dayText: '2025-02-01' }),
      result('Potassium', '4.0', 'mmol/L', { dayText: '2025-01-01' }),
      result('Potassium', '7.9', 'mmol/L', undated),
    ];
    assert.match(
      course(['potassium'], ...potassium),
      /^3 values, 1 of them without a date: first 4\.0 mmol\/L \(2025-01-01\), last 4\.2 mmol\/L \(2025-02-01\), lowest 4\.0 mmol\/L \(2025-01-01\), highest 7\.9 mmol\/L \(no date\)\.$/m,
    );
    assert.match(
      course(['potassium'], ...potassium.slice(1)),
      /^2 values, 1 of them without a date: lowest 4\.0 mmol\/L \(2025-01-01\), highest 7\.9 mmol\/L \(no date\)\.$/m,
    );
  });

  it('counts what has no value apart, and says under which conditions values were measured where these differ', () => {
    seq = 0;
    const at = (bodySite: string) => ({ bodySite });
    assert.match(
      course(
        ['ph'],
        lab('pH', { dayText: '2024-02-01', detail: { absent: 'Hemolyzed' } }),
        result('pH', '5', null, { dayText: '2024-01-01', detail: at('Left heel') }),
        result('pH', '7', null, { dayText: '2023-01-01', detail: at('Right heel') }),
      ),
      /^2 values besides 1 without a value: first 7 \(2023-01-01; Right heel\), last 5 \(2024-01-01; Left heel\), /m,
    );
  });

  it('names no extremes of values in different units', () => {
    seq = 0;
    const text = course(
      ['glucose'],
      result('Glucose', '99', 'mg/dL', {}),
      result('Glucose', '5.4', 'mmol/L', { dayText: '2023-01-01' }),
    );
    assert.match(text, /in several units, so that lowest and highest are not told/);
    assert.doesNotMatch(text, /lowest 5|highest 99/);
  });

  it('names no extremes of a value in a unit and a number without one, and some of a value and words', () => {
    seq = 0;
    const glucose = (value: string, unit: string | null, year: number): Lab =>
      result('Glucose', value, unit, { dayText: `${year}-01-01` });
    const mixed = course(['glucose'], glucose('101', 'mg/dL', 2024), glucose('5.6', null, 2023));
    assert.match(mixed, /first 5\.6 \(2023-01-01\), last 101 mg\/dL \(2024-01-01\), in several units/);
    assert.match(mixed, /^\| Date \| Result \|/m);
    assert.match(
      course(
        ['glucose'],
        glucose('101', 'mg/dL', 2024),
        glucose('99', 'mg/dL', 2023),
        glucose('Negative', null, 2022),
      ),
      /lowest 99 mg\/dL \(2023-01-01\), highest 101 mg\/dL[^]*\| Date \| Result \(mg\/dL\) \|/,
    );
  });

  it('finds a test as a component, and by the name of its panel', () => {
    seq = 0;
    const urinalysis = lab('Urinalysis', {
      detail: { components: [measure('pH', '6.0', null), measure('Protein', '10', 'mg/dL')] },
    });
    assert.match(course(['protein'], urinalysis), /## Urinalysis: Protein\n[^]*\| 10 \|/);
    const ldl = result('LDL', '190', 'mg/dL', { context: [panel('Lipid panel', 1, 'DiagnosticReport/r')] });
    assert.match(course(['lipid panel'], ldl), /## LDL\n/);
  });

  it('takes a short name for a word and not for a part of one', () => {
    seq = 0;
    assert.match(course(['alt'], result('Cobalt', '1', 'ug/L')), /^Not found in this window: “alt”/m);
    assert.match(course(['alt'], result('ALT (SGPT)', '30', 'U/L')), /## ALT \(SGPT\)/);
  });
});
