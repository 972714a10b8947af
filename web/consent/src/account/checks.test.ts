import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as contract from '../../../../contract/account.ts';
import { en } from '../words/en.ts';
import { aFirstName, aLastName, anEmail, aNewPassword, aPassword, type Check, nothing } from './checks.ts';

const { form } = en;
const faultOf = (check: Check, value: string): string | null => check(value, en);

describe('what is asked of a field', () => {
  const values: [check: Check, value: string, fault: string | null][] = [
    [anEmail, '', form.emailMissing],
    [anEmail, '  ', form.emailMissing],
    [anEmail, 'jo', form.emailWrong],
    [anEmail, 'jo@', form.emailWrong],
    [anEmail, '@mail.example', form.emailWrong],
    [anEmail, 'jo@mail', form.emailWrong],
    [anEmail, 'jo@mail.', form.emailWrong],
    [anEmail, 'jo larsen@mail.example', form.emailWrong],
    [anEmail, 'jo@mail@mail.example', form.emailWrong],
    [anEmail, 'jo@mail.example', null],
    [anEmail, ' jo@mail.example ', null],
    [anEmail, "o'neil+app@mail.co.uk", null],
    [aPassword, '', form.passwordMissing],
    [aPassword, ' ', null],
    [aNewPassword, '', form.passwordShort],
    [aNewPassword, 'a'.repeat(11), form.passwordShort],
    [aNewPassword, 'a'.repeat(12), null],
    [aNewPassword, ' '.repeat(12), null],
    [aNewPassword, 'a'.repeat(200), null],
    [aNewPassword, 'a'.repeat(201), form.passwordLong],
    [aNewPassword, '😀'.repeat(11), form.passwordShort],
    [aNewPassword, '😀'.repeat(200), null],
    [aFirstName, ' ', form.firstNameMissing],
    [aFirstName, 'Jo', null],
    [aLastName, '', form.lastNameMissing],
    [aLastName, 'Larsen', null],
    [nothing, '', null],
  ];
  for (const [check, value, fault] of values) {
    const said = value.length > 30 ? `${value.length} letters` : JSON.stringify(value);
    it(`${check.name}: ${said} ${fault === null ? 'will do' : `is answered "${fault}"`}`, () =>
      assert.equal(faultOf(check, value), fault));
  }

  it('refuses no address that the service takes', () => {
    const { email } = contract.signUp.body.shape;
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        fc.pre(email.safeParse(address).success);
        assert.equal(faultOf(anEmail, address), null);
      }),
    );
  });

  it('takes the passwords that the service takes, and no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 220, size: 'max' }), (password) => {
        const taken = contract.NewPassword.safeParse(password).success;
        assert.equal(faultOf(aNewPassword, password) === null, taken);
      }),
    );
  });
});
