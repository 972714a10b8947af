import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Refusal } from '../../../kit/http/refusal.ts';
import { en } from '../words/en.ts';
import { formatDecisionFailure, NOT_SENT } from './format-decision-failure.ts';

const format = (status: number, code: string) => formatDecisionFailure(new Refusal(status, code), en, 'en');

it('says that nothing was saved where that is known', () => {
  for (const [status, code] of [
    [503, 'busy'],
    [429, 'too_many_requests'],
    [500, NOT_SENT],
    [0, NOT_SENT],
  ] as const)
    assert.ok(format(status, code).endsWith(en.errors.notSaved), `${status} ${code}`);
});

it('blames the clock for times, and for nothing else that the service refuses', () => {
  const refuse = (...paths: string[]) => {
    const inputErrors = paths.map((path) => ({ path, message: 'must be something else' }));
    return formatDecisionFailure(new Refusal(400, 'invalid_input', { errors: inputErrors }), en, 'en');
  };
  for (const path of ['duration.until', 'takenAt', 'changedAt', 'interactions[3].at'])
    assert.equal(refuse(path), en.errors.notTaken, path);
  for (const path of ['representative.name', 'shown.representative.name', 'choices.representative.name'])
    assert.equal(refuse(path, 'takenAt'), `${en.errors.invalid} ${en.errors.notSaved}`, path);
});

it('says that it is not known whether the answer was saved, and that it counts once', () => {
  for (const [status, code] of [
    [500, 'internal_error'],
    [503, 'unavailable'],
    [0, 'unreachable'],
  ] as const)
    assert.equal(format(status, code), en.errors.maybeSaved, `${status} ${code}`);
});
