import { useState } from 'react';
import { findError, type FormError } from './form.tsx';
import type { Refusal } from './http/refusal.ts';
import { useTask } from './task.ts';

interface FormOptions<Name extends string> {
  /** The fields by their names; each validator returns what is wrong with a value, or null. */
  validators: Readonly<Record<Name, (value: string) => string | null>>;
  send: (values: Record<Name, string>) => Promise<void>;
  toFormError: (refusal: Refusal) => FormError;
  /** What fields hold until somebody writes into them; the others are empty. What is loaded anew is shown where nobody did. */
  initial?: Partial<Record<Name, string>> | undefined;
}

/** The fields of a form, their errors and the sending. Errors are texts of the present render, so they follow the language. */
export function useFormState<Name extends string>({
  validators,
  send,
  toFormError,
  initial,
}: FormOptions<Name>) {
  type Values = Record<Name, string>;
  const names = Object.keys(validators) as Name[];
  const [written, setWritten] = useState<Partial<Values>>({});
  const values = Object.fromEntries(
    names.map((name) => [name, written[name] ?? initial?.[name] ?? '']),
  ) as Values;
  /** The values of the last attempt: errors do not come and go while a person types. */
  const [submitted, setSubmitted] = useState<Values | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, refusal, run } = useTask();

  const validate = (values: Values): FormError[] =>
    names.flatMap((name) => {
      const text = validators[name](values[name]);
      return text === null ? [] : [{ field: name, text }];
    });
  const errors = refusal ? [toFormError(refusal)] : submitted ? validate(submitted) : [];
  const onSubmit = () => {
    setSubmitted(values);
    setAttempt(attempt + 1);
    if (validate(values).length === 0) run(async () => send(values));
  };
  return {
    form: { errors, attempt, busy, onSubmit },
    field: (name: Name) => ({
      name,
      value: values[name],
      error: findError(errors, name),
      onChange: (value: string) => setWritten((written) => ({ ...written, [name]: value })),
    }),
    /** What was written is stored: from now on the fields hold what is loaded, whoever changes that. */
    reset: () => setWritten({}),
  };
}
