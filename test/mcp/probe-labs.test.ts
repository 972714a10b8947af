import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startTestService } from '../harness/service.ts';
import { lab, LIFE, loinc, openProbe, refer, type Resource } from './probe.ts';

const value = (digits: number, unit = 'mg/L'): object => ({ valueQuantity: { value: digits, unit } });
const within = (low: number, high: number, unit = 'mg/L'): object => ({
  referenceRange: [{ low: { value: low, unit }, high: { value: high, unit } }],
});
const range = (text: string): object => ({ referenceRange: [{ text }] });
const flag = (code: string): object => ({ interpretation: [{ coding: [{ code }] }] });

const service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '100000' } });

describe('laboratory results as a physician reads them', () => {
  after(() => service.stop());

  it('computes what is abnormal where value and range are comparable, and says that it is computed', async () => {
    const ask = await openProbe(
      service,
      lab('high', 'CRP', { ...value(20), ...within(0, 8) }),
      lab('low', 'Iron', { ...value(2), ...within(3, 8) }),
      lab('fine', 'Zinc', { ...value(5), ...within(3, 8) }),
      lab('edge', 'Copper', { ...value(8), ...within(3, 8) }),
      lab('below', 'Ferritin', { ...value(12), ...range('<10') }),
      lab('dash', 'Folate', { ...value(9), ...range('3-8') }),
      lab('bis', 'Troponin', { ...value(7), ...range('bis 5') }),
    );
    const text = await ask('get_labs', LIFE);
    text.says('CRP', '20', 'above 8', 'computed');
    text.says('Iron', 'below 3', 'computed');
    text.says('Ferritin', '12', 'above 10', 'computed');
    text.says('Folate', 'above 8', 'computed');
    text.says('Troponin', 'above 5', 'computed');
    for (const name of ['Zinc', 'Copper'])
      text.matches(new RegExp(`^\\|[^\\n]*${name}((?!computed)[^\\n])*$`, 'm'));
  });

  it('computes nothing where value and range do not compare', async () => {
    const ask = await openProbe(
      service,
      lab('units', 'Albumin', { ...value(40, 'g/L'), ...within(3, 5, 'g/dL') }),
      lab('less', 'TSH', { valueQuantity: { value: 5, comparator: '<', unit: 'mg/L' }, ...within(3, 8) }),
      lab('words', 'Protein', { ...value(40), ...range('see note 3-8') }),
      lab('swapped', 'MCV', { ...value(85), ...within(87.3, 82.4) }),
      lab('age', 'ALP', {
        ...value(300),
        referenceRange: [
          { low: { value: 30, unit: 'mg/L' }, high: { value: 120, unit: 'mg/L' }, text: 'adults' },
          { low: { value: 100, unit: 'mg/L' }, high: { value: 400, unit: 'mg/L' }, text: 'children' },
        ],
      }),
    );
    const text = await ask('get_labs', LIFE);
    text.saysNot('computed');
    text.says('ALP', '30 to 120', 'adults', '100 to 400', 'children');
  });

  it('keeps the laboratory’s own word, and shows where the range contradicts it', async () => {
    const ask = await openProbe(
      service,
      lab('contradiction', 'CRP', { ...value(20), ...within(3, 8), ...flag('N') }),
      lab('agreed', 'Iron', { ...value(20), ...within(3, 8), ...flag('H') }),
    );
    const text = await ask('get_labs', LIFE);
    text.says('CRP', 'Normal', 'above 8', 'computed');
    text.says('Iron', 'High');
  });

  it('gives the history of one test as one table, with first, last, lowest and highest', async () => {
    const a1c = { coding: [loinc('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood')] };
    const series = Array.from({ length: 59 }, (_, index) =>
      lab(`a${index}`, a1c, {
        effectiveDateTime: `${1965 + index}-03-04`,
        valueQuantity: { value: 5 + ((index * 7) % 40) / 10, unit: '%' },
      }),
    );
    const ask = await openProbe(
      service,
      ...series,
      lab('other', 'Glucose', { ...value(5), effectiveDateTime: '2023-03-05' }),
    );
    for (const tests of [['4548-4'], ['a1c'], ['Hemoglobin A1c']]) {
      const text = await ask('get_labs', { tests, ...LIFE });
      assert.equal(text.text.match(/^\| ?\d{4}-03-04/gm)?.length, 59, text.text);
      assert.doesNotMatch(text.text, /Glucose/);
      for (const word of [/lowest/i, /highest/i]) text.matches(word);
      assert.ok(countTokens(text.text) < 3000, `${countTokens(text.text)} tokens for 59 values`);
    }
    (await ask('get_labs', { tests: ['no such test'] })).matches(
      /no such test.*A test may have another name in this record; `search` finds it by words\./,
    );
  });

  it('lists what a report contains as results of it, the abnormal in the summary too', async () => {
    const ask = await openProbe(service, {
      resourceType: 'DiagnosticReport',
      id: 'r',
      status: 'final',
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'CBC' },
      effectiveDateTime: '2024-02-02',
      contained: [
        { resourceType: 'Observation', id: 'o', code: { text: 'WBC' }, ...value(0.9), ...flag('LL') },
      ],
      result: [refer('#o')],
      conclusion: 'Severe leukopenia',
    });
    const text = await ask('get_labs', LIFE);
    text.says('WBC', '0.9', 'Critical low', 'Severe leukopenia', 'DiagnosticReport/r');
    assert.doesNotMatch(text.text, /not in the part of the record/);
    (await ask('get_health_summary')).says('WBC', '0.9', 'Critical low', 'DiagnosticReport/r');
    (await ask('search', { query: 'white blood count' })).says('WBC', '0.9', 'DiagnosticReport/r');
  });

  it('says with the results of a report what it concludes, and search leads there', async () => {
    const report = {
      resourceType: 'DiagnosticReport',
      id: 'r',
      status: 'preliminary',
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'Lipid panel' },
      effectiveDateTime: '2024-02-02',
      conclusion: 'Start a statin now.',
      conclusionCode: [{ text: 'Familial hypercholesterolaemia' }],
      result: [refer('Observation/l')],
    };
    const ask = await openProbe(service, report, lab('l', 'LDL', value(190)));
    for (const input of [LIFE, { ...LIFE, tests: ['Lipid panel'] }])
      (await ask('get_labs', input)).says(
        '190',
        'Start a statin now',
        'Familial hypercholesterolaemia',
        'preliminary',
      );
    const found = await ask('search', { query: 'statin' });
    found.says('Laboratory result', 'Lipid panel', 'Start a statin now');
    found.matches(/get_labs \{"tests": \["Lipid panel"\]/);
  });

  it('says why a value, or one of two pressures, is missing, and no range that is not there', async () => {
    const pressure = {
      resourceType: 'Observation',
      id: 'p',
      status: 'final',
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { coding: [loinc('85354-9')] },
      effectiveDateTime: '2024-02-02',
      component: [
        { code: { coding: [loinc('8480-6')] }, valueQuantity: { value: 120, unit: 'mm[Hg]' } },
        { code: { coding: [loinc('8462-4')] }, dataAbsentReason: { text: 'patient moved' } },
      ],
    };
    const ask = await openProbe(
      service,
      pressure,
      lab('k1', 'Potassium', { ...value(4), ...within(3, 8) }),
      lab('k2', 'Potassium', {
        effectiveDateTime: '2024-02-03',
        dataAbsentReason: { text: 'Hemolyzed specimen' },
      }),
    );
    for (const [tool, input] of [
      ['get_vitals', LIFE],
      ['get_health_summary', {}],
    ] as const)
      (await ask(tool, input)).says('120/– mm[Hg] (Diastolic blood pressure: patient moved)');
    (await ask('get_labs', LIFE)).matches(/\| no value: Hemolyzed specimen \|/);
  });

  it('stays below 44,000 characters and 20,000 tokens, and goes on without gap or repeat', async () => {
    const many: Resource[] = Array.from({ length: 2500 }, (_, index) =>
      lab(`f${index}`, `Analyte ${index % 50}`, {
        ...value(index),
        ...within(3, 8),
        effectiveDateTime: `2024-${String(1 + (Math.floor(index / 50) % 12)).padStart(2, '0')}-${String(1 + Math.floor(index / 600)).padStart(2, '0')}T10:00:00Z`,
      }),
    );
    const ask = await openProbe(service, ...many);
    const seen: string[] = [];
    for (let beforeDate: string | undefined; ;) {
      const { text } = await ask('get_labs', { ...LIFE, ...(beforeDate !== undefined && { beforeDate }) });
      assert.ok(text.length <= 44_000, `${text.length} characters`);
      assert.ok(countTokens(text) <= 20_000, `${countTokens(text)} tokens`);
      seen.push(...[...text.matchAll(/(?<=\| )\d{1,4}(?= \(| \|)/g)].map(([value]) => value));
      [, beforeDate] = /nextBeforeDate: (\S+)$/.exec(text) ?? [];
      if (beforeDate === undefined) break;
    }
    assert.equal(new Set(seen).size, 2500);
    assert.equal(seen.length, 2500);
  });
});
