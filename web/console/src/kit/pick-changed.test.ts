import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pickChanged } from './pick-changed.ts';

it('picks the fields of a body that are not as they were', () => {
  const before = { name: 'A', only: false, ids: ['x'], contact: { phone: '1' }, none: null };
  const after = { name: 'A', only: true, ids: ['x'], contact: { phone: '2' }, none: null };
  assert.deepEqual(pickChanged(before, after), { only: true, contact: { phone: '2' } });
  assert.deepEqual(pickChanged(before, before), {});
});
