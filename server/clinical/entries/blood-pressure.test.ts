import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry } from '../../../test/harness/chart.ts';
import { pairHalves } from './blood-pressure.ts';
import type { ObservationDetail } from './observation-detail.ts';

type Given = {
  time?: string | null;
  status?: string;
  source?: string;
  unit?: string;
} & Partial<ObservationDetail>;

function half(name: 'Systolic' | 'Diastolic', value: string, given: Given = {}, kind = ['8480-6', '8462-4']) {
  const { time = '08:00', status = 'final', source = 'a', ...detail } = given;
  const vital = entry('vital', `${name} blood pressure`, {
    code: `http://loinc.org|${name === 'Systolic' ? kind[0] : kind[1]}`,
    dayText: '2026-10-02',
    time,
    status,
    detail: { vital: 'Blood Pressure', value, unit: 'mmHg', ...detail },
  });
  return { ...vital, detail: vital.detail as ObservationDetail, documentPath: 'record.json', source };
}

const show = (...halves: ReturnType<typeof half>[]): string[] =>
  pairHalves(halves).map(({ title, detail }) =>
    [title, detail.value ?? detail.components.map(({ value }) => value).join('/')].join(' '),
  );

const SYSTOLIC = 'Systolic blood pressure 188';
const DIASTOLIC = 'Diastolic blood pressure 110';

describe('the halves of a blood pressure', () => {
  it('are one pressure where one source states both of one moment, in whatever order', () => {
    const whole = ['Blood pressure 188/110'];
    assert.deepEqual(show(half('Systolic', '188'), half('Diastolic', '110')), whole);
    assert.deepEqual(show(half('Diastolic', '110'), half('Systolic', '188')), whole);
    assert.deepEqual(
      show(half('Systolic', '188', { time: null }), half('Diastolic', '110', { time: null })),
      whole,
    );
    const supine = ['8461-6', '8455-8'];
    assert.deepEqual(show(half('Systolic', '188', {}, supine), half('Diastolic', '110', {}, supine)), whole);
  });

  it('keep their flags, notes and entries', () => {
    const [systolic, diastolic] = [
      half('Systolic', '188', { flag: 'high', interpretation: 'High', note: 'upset' }),
      half('Diastolic', '110', { note: 'repeat' }),
    ];
    const [whole] = pairHalves([systolic, diastolic]);
    assert.deepEqual(whole?.halves, [systolic, diastolic]);
    assert.equal(whole?.detail.note, 'upset\nrepeat');
    assert.equal(whole?.detail.flag, undefined);
    assert.deepEqual(
      whole?.detail.components.map(({ flag }) => flag),
      ['high', undefined],
    );
  });

  it('stay halves where the moment, the source, the status, the unit or a condition is another', () => {
    for (const other of [
      { time: '08:01' },
      { source: 'b' },
      { status: 'cancelled' },
      { unit: 'kPa' },
      { bodySite: 'Right arm' },
      { method: 'Palpation' },
      { performer: 'Dr. B' },
      { device: 'Cuff 2' },
      { position: 'Supine' },
    ])
      assert.deepEqual(
        show(half('Systolic', '188'), half('Diastolic', '110', other)),
        [SYSTOLIC, DIASTOLIC],
        JSON.stringify(other),
      );
    assert.deepEqual(show(half('Systolic', '188'), half('Diastolic', '110', {}, ['8461-6', '8455-8'])), [
      SYSTOLIC,
      DIASTOLIC,
    ]);
  });

  it('stay halves where one is alone, or nobody knows which belong together', () => {
    assert.deepEqual(show(half('Systolic', '188')), [SYSTOLIC]);
    const several = [half('Systolic', '188'), half('Systolic', '170'), half('Diastolic', '110')];
    assert.equal(show(...several).length, 3);
  });
});
