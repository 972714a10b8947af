import type { FormError } from '../../../kit/form.tsx';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { useFormState } from '../../../kit/use-form.ts';
import { useLanguage } from '../words/use-words.ts';
import { describeInputFault } from './describe-input-fault.ts';
import { describeRefusal } from './describe-refusal.ts';

/** Returns what is wrong with a value, or null. */
export type Validator = (value: string) => string | null;

interface FormOptions<Name extends string> {
  validators: Readonly<Record<Name, Validator>>;
  send: (values: Record<Name, string>) => Promise<void>;
  /** What a code of a refusal means here, and the field that it is about. */
  errors?: Readonly<Record<string, FormError>>;
  initial?: Partial<Record<Name, string>>;
}

/**
 * A form in the words of the console: `<Form {...form} submit={…}><Field {...field('name')} … /></Form>`. An input that the
 * service found wrong is named by its path where no field has its name.
 */
export function useForm<Name extends string>({ errors = {}, ...options }: FormOptions<Name>) {
  const { words, language } = useLanguage();
  const names = Object.keys(options.validators);
  const toFormError = (refusal: Refusal): FormError => {
    const own = errors[refusal.code];
    if (own) return own;
    const [input] = refusal.errors;
    if (!input) return { text: describeRefusal(refusal, words, language) };
    const known = describeInputFault(input.message, words);
    const text = describeRefusal(refusal, words, language);
    return names.includes(input.path)
      ? { field: input.path, text: known ?? `${text} (${input.message})` }
      : { text: `${text} (${input.path}${known === null ? ` ${input.message}` : `: ${known}`})` };
  };
  const { form, field, reset } = useFormState<Name>({ ...options, toFormError });
  const { problem, oneMoment } = words.common;
  return { form: { ...form, errorsTitle: problem, busyText: oneMoment, focusesFault: true }, field, reset };
}

/** A validator for what must not be empty. */
export const requireText =
  (missing: string): Validator =>
  (value) =>
    value.trim() === '' ? missing : null;

export const skipValidation: Validator = () => null;
