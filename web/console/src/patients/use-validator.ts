import type { Validator } from '../kit/use-form.ts';
import { CHECKS } from './import/check-values.ts';
import type { Field } from './import/fields.ts';
import { usePatientWords } from './use-patient-words.ts';

/** Returns the function that makes the validator of a field of a person, in the member's language. */
export function useValidator(): (field: Field) => Validator {
  const { one } = usePatientWords();
  return (field) => (value) => {
    const fault = CHECKS[field](value.trim());
    return fault === null ? null : one.faults[fault];
  };
}
