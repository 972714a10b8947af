import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry } from '../../../test/harness/chart.ts';
import { listConditions } from './measure-conditions.ts';
import type { ObservationDetail } from './observation-detail.ts';

describe('the conditions of a measurement', () => {
  const list = (title: string, detail: object = {}, code: string | null = null) => {
    const vital = entry('vital', title, { code, detail });
    return listConditions({ title, code, detail: vital.detail as ObservationDetail }, 'Body Temperature');
  };

  it('are its position, method and site, and what its name or its code says', () => {
    assert.deepEqual(list('Blood pressure Supine', { bodySite: 'Left arm' }), ['Supine', 'Left arm']);
    assert.deepEqual(list('Presión arterial de pie'), ['de pie']);
    assert.deepEqual(list('Temp', { position: 'Sitting' }, 'http://loinc.org|8328-7'), [
      'Sitting',
      'axillary',
    ]);
    assert.deepEqual(list('BP', {}, 'http://loinc.org|8460-8'), ['standing']);
    assert.deepEqual(list('Temp', {}, 'http://example.org|8328-7'), []);
  });

  it('are said once, and not where the name beside them says so', () => {
    assert.deepEqual(list('Axillary temp', { method: 'axillary' }, 'http://loinc.org|8328-7'), ['Axillary']);
    const culture = {
      title: 'Culture left heel',
      code: null,
      detail: entry('lab', '').detail as ObservationDetail,
    };
    assert.deepEqual(
      listConditions({ ...culture, detail: { ...culture.detail, bodySite: 'Left heel' } }),
      [],
    );
  });

  it('are no part of a usual name', () => {
    for (const title of [
      'Oxygen saturation in Arterial blood by Pulse oximetry',
      'Body mass index',
      'Oralia',
    ])
      assert.deepEqual(list(title), [], title);
  });
});
