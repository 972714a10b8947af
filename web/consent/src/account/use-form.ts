import { useState } from 'react';
import type { FormError } from '../../../kit/form.tsx';
import { findError } from '../../../kit/form.tsx';
import type { Failure } from '../api/refusal.ts';
import { useTask } from '../task.ts';
import type { Words } from '../words/en.ts';
import { formatFailure } from '../words/format-failure.ts';
import { useLanguage } from '../words/language.tsx';
import type { Validator } from './validators.ts';

interface FormOptions<Name extends string> {
  /** The fields, each with what is asked of it. */
  validators: Readonly<Record<Name, Validator>>;
  send: (values: Record<Name, string>) => Promise<void>;
  /** A refusal that is about one of the fields. */
  toFormError?: (failure: Failure, words: Words) => FormError | null;
}

/** Fields, their faults and the sending; faults are said anew when the language changes. */
export function useForm<Name extends string>({ validators, send, toFormError }: FormOptions<Name>) {
  const { words, language } = useLanguage();
  const names = Object.keys(validators) as Name[];
  const [values, setValues] = useState(
    () => Object.fromEntries(names.map((name) => [name, ''])) as FormValues<Name>,
  );
  /** What stood in the fields when it was sent: faults do not come and go while one types. */
  const [submitted, setSubmitted] = useState<FormValues<Name> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, failure, run } = useTask();

  const validate = (values: FormValues<Name>): FormError[] =>
    names.flatMap((name) => {
      const text = validators[name](values[name], words);
      return text === null ? [] : [{ field: name, text }];
    });
  const toError = (failure: Failure): FormError =>
    toFormError?.(failure, words) ?? { text: formatFailure(failure, words, language) };
  const errors = failure === null ? (submitted === null ? [] : validate(submitted)) : [toError(failure)];

  const onSubmit = () => {
    setSubmitted(values);
    setAttempt(attempt + 1);
    if (validate(values).length === 0) run(async () => send(values));
  };
  return {
    form: {
      errors,
      errorsTitle: words.common.problem,
      attempt,
      busy,
      busyText: words.common.oneMoment,
      onSubmit,
    },
    field: (name: Name) => ({
      name,
      value: values[name],
      error: findError(errors, name),
      onChange: (value: string) => setValues((values) => ({ ...values, [name]: value })),
    }),
  };
}

type FormValues<Name extends string> = Record<Name, string>;
