import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { TextArea } from '../../../kit/text-area.tsx';
import { requireText, skipValidation, useForm } from '../kit/use-form.ts';
import { DURATIONS, type Duration, resolveUntil } from './use-judge.ts';
import { useAppWords } from './use-app-words.ts';

interface JudgementFormOptions {
  send: (judging: { note: string; until: string | null }) => Promise<void>;
  errors?: Readonly<Record<string, { text: string }>>;
}

/** The form of a judgement: why, and for how long. */
export function useJudgementForm({ send, errors = {} }: JudgementFormOptions) {
  const { form: words } = useAppWords();
  return useForm({
    validators: { note: requireText(words.noteMissing), until: skipValidation },
    initial: { until: 'never' },
    errors,
    send: ({ note, until }) => send({ note: note.trim(), until: resolveUntil(until) }),
  });
}

export function JudgementFields({ field }: Pick<ReturnType<typeof useJudgementForm>, 'field'>) {
  const { form: words } = useAppWords();
  const until = field('until');
  return (
    <>
      <TextArea
        {...field('note')}
        label={words.note}
        hint={words.noteHint}
        rows={2}
        maxLength={MAX_PLAIN_NAME_LENGTH}
      />
      <SelectField
        {...until}
        value={until.value as Duration}
        label={words.until}
        options={DURATIONS.map((value) => ({ value, label: words.durations[value] }))}
      />
    </>
  );
}
