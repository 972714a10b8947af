import { isFutureDay } from '../../../../../contract/is-future-day.ts';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_GIVEN_EMAIL_LENGTH,
  MAX_PERSON_NAME_LENGTH,
} from '../../../../../contract/text-limits.ts';
import { isIsoDay } from './birth-dates.ts';
import type { Field } from './fields.ts';

/** The values of one person, trimmed; empty: absent. */
export type Values = Readonly<Record<Field, string>>;

export type FaultCode =
  | 'missing'
  | 'tooLong'
  | 'email'
  | 'phone'
  | 'date'
  | 'dateForm'
  | 'futureDay'
  | 'language'
  | 'refused'
  | 'sharedId'
  | 'sharedAddress';

/** What is wrong with a cell. */
export interface Fault {
  field: Field;
  code: FaultCode;
}

/** As zod checks an address; a test compares all of these with the contract, whose library no page loads. */
const EMAIL =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const PHONE = /^\+?[0-9 ().-]{5,25}$/;
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Finds every fault of a person's cells, by the rules of `EnrollmentEntry`. */
export function checkValues(values: Values): Fault[] {
  return (Object.keys(CHECKS) as Field[]).flatMap((field) => {
    const code = CHECKS[field](values[field]);
    return code === null ? [] : [{ field, code }];
  });
}

/** Returns what is wrong with a value, or null. */
type Check = (value: string) => FaultCode | null;

const checkName: Check = (value) =>
  value === '' ? 'missing' : value.length > MAX_PERSON_NAME_LENGTH ? 'tooLong' : null;

export const CHECKS: Readonly<Record<Field, Check>> = {
  email: (value) =>
    value === ''
      ? 'missing'
      : value.length > MAX_GIVEN_EMAIL_LENGTH
        ? 'tooLong'
        : EMAIL.test(value)
          ? null
          : 'email',
  firstName: checkName,
  lastName: checkName,
  externalId: (value) => (value.length > MAX_EXTERNAL_ID_LENGTH ? 'tooLong' : null),
  phone: (value) => (value === '' || PHONE.test(value) ? null : 'phone'),
  dateOfBirth: (value) => {
    if (value === '') return null;
    if (isIsoDay(value)) return isFutureDay(value) ? 'futureDay' : null;
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'dateForm';
  },
  languagePreference: (value) => (value === '' || LANGUAGE.test(value) ? null : 'language'),
};

/** The body of one person for the API: what is empty is left out. */
export const toEntry = (values: Values): Partial<Record<Field, string>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
