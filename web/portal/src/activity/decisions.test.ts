import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classifyDecisions, type Receipt } from './decisions.ts';

const receipt = (id: string, decidedAt: string, more: object = {}): Receipt =>
  ({
    consentRecordId: id,
    decidedAt,
    consentStatus: 'OPTED_IN',
    until: '2027-01-01T00:00:00Z',
    project: { id: 'study', name: 'Study' },
    ...more,
  }) as Receipt;

const listKinds = (...oldestFirst: Receipt[]): string[] => {
  const kinds = classifyDecisions(oldestFirst.toReversed());
  return oldestFirst.map(({ consentRecordId }) => kinds.get(consentRecordId) ?? '');
};

describe('classifyDecisions', () => {
  it('calls a consent while an earlier one is in force a change', () => {
    assert.deepEqual(listKinds(receipt('1', '2026-01-01'), receipt('2', '2026-02-01')), ['given', 'changed']);
  });

  it('calls a consent after a withdrawal or an expiry a new one', () => {
    const takenBack = receipt('2', '2026-02-01', { consentStatus: 'OPTED_OUT' });
    assert.deepEqual(listKinds(receipt('1', '2026-01-01'), takenBack, receipt('3', '2026-03-01')), [
      'given',
      'taken-back',
      'given',
    ]);
    assert.deepEqual(listKinds(receipt('1', '2026-01-01'), receipt('2', '2027-02-01')), ['given', 'given']);
  });

  it('compares decisions of the same project only', () => {
    const other = receipt('2', '2026-02-01', { project: { id: 'other', name: 'Other' } });
    assert.deepEqual(listKinds(receipt('1', '2026-01-01'), other), ['given', 'given']);
  });
});
