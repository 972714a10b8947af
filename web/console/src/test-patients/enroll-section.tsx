import { useState } from 'react';
import type { enrollTestPatient } from '../../../../contract/organization/test-patients.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useSearch } from '../kit/use-search.ts';
import { DETAIL_TARGET, LIST_TARGET, type TestPatientData } from './test-patient-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

/** Enrolls the person in a further project; absent where they take part in all. */
export function EnrollSection({ person }: { person: TestPatientData }) {
  const { enroll: words } = useTestPatientWords();
  const projects = useProjects();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const [, setSearch] = useSearch();
  const { busy, refusal, run } = useTask();
  const further = projects.filter(({ id }) => !person.projectIds.includes(id));
  const [chosen, setChosen] = useState('');
  const project = further.find(({ id }) => id === chosen) ?? further[0];
  if (project === undefined && projects.length > 0) return null;
  const enroll = async () => {
    if (project === undefined) return;
    const target = 'PUT /v1/organizations/{orgId}/test-patients/{patientId}/projects/{projectId}';
    const params = { patientId: person.id, projectId: project.id };
    await call<typeof enrollTestPatient>(target, { params });
    await refresh(DETAIL_TARGET, LIST_TARGET);
    setSearch({ in: project.id }, { replace: true });
    toast(words.done(project.name));
  };
  return (
    <Section title={words.title}>
      <p className="soft">{person.projectIds.length === 0 ? words.first : words.lead}</p>
      {project === undefined ? (
        <p>
          {words.noProjects} <PageLink to="/projects">{words.toProjects}</PageLink>
        </p>
      ) : (
        <div className="form-narrow stack">
          <SelectField
            name="enroll-project"
            label={words.project}
            options={further.map(({ id, name }) => ({ value: id, label: name }))}
            value={project.id}
            onChange={setChosen}
          />
          <div>
            <Button busy={busy} onPress={() => run(enroll)}>
              {words.submit}
            </Button>
          </div>
          {refusal && <RefusalNotice refusal={refusal} />}
        </div>
      )}
    </Section>
  );
}
