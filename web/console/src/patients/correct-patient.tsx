import type { updateEnrolledPatient } from '../../../../contract/organization/enrolled-patient.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useForm } from '../kit/use-form.ts';
import { useWords } from '../words/use-words.ts';
import { CHECKS } from './import/check-values.ts';
import { PATIENT_TARGET, PATIENTS_TARGET, type PatientData } from './patient-data.ts';
import { useValidator } from './use-validator.ts';
import { usePatientWords } from './use-patient-words.ts';

const NAMES = ['email', 'firstName', 'lastName', 'externalId', 'phone'] as const;
/** What is written and never shown: another organization may have written what stands there. */
const UNSEEN = ['dateOfBirth', 'languagePreference'] as const;
type Name = (typeof NAMES | typeof UNSEEN)[number];

interface CorrectPatientProps {
  patient: PatientData;
  current: PatientData['enrollments'][number];
  onClose: () => void;
}

/** Corrects what the organization wrote of a person; only what was changed is sent. */
export function CorrectPatient({ patient, current, onClose }: CorrectPatientProps) {
  const { details: words, one } = usePatientWords();
  const { common } = useWords();
  const correct = useCorrect();
  const validate = useValidator();
  const isNamed = patient.email !== null;
  // Nobody reads the mails of a test patient.
  const names = (isNamed ? NAMES : (['externalId', 'phone'] as const)).filter(
    (name) => name !== 'email' || !patient.isTestPatient,
  );
  const before = readValues(patient, current);
  const send = async (values: Record<Name, string>) => {
    const changed = [...names, ...UNSEEN].filter((name) => values[name].trim() !== before[name]);
    const body = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null]));
    const params = { projectId: current.project.id, patientId: patient.patientId };
    if (changed.length > 0) await correct(params, body);
    onClose();
  };
  const { form, field } = useForm<Name>({
    validators: Object.fromEntries(
      [...NAMES, ...UNSEEN].map((name) => [
        name,
        isNamed || CHECKS[name]('') === null ? validate(name) : () => null,
      ]),
    ) as never,
    initial: before,
    send,
    errors: { address_taken: { field: 'email', text: words.taken } },
  });
  return (
    <Dialog title={words.correctTitle} onClose={onClose}>
      <p className="soft">{words.ownFields}</p>
      <Form {...form} submit={common.save}>
        {names.map((name) => (
          <Field key={name} {...field(name)} label={one[name]} autoComplete="off" maxLength={null} />
        ))}
        <Field
          {...field('dateOfBirth')}
          label={one.dateOfBirth}
          hint={words.dateOfBirthHint}
          autoComplete="off"
          maxLength={null}
        />
        <LanguageField {...field('languagePreference')} />
      </Form>
    </Dialog>
  );
}

/** Returns the function that sends a correction. */
function useCorrect() {
  const { details: words, one } = usePatientWords();
  const { call } = useConsole();
  const toast = useToast();
  const refresh = useRefresh();
  return async (params: { projectId: string; patientId: string }, body: Record<string, string | null>) => {
    const { warnings } = await call<typeof updateEnrolledPatient>(
      'PATCH /v1/projects/{projectId}/patients/{patientId}',
      { params, body },
    );
    toast(words.corrected);
    if (warnings !== undefined) toast(one.faults.sharedId);
    await refresh(PATIENTS_TARGET, PATIENT_TARGET);
  };
}

function LanguageField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { details: words, one } = usePatientWords();
  return (
    <SelectField
      name="languagePreference"
      label={one.language}
      options={(['', 'en', 'es'] as const).map((code) => ({
        value: code,
        label: code === '' ? words.asItIs : one.languages[code],
      }))}
      value={value as '' | 'en' | 'es'}
      onChange={onChange}
    />
  );
}

const readValues = (patient: PatientData, current: CorrectPatientProps['current']): Record<Name, string> => ({
  email: patient.email ?? '',
  firstName: patient.firstName ?? '',
  lastName: patient.lastName ?? '',
  externalId: current.externalId ?? '',
  phone: patient.phones[0] ?? '',
  dateOfBirth: '',
  languagePreference: '',
});
