import { MAX_PASSWORD_LENGTH } from '../../../contract/text-limits.ts';
import { toPlainPersonName } from '../../../contract/account/person-name.ts';
import type { PatientWords } from '../words/en.ts';

/** Returns what is wrong with a value, or null. The rules of the service are in contract/account/account.ts. */
export type Validator = (value: string, words: PatientWords) => string | null;

export const validateEmail: Validator = (value, { form }) => {
  if (value.trim() === '') return form.emailMissing;
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value.trim()) ? null : form.emailWrong;
};

export const validatePassword: Validator = (value, { form }) => (value === '' ? form.passwordMissing : null);

/** NIST SP 800-63B §3.1.1: length rather than composition, counted in code points. */
export const validateNewPassword: Validator = (value, { form }) => {
  const { length } = Array.from(value);
  if (length < 12) return form.passwordShort;
  return length > MAX_PASSWORD_LENGTH ? form.passwordLong : null;
};

export const validateFirstName: Validator = (value, { form }) =>
  toPlainPersonName(value) === '' ? form.firstNameMissing : null;

export const validateLastName: Validator = (value, { form }) =>
  toPlainPersonName(value) === '' ? form.lastNameMissing : null;

export const skipValidation: Validator = () => null;
