import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pickChanged, requireUnchanged } from './pick-changed.ts';

it('picks the fields of a body that are not as they were', () => {
  const before = { name: 'A', only: false, ids: ['x'], contact: { phone: '1' }, none: null };
  const after = { name: 'A', only: true, ids: ['x'], contact: { phone: '2' }, none: null };
  assert.deepEqual(pickChanged(before, after), { only: true, contact: { phone: '2' } });
  assert.deepEqual(pickChanged(before, before), {});
});

it('refuses a change of what somebody else has changed otherwise meanwhile, and no other', () => {
  const before = { name: 'A', ids: ['x'] };
  const now = { name: 'A', ids: ['x', 'y'] };
  assert.throws(() => requireUnchanged({ ids: ['x', 'z'] }, { before, now }), { code: 'changed_meanwhile' });
  requireUnchanged({ name: 'B' }, { before, now });
  requireUnchanged({ ids: ['x', 'y'] }, { before, now });
});
