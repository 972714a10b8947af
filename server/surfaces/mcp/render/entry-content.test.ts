import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entry, TODAY } from '../../../../test/harness/chart.ts';
import { renderContent } from './entry-content.ts';

describe('the content of an entry', () => {
  it('begins with the sense in which it is so, then says the rest', () => {
    const contents = [
      entry('allergy', 'Penicillin', {
        detail: { clinicalStatus: 'active', verification: 'refuted', reactions: ['Hives'] },
      }),
      entry('condition', 'Lupus', {
        detail: { clinicalStatus: 'active', verification: 'provisional', severity: 'moderate' },
      }),
      entry('immunization', 'Influenza', { status: 'not-done', detail: { notDone: true, dose: 'dose 1' } }),
      entry('visit', 'Check-up', { status: 'cancelled' }),
      entry('lab', 'Sodium', { status: 'cancelled', detail: { value: '128', interpretation: 'Low' } }),
    ].map((each) => renderContent(each, TODAY));
    assert.deepEqual(contents, [
      'refuted, recorded as active; Hives',
      'active, provisional; moderate',
      'not given; dose 1',
      'cancelled; ambulatory',
      'cancelled; 128; Low',
    ]);
  });
});
