import { GENERATED_YEARS } from './generated-years.ts';
import type { generateTestPatientRecord } from '../../../../contract/organization/test-patients.ts';
import { Field } from '../../../kit/field.tsx';
import { limitText } from '../../../kit/limit-text.ts';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { Dialog } from '../kit/dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useForm } from '../kit/use-form.ts';
import { useRefreshCase } from './use-agent-data.ts';
import { useTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text.trim());

/** Has a record made up on the server. */
export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const { record: words } = useTestPatientWords();
  const { call } = useConsole();
  const { patientId } = useTestCase();
  const refresh = useRefreshCase();
  const toast = useToast();
  const { form, field } = useForm({
    initial: { years: '5' },
    validators: {
      years: (text) =>
        isWhole(text) && Number(text) >= GENERATED_YEARS.min && Number(text) <= GENERATED_YEARS.max
          ? null
          : words.yearsWrong,
      seed: (text) => (text.trim() === '' || isWhole(text) ? null : words.seedWrong),
    },
    async send({ years, seed }) {
      const { seed: used } = await call<typeof generateTestPatientRecord>(
        'POST /v1/organizations/{orgId}/test-patients/{patientId}/generate-record',
        {
          params: { patientId },
          body: { years: Number(years), ...(seed.trim() !== '' && { seed: Number(seed) }) },
        },
      );
      await refresh('uploads');
      toast(words.generated(String(used)));
      onClose();
    },
    errors: {
      // All else was checked before it was sent.
      invalid_input: { field: 'years', text: words.tooYoung },
      ...toFormErrors(words.errors),
    },
  });
  return (
    <Dialog title={words.generate} onClose={onClose}>
      <p className="soft">{words.generateLead}</p>
      <Form {...form} submit={words.generateSubmit}>
        <Field {...field('years')} {...limitText(null)} label={words.years} hint={words.yearsHint} />
        <Field {...field('seed')} {...limitText(null)} label={words.seed} hint={words.seedHint} />
      </Form>
    </Dialog>
  );
}

const toFormErrors = (texts: Readonly<Record<string, string>>): Record<string, { text: string }> =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, { text }]));
