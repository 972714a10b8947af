import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEmail } from '../../../contract/brands.ts';
import { validatePassword } from './password-rule.ts';

describe('validatePassword', () => {
  for (const [password, email, isAccepted] of [
    ['correct horse battery', 'kim@example.org', true],
    ['my password is kim', 'kim@example.org', true],
    ['my password is kims', 'kims@example.org', false],
    ['my password is KIMS', 'Kims@example.org', false],
    ['kim@example.org 1234', 'kim@example.org', false],
    ['example.org is mine', 'kims@example.org', true],
  ] as const) {
    it(`${isAccepted ? 'accepts' : 'refuses'} “${password}” for ${email}`, () => {
      assert.equal(validatePassword(password, toEmail(email)).length, isAccepted ? 0 : 1);
    });
  }
});
