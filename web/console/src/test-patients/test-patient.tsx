import { useState } from 'react';
import type { getTestPatient } from '../../../../contract/organization/test-patients.ts';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Button } from '../../../kit/button.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Id } from '../kit/copy-button.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { Page } from '../kit/page.tsx';
import { States } from '../kit/states.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { useSearch } from '../kit/use-search.ts';
import { ConsentSection } from './consent-section.tsx';
import { EnrollSection } from './enroll-section.tsx';
import { DeleteDialog, RenewPasswordDialog } from './person-dialogs.tsx';
import { PersonSection } from './person-section.tsx';
import { RecordSection } from './record-section.tsx';
import { DETAIL_TARGET, type TestPatientData } from './test-patient-data.ts';
import { TryIt } from './try-it.tsx';
import { TestCaseProvider, useNewTestCase } from './use-test-agent.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

/** One made-up person: what they share, what is in their record, and what an agent of theirs reads. */
export function TestPatient() {
  const words = useTestPatientWords();
  const patientId = usePathParameter('patientId');
  const request = { params: { patientId } };
  const query = useData<typeof getTestPatient>(DETAIL_TARGET, request);
  const buildCurl = useCurl();
  const { data: person } = query;
  const actions = (
    <>
      {person && <Actions person={person} />}
      <AsCurl command={buildCurl<typeof getTestPatient>(DETAIL_TARGET, request)} />
    </>
  );
  return (
    <Page
      name="test-patient"
      title={person ? formatFullName(person) : words.title}
      lead={<Id id={patientId} subject={words.id} />}
      above={
        <p>
          <PageLink to="/test-patients">{words.back}</PageLink>
        </p>
      }
      actions={actions}
    >
      <States query={query}>{(loaded) => <TestPatientTabs key={loaded.id} person={loaded} />}</States>
    </Page>
  );
}

const DIALOGS = { renew: RenewPasswordDialog, remove: DeleteDialog } as const;

function Actions({ person }: { person: TestPatientData }) {
  const words = useTestPatientWords();
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null);
  if (!usePermission('test_patients.manage')) return null;
  const Opened = opened === null ? null : DIALOGS[opened];
  return (
    <>
      <Button onPress={() => setOpened('renew')}>{words.password.renew}</Button>
      <Button variant="quiet" onPress={() => setOpened('remove')}>
        {words.remove.button}
      </Button>
      {Opened && <Opened person={person} onClose={() => setOpened(null)} />}
    </>
  );
}

function TestPatientTabs({ person }: { person: TestPatientData }) {
  const words = useTestPatientWords();
  const mayManage = usePermission('test_patients.manage');
  const active = useTab(['setup', 'try']);
  const [search] = useSearch();
  const tabs = (['setup', 'try'] as const).map((name) => ({ name, label: words.tabs[name] }));
  // The project of the address, else that of the switcher, where the person takes part in it.
  const projectId =
    [search['in'], search['project']].find((id) => id !== undefined && person.projectIds.includes(id)) ??
    person.projectIds[0];
  return (
    <div className="page">
      <Notice>{words.notReal}</Notice>
      {mayManage && (
        <Tabs label={words.tabsLabel} tabs={tabs} active={active} path={`/test-patients/${person.id}`} />
      )}
      {(active === 'setup' || !mayManage) && <PersonSection person={person} />}
      {!mayManage && <p className="soft">{words.readOnly}</p>}
      {mayManage && projectId === undefined && active === 'try' && (
        <Notice kind="warning">{words.enroll.first}</Notice>
      )}
      {mayManage && projectId !== undefined && (
        <InProject key={projectId} person={person} projectId={projectId} active={active} />
      )}
      {mayManage && active === 'setup' && <EnrollSection person={person} />}
    </div>
  );
}

interface InProjectProps {
  person: TestPatientData;
  projectId: string;
  active: 'setup' | 'try';
}

/** What is about the person in one project: it is they in that project whom an agent speaks for. */
function InProject({ person, projectId, active }: InProjectProps) {
  const testCase = useNewTestCase(person.id, projectId);
  return (
    <TestCaseProvider value={testCase}>
      <ProjectChoice person={person} projectId={projectId} />
      {active === 'setup' ? (
        <>
          <ConsentSection />
          <RecordSection />
        </>
      ) : (
        <TryIt />
      )}
    </TestCaseProvider>
  );
}

/** Absent for somebody in one project only. */
function ProjectChoice({ person, projectId }: { person: TestPatientData; projectId: string }) {
  const words = useTestPatientWords();
  const [, setSearch] = useSearch();
  const projects = useProjects();
  if (person.projectIds.length < 2) return null;
  return (
    <div className="form-narrow">
      <SelectField
        name="in-project"
        label={words.inProject}
        options={person.projectIds.map((id) => ({
          value: id,
          label: projects.find((project) => project.id === id)?.name ?? id,
        }))}
        value={projectId}
        onChange={(id) => setSearch({ in: id })}
      />
    </div>
  );
}
