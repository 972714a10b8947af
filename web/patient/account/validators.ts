import type { PatientWords } from '../words/en.ts';

/** What is wrong with a value, or null. What the service takes is in contract/account/account.ts. */
export type Validator = (value: string, words: PatientWords) => string | null;

export const validateEmail: Validator = (value, { form }) => {
  if (value.trim() === '') return form.emailMissing;
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value.trim()) ? null : form.emailWrong;
};

export const validatePassword: Validator = (value, { form }) => (value === '' ? form.passwordMissing : null);

/** NIST SP 800-63B §3.1.1: long rather than motley, and counted in code points. */
export const validateNewPassword: Validator = (value, { form }) => {
  const { length } = Array.from(value);
  if (length < 12) return form.passwordShort;
  return length > 200 ? form.passwordLong : null;
};

export const validateFirstName: Validator = (value, { form }) =>
  value.trim() === '' ? form.firstNameMissing : null;

export const validateLastName: Validator = (value, { form }) =>
  value.trim() === '' ? form.lastNameMissing : null;

export const skipValidation: Validator = () => null;
