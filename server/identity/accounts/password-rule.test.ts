import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEmail } from '../../../contract/brands.ts';
import { validatePassword } from './password-rule.ts';

describe('a new password', () => {
  for (const [password, email, right] of [
    ['correct horse battery', 'kim@example.org', true],
    ['my password is kim', 'kim@example.org', true],
    ['my password is kims', 'kims@example.org', false],
    ['my password is KIMS', 'Kims@example.org', false],
    ['kim@example.org 1234', 'kim@example.org', false],
    ['example.org is mine', 'kims@example.org', true],
  ] as const) {
    it(`${right ? 'may' : 'may not'} be “${password}” for ${email}`, () => {
      assert.equal(validatePassword(password, toEmail(email)).length, right ? 0 : 1);
    });
  }
});
