import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as contract from '../../../contract/account/account.ts';
import { patientEn as en } from '../words/en.ts';
import {
  validateFirstName,
  validateLastName,
  validateEmail,
  validateNewPassword,
  validatePassword,
  type Validator,
  skipValidation,
} from './validators.ts';

const { form } = en;
const validate = (check: Validator, value: string): string | null => check(value, en);

describe('a validator of a field', () => {
  const values: [check: Validator, value: string, error: string | null][] = [
    [validateEmail, '', form.emailMissing],
    [validateEmail, '  ', form.emailMissing],
    [validateEmail, 'jo', form.emailWrong],
    [validateEmail, 'jo@', form.emailWrong],
    [validateEmail, '@mail.example', form.emailWrong],
    [validateEmail, 'jo@mail', form.emailWrong],
    [validateEmail, 'jo@mail.', form.emailWrong],
    [validateEmail, 'jo larsen@mail.example', form.emailWrong],
    [validateEmail, 'jo@mail@mail.example', form.emailWrong],
    [validateEmail, 'jo@mail.example', null],
    [validateEmail, ' jo@mail.example ', null],
    [validateEmail, "o'neil+app@mail.co.uk", null],
    [validatePassword, '', form.passwordMissing],
    [validatePassword, ' ', null],
    [validateNewPassword, '', form.passwordShort],
    [validateNewPassword, 'a'.repeat(11), form.passwordShort],
    [validateNewPassword, 'a'.repeat(12), null],
    [validateNewPassword, ' '.repeat(12), null],
    [validateNewPassword, 'a'.repeat(200), null],
    [validateNewPassword, 'a'.repeat(201), form.passwordLong],
    [validateNewPassword, '😀'.repeat(11), form.passwordShort],
    [validateNewPassword, '😀'.repeat(200), null],
    [validateFirstName, ' ', form.firstNameMissing],
    [validateFirstName, 'Jo', null],
    [validateLastName, '', form.lastNameMissing],
    [validateLastName, 'Larsen', null],
    [skipValidation, '', null],
  ];
  for (const [check, value, error] of values) {
    const shown = value.length > 30 ? `${value.length} letters` : JSON.stringify(value);
    it(`${check.name}: ${shown} ${error === null ? 'is accepted' : `gets "${error}"`}`, () =>
      assert.equal(validate(check, value), error));
  }

  it('accepts every address that the service accepts', () => {
    const { email } = contract.signUp.body.shape;
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        fc.pre(email.safeParse(address).success);
        assert.equal(validate(validateEmail, address), null);
      }),
    );
  });

  it('accepts the passwords that the service accepts, and no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 220, size: 'max' }), (password) => {
        const isAccepted = contract.NewPassword.safeParse(password).success;
        assert.equal(validate(validateNewPassword, password) === null, isAccepted);
      }),
    );
  });
});
