import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPasswordLine } from './password-line.ts';

describe('the line of new passwords', () => {
  it('gives whoever asks for one a turn among those who ask for many (case 341)', async () => {
    const line = createPasswordLine();
    const ended: string[] = [];
    const hash = (by: string): Promise<unknown> => line.hash('a password', by).then(() => ended.push(by));
    await Promise.all([...Array.from({ length: 40 }, () => hash('organization')), hash('person')]);
    assert.equal(ended.length, 41);
    // Two run when the person comes, and two at most of those that had their turn before.
    assert.ok(ended.indexOf('person') <= 4, String(ended.indexOf('person')));
  });
});
