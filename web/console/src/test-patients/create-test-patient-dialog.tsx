import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  createTestPatient,
  enrollTestPatient,
} from '../../../../contract/organization/test-patients.ts';
import { MAX_PERSON_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { skipValidation, useForm } from '../kit/use-form.ts';
import { useProjectId } from '../kit/use-search.ts';
import { LIST_TARGET } from './test-patient-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

interface Created {
  id: string;
  name: string;
  email: string;
  password: string;
}

/** Makes up a person, shows the password once, and leads to their page. */
export function CreateTestPatientDialog({ onClose }: { onClose: () => void }) {
  const words = useTestPatientWords();
  const navigate = useNavigate();
  const project = useProjectId();
  const [created, setCreated] = useState<Created | null>(null);
  if (created === null)
    return (
      <Dialog title={words.create} onClose={onClose}>
        <CreateForm onCreated={setCreated} />
      </Dialog>
    );
  const open = () => {
    onClose();
    void navigate({ to: `/test-patients/${created.id}`, search: project === null ? {} : { project } });
  };
  return <PasswordDialog {...created} onDone={open} />;
}

/** Shows what a test patient signs in with. */
export function PasswordDialog(props: Omit<Created, 'id'> & { onDone: () => void }) {
  const { password: words } = useTestPatientWords();
  const { name, email, password, onDone } = props;
  const items = [
    { label: words.email, value: email },
    { label: words.password, value: password },
  ];
  return <SecretDialog title={words.title(name)} items={items} onDone={onDone} />;
}

function CreateForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const words = useTestPatientWords();
  const create = useCreate();
  const projects = useProjects();
  const chosen = useProjectId();
  const [projectId, setProjectId] = useState<string | null>(null);
  const project = projectId ?? chosen ?? projects[0]?.id ?? '';
  const { form, field } = useForm({
    validators: {
      firstName: skipValidation,
      lastName: skipValidation,
      dateOfBirth: (day) => (day.trim() === '' || isDay(day.trim()) ? null : words.form.bornWrong),
    },
    send: async (values) => onCreated(await create(dropEmpty(values), project)),
  });
  return (
    <Form {...form} submit={words.create}>
      <Field
        {...field('firstName')}
        label={words.form.firstName}
        hint={words.form.nameHint}
        autoComplete="off"
        maxLength={MAX_PERSON_NAME_LENGTH}
      />
      <Field
        {...field('lastName')}
        label={words.form.lastName}
        autoComplete="off"
        maxLength={MAX_PERSON_NAME_LENGTH}
      />
      <Field
        {...field('dateOfBirth')}
        label={words.form.born}
        hint={words.form.bornHint}
        autoComplete="off"
        maxLength={null}
      />
      <SelectField
        name="project"
        label={words.form.project}
        options={[
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          { value: '', label: words.form.noProject },
        ]}
        value={project}
        onChange={setProjectId}
      />
    </Form>
  );
}

/** Returns the function that makes up a person, enrolled in a project unless that is ''. */
function useCreate() {
  const { call } = useConsole();
  const refresh = useRefresh();
  return async (body: Record<string, string>, projectId: string): Promise<Created> => {
    const { patient, password } = await call<typeof createTestPatient>(
      'POST /v1/organizations/{orgId}/test-patients',
      { body },
    );
    if (projectId !== '')
      await call<typeof enrollTestPatient>(
        'PUT /v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}',
        { params: { patientId: patient.id, projectId } },
      );
    await refresh(LIST_TARGET);
    return { id: patient.id, name: formatFullName(patient), email: patient.email, password };
  };
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && toDay(text) === text;

const toDay = (text: string): string => new Date(text).toISOString().slice(0, 10);

const dropEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );
