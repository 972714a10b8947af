import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEmail } from '../../../contract/brands.ts';
import { createPasswordRule } from './password-rule.ts';

describe('the rule of passwords', () => {
  const rule = createPasswordRule();
  for (const [password, email, isAccepted] of [
    ['correct horse battery', 'kim@example.org', true],
    ['my password is kim', 'kim@example.org', true],
    ['violet-umbrella-17', 'kim@example.org', true],
    ['Xq7!rT9bLm2z', 'kim@example.org', true],
    ['la casa azul grande', 'kim@example.org', true],
    ['example.org is mine', 'kims@example.org', true],
    ['my password is kims', 'kims@example.org', false],
    ['my password is KIMS', 'Kims@example.org', false],
    ['kim@example.org 1234', 'kim@example.org', false],
    ['password1234', 'kim@example.org', false],
    ['P@ssw0rd2026', 'kim@example.org', false],
    ['Contraseña1234', 'kim@example.org', false],
    ['123456789012', 'kim@example.org', false],
    ['aaaaaaaaaaaa', 'kim@example.org', false],
    ['abcabcabcabc', 'kim@example.org', false],
    ['qwertyuiop[]', 'kim@example.org', false],
    ['chartgate1234', 'kim@example.org', false],
    ['Featherstone1', 'kim@example.org', false],
    ['ab'.repeat(100), 'kim@example.org', false],
  ] as const) {
    it(`${isAccepted ? 'accepts' : 'refuses'} “${password.slice(0, 40)}” for ${email}`, async () => {
      const errors = await rule.validate(password, { email: toEmail(email), names: ['Ann', 'Featherstone'] });
      assert.equal(errors.length, isAccepted ? 0 : 1);
    });
  }
});
