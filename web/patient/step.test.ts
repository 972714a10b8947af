import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStep, type Step } from './step.ts';

describe('a step from the history', () => {
  const steps: Step[] = [
    { at: 'sign-in' },
    { at: 'sign-up' },
    { at: 'forgotten-password' },
    { at: 'mail-sent', email: 'jo@mail.example' },
    { at: 'confirmed', email: 'jo@mail.example' },
  ];
  for (const step of steps)
    it(`${step.at} is read as it was written`, () => assert.deepEqual(parseStep(step), step));

  it('drops properties that it does not know', () => {
    assert.deepEqual(parseStep({ at: 'sign-in', email: 'jo@mail.example', more: 1 }), { at: 'sign-in' });
  });

  it('is null when another page wrote the state', () => {
    for (const state of [null, undefined, 7, 'sign-in', [], {}, { at: 'nowhere' }, { at: null }])
      assert.equal(parseStep(state), null, JSON.stringify(state));
  });

  it('is null when it confirms nobody by name', () => {
    for (const state of [
      { at: 'confirmed' },
      { at: 'confirmed', email: 1 },
      { at: 'mail-sent', email: null },
    ])
      assert.equal(parseStep(state), null, JSON.stringify(state));
  });
});
