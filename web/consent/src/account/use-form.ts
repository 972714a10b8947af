import { useState } from 'react';
import type { Fault } from '../../../look/form.tsx';
import { faultOf } from '../../../look/form.tsx';
import type { Trouble } from '../api/refusal.ts';
import { useTask } from '../task.ts';
import type { Words } from '../words/en.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';
import type { Check } from './checks.ts';

interface FormOf<Name extends string> {
  /** The fields, each with what is asked of it. */
  checks: Readonly<Record<Name, Check>>;
  send: (typed: Record<Name, string>) => Promise<void>;
  /** A refusal that is about one of the fields. */
  faultFor?: (trouble: Trouble, words: Words) => Fault | null;
}

/** Fields, their faults and the sending; faults are said anew when the language changes. */
export function useForm<Name extends string>({ checks, send, faultFor }: FormOf<Name>) {
  const { words, language } = useLanguage();
  const names = Object.keys(checks) as Name[];
  const [typed, setTyped] = useState(
    () => Object.fromEntries(names.map((name) => [name, ''])) as Typed<Name>,
  );
  /** What stood in the fields when it was sent: faults do not come and go while one types. */
  const [sent, setSent] = useState<Typed<Name> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, trouble, run } = useTask();

  const faultsIn = (values: Typed<Name>): Fault[] =>
    names.flatMap((name) => {
      const text = checks[name](values[name], words);
      return text === null ? [] : [{ field: name, text }];
    });
  const refusal = (trouble: Trouble): Fault =>
    faultFor?.(trouble, words) ?? { text: failureText(trouble, words, language) };
  const faults = trouble === null ? (sent === null ? [] : faultsIn(sent)) : [refusal(trouble)];

  const onSubmit = () => {
    setSent(typed);
    setAttempt(attempt + 1);
    if (faultsIn(typed).length === 0) run(async () => send(typed));
  };
  return {
    form: {
      faults,
      faultsTitle: words.common.problem,
      attempt,
      busy,
      busyText: words.common.oneMoment,
      onSubmit,
    },
    field: (name: Name) => ({
      name,
      value: typed[name],
      error: faultOf(faults, name),
      onChange: (value: string) => setTyped((typed) => ({ ...typed, [name]: value })),
    }),
  };
}

type Typed<Name extends string> = Record<Name, string>;
