import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStep, type Step } from './step.ts';

describe('a step from the history', () => {
  const steps: Step[] = [
    { at: 'sign-in' },
    { at: 'sign-up' },
    { at: 'forgotten-password' },
    { at: 'sign-in', email: 'jo@mail.example' },
    { at: 'sign-up', email: 'jo@mail.example' },
    { at: 'mail-sent', email: 'jo@mail.example', to: 'sign-up' },
    { at: 'mail-sent', email: 'jo@mail.example', to: 'forgotten-password' },
    { at: 'confirmed', person: 'account-1' },
    {
      at: 'confirmed',
      person: 'account-1',
      changed: { review: 'request', at: '2026-11-20T11:00:00.000Z' },
    },
  ];
  for (const step of steps)
    it(`is read as it was written: ${JSON.stringify(step)}`, () => assert.deepEqual(parseStep(step), step));

  it('drops properties that it does not know', () => {
    assert.deepEqual(parseStep({ at: 'sign-in', more: 1 }), { at: 'sign-in' });
  });

  it('drops a change that says not of what and when', () => {
    for (const changed of [null, 7, {}, { review: 'x' }, { review: 1, at: '2026' }])
      assert.deepEqual(parseStep({ at: 'confirmed', person: 'account-1', changed }), {
        at: 'confirmed',
        person: 'account-1',
      });
  });

  it('confirms by the address what a page of the version before wrote', () => {
    assert.deepEqual(parseStep({ at: 'confirmed', email: 'jo@mail.example' }), {
      at: 'confirmed',
      person: 'jo@mail.example',
    });
  });

  it('is null when another page wrote the state', () => {
    for (const state of [null, undefined, 7, 'sign-in', [], {}, { at: 'nowhere' }, { at: null }])
      assert.equal(parseStep(state), null, JSON.stringify(state));
  });

  it('is null when it confirms nobody by name', () => {
    for (const state of [
      { at: 'confirmed' },
      { at: 'confirmed', person: 1, email: 1 },
      { at: 'mail-sent', email: null },
    ])
      assert.equal(parseStep(state), null, JSON.stringify(state));
  });
});
