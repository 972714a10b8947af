import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { enrollPatients } from '../../../../contract/organization/enrollment.ts';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Refusal } from '../../../kit/http/refusal.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { isLostProject, useProjectOptions, useProjects } from '../frame/project-switcher.tsx';
import { MailsKept } from '../kit/mails-kept.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Blank } from '../kit/blank.tsx';
import { useToast } from '../kit/toasts.tsx';
import { skipValidation, useForm } from '../kit/use-form.ts';
import { useProjectId } from '../kit/use-search.ts';
import { useWords } from '../words/use-words.ts';
import { toEntry } from './import/check-values.ts';
import { FIELDS, type Field as FieldName } from './import/fields.ts';
import { AsksNothing } from './asks-nothing.tsx';
import { PATIENTS_TARGET } from './patient-data.ts';
import { usePatientWords } from './use-patient-words.ts';
import { useValidator } from './use-validator.ts';

const TEXTS = ['email', 'firstName', 'lastName', 'externalId', 'phone', 'dateOfBirth'] as const;

/** Enrolls one person in a project. */
export function EnrollPatient() {
  const words = usePatientWords();
  const projects = useProjects();
  const chosen = useProjectId();
  const back = <PageLink to="/patients">{words.details.back}</PageLink>;
  return (
    <Page name="enroll-patient" title={words.enroll} lead={words.one.lead} above={<p>{back}</p>}>
      {projects.length === 0 ? (
        <Blank
          text={words.one.noProject}
          action={<PageLink to="/projects">{words.one.noProjectAction}</PageLink>}
        />
      ) : (
        <div className="card card-narrow">
          <EnrollForm projects={projects} initial={chosen ?? projects[0]?.id ?? ''} />
        </div>
      )}
    </Page>
  );
}

interface EnrollFormOptions {
  projects: ReturnType<typeof useProjects>;
  projectId: string;
  isInviting: boolean;
}

function EnrollForm({ projects, initial }: { projects: ReturnType<typeof useProjects>; initial: string }) {
  const { one: words } = usePatientWords();
  const [projectId, setProjectId] = useState(initial);
  const [isInviting, setIsInviting] = useState(true);
  const { form, field } = useEnrollForm({ projects, projectId, isInviting });
  const language = field('languagePreference');
  return (
    <Form {...form} submit={words.submit}>
      <SelectField
        name="project"
        label={words.project}
        options={useProjectOptions(projectId)}
        value={projectId}
        error={field('project').error}
        onChange={setProjectId}
      />
      {TEXTS.map((name) => (
        <Field
          key={name}
          {...field(name)}
          label={words[name]}
          hint={name === 'dateOfBirth' ? words.dateHint : undefined}
          type={name === 'email' ? 'email' : 'text'}
          autoComplete="off"
          maxLength={null}
        />
      ))}
      <SelectField
        name="languagePreference"
        label={words.language}
        options={(['', 'en', 'es'] as const).map((value) => ({ value, label: words.languages[value] }))}
        value={language.value as '' | 'en' | 'es'}
        onChange={language.onChange}
      />
      <Checkbox label={words.invite} checked={isInviting} onChange={setIsInviting} />
      {isInviting && <AsksNothing projectId={projectId} />}
      {isInviting && <MailsKept />}
    </Form>
  );
}

/** The state of the form of one person. */
function useEnrollForm({ projects, projectId, isInviting }: EnrollFormOptions) {
  const { one: words } = usePatientWords();
  const { wrongProject } = useWords().errors;
  const validate = useValidator();
  const enroll = useEnroll();
  // A colleague may have moved the member to other projects while they wrote.
  const lost = isLostProject(projects, projectId) ? wrongProject : null;
  return useForm<FieldName | 'project'>({
    validators: {
      ...(Object.fromEntries(FIELDS.map((name) => [name, validate(name)])) as Record<FieldName, never>),
      languagePreference: skipValidation,
      project: () => lost,
    },
    send: (values) => enroll(values, { projectId, isInviting }),
    errors: {
      refused: { field: 'email', text: words.refused },
      wrong_project: { field: 'project', text: wrongProject },
    },
  });
}

/** Returns the function that enrolls a person and opens their page. */
function useEnroll() {
  const { one: words } = usePatientWords();
  const { call } = useConsole();
  const toast = useToast();
  const refresh = useRefresh();
  const navigate = useNavigate();
  return async (
    values: Record<FieldName, string>,
    { projectId, isInviting }: { projectId: string; isInviting: boolean },
  ) => {
    const result = await call<typeof enrollPatients>('POST /v1/projects/{projectId}/patients', {
      params: { projectId },
      body: { patients: [toEntry(values)], suppressNotifications: !isInviting },
    });
    if (result.errorCount > 0) throw new Refusal(400, 'refused');
    const name = formatFullName(values);
    toast(result.duplicatesCount > 0 ? words.known(name) : words.done(name));
    if (result.warnings !== undefined) toast(words.faults.sharedId);
    await refresh(PATIENTS_TARGET);
    const referenceId = (result.successfulPatients[0] ?? result.duplicates[0])?.referenceId;
    await navigate({ to: referenceId ? `/patients/${referenceId}` : '/patients' });
  };
}
