import type { FormError } from '../kit/form.tsx';
import { useFormState } from '../kit/use-form.ts';
import type { Validator } from './account/validators.ts';
import { type Failure, toFailure } from './failure.ts';
import { formatFailure } from './format-failure.ts';
import { useLanguage } from './words/use-words.ts';

interface FormOptions<Name extends string> {
  validators: Readonly<Record<Name, Validator>>;
  send: (values: Record<Name, string>) => Promise<void>;
  /** A failure that is about one of the fields, or that has a text of its own here. */
  toFormError?: (failure: Failure) => FormError | null;
  /** What fields hold at first. */
  initial?: Partial<Record<Name, string>>;
}

/** A form in the words of the patient's apps. */
export function useForm<Name extends string>({ validators, send, toFormError, initial }: FormOptions<Name>) {
  const { words, language } = useLanguage();
  const localize = ([name, validate]: [string, Validator]) =>
    [name, (value: string) => validate(value, words)] as const;
  const { form, field } = useFormState<Name>({
    validators: Object.fromEntries(Object.entries<Validator>(validators).map(localize)) as Record<
      Name,
      (value: string) => string | null
    >,
    send,
    initial,
    toFormError(refusal) {
      const failure = toFailure(refusal);
      return toFormError?.(failure) ?? { text: formatFailure(failure, words, language) };
    },
  });
  const { problem, oneMoment } = words.common;
  return { form: { ...form, errorsTitle: problem, busyText: oneMoment }, field };
}
