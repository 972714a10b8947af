import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDrugEnds } from './drug-ends.ts';
import type { DrugStatement } from './drug-ends.sql.ts';

const state = (more: Partial<DrugStatement>): DrugStatement => ({
  category: 'MEDICATIONS',
  groupKey: 'metoprolol',
  inForce: false,
  status: 'stopped',
  dayText: null,
  endText: null,
  dosage: null,
  statusReason: null,
  reference: 'MedicationRequest/x',
  similarIds: [],
  ...more,
});
const active = (dayText: string | null, dosage: string | null = null): DrugStatement =>
  state({ inForce: true, status: 'active', dayText, dosage });
const stopped = (dayText: string | null, more: Partial<DrugStatement> = {}): DrugStatement =>
  state({ dayText, ...more });
const order = (...statements: DrugStatement[]): string | undefined =>
  findDrugEnds(statements).get('metoprolol')?.order;

describe('the end of a drug that is in force', () => {
  it('is a later record that stops or holds it', () => {
    assert.equal(order(active('2024-01-01'), stopped('2026-06-01')), 'later');
    assert.equal(order(active('2024-01-01'), stopped('2025')), 'later');
    assert.equal(order(active('2024'), stopped('2025-01', { status: 'on-hold' })), 'later');
  });

  it('is none where the drug was ordered again', () => {
    assert.equal(order(active('2026-07-01'), stopped('2026-06-01')), undefined);
    assert.equal(order(active('2024-01-01'), active('2026-07'), stopped('2026-06-01')), undefined);
    assert.equal(
      order(active('2024-03-25'), stopped('2024-01-01', { status: 'completed', endText: '2024-03-31' })),
      undefined,
    );
    assert.equal(order(active('2024-03-25'), stopped('2024-01-01', { endText: '2024-02-01' })), undefined);
  });

  it('is not claimed where the dates leave it open', () => {
    assert.equal(order(active('2026-06-01'), stopped('2026-06-01')), 'unclear');
    assert.equal(order(active('2026-06-01'), stopped('2026-06-01', { status: 'completed' })), undefined);
    assert.equal(order(active('2026-03-01'), stopped('2026')), 'unclear');
    assert.equal(order(active('2026-03'), stopped('2026-03-31')), 'unclear');
    assert.equal(order(active(null), stopped('2026-03-31')), 'unclear');
    assert.equal(order(active('2026-03-01'), stopped(null)), 'unclear');
    assert.equal(order(active('2024-03-25'), stopped('2024-01-01', { endText: '2026-06-01' })), 'unclear');
  });

  it('is not claimed of another dosage', () => {
    assert.equal(order(active('2024-01-01', '2 mg'), stopped('2026-06-01', { dosage: '5 mg' })), 'unclear');
    assert.equal(order(active('2024-01-01', '2 mg'), stopped('2026-06-01', { dosage: '2 mg' })), 'later');
    assert.equal(order(active('2024-01-01'), stopped('2026-06-01', { dosage: '5 mg' })), 'later');
    assert.equal(order(active('2024-01-01', '2 mg'), stopped('2026-06-01')), 'later');
    const [weak, strong] = ['1 tab (strength 25 MG)', '1 tab (strength 200 MG)'];
    assert.equal(order(active('2024-01-01', weak), stopped('2026-06-01', { dosage: strong })), 'unclear');
    assert.equal(order(active('2024-01-01', weak), stopped('2026-06-01', { dosage: '1 tab' })), 'later');
    const since = 'from 2024-01-01';
    assert.equal(order(active('2024-01-01', `2 MG ${since}`), stopped('2026', { dosage: '2 mg' })), 'later');
  });

  it('is what says most: a stop before a remark', () => {
    const end = findDrugEnds([
      active('2024-01-01', '2 mg'),
      stopped('2026-06-02', { dosage: '5 mg' }),
      stopped('2026-06-01', { dosage: '2 mg', reference: 'MedicationRequest/y' }),
    ]).get('metoprolol');
    assert.equal(end?.ending.reference, 'MedicationRequest/y');
  });
});
