import { useState } from 'react';
import type { listTestPatients } from '../../../../contract/organization/test-patients.ts';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Button } from '../../../kit/button.tsx';
import { formatCalendarDay } from '../../../kit/format-date.ts';
import { usePermission } from '../api/use-console.ts';
import { Page } from '../kit/page.tsx';
import { useProjectNames } from '../kit/project-picker.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { type RowOf, useList } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import { CreateTestPatientDialog } from './create-test-patient-dialog.tsx';
import { LIST_TARGET } from './test-patient-data.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';

type Row = RowOf<typeof listTestPatients>;

/** The made-up people of the organization. */
export function TestPatients() {
  const words = useTestPatientWords();
  const mayManage = usePermission('test_patients.manage');
  const [isCreating, setCreating] = useState(false);
  const list = useList<typeof listTestPatients>(LIST_TARGET, { paging: 'offset', getKey: ({ id }) => id });
  const columns = useColumns();
  const create = (
    <Button variant="strong" onPress={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  const action = mayManage ? { action: create } : {};
  return (
    <Page name="test-patients" title={words.title} lead={words.lead} {...(mayManage && { actions: create })}>
      <List
        list={list}
        caption={words.caption}
        columns={columns}
        getLink={({ id }) => `/test-patients/${id}`}
        empty={{ title: words.emptyTitle, text: words.empty, ...action }}
      />
      {isCreating && <CreateTestPatientDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(): ListColumn<Row>[] {
  const { columns, notBorn, noProjects } = useTestPatientWords();
  const { language } = useLanguage();
  const nameProjects = useProjectNames();
  return [
    {
      name: 'name',
      header: columns.name,
      render: formatFullName,
      csv: ({ firstName, lastName }) => `${firstName} ${lastName}`,
    },
    {
      name: 'dateOfBirth',
      header: columns.born,
      render: ({ dateOfBirth }) =>
        dateOfBirth === null ? notBorn : formatCalendarDay(dateOfBirth, language),
      csv: ({ dateOfBirth }) => dateOfBirth,
    },
    {
      name: 'projects',
      header: columns.projects,
      render: ({ projectIds }) => (projectIds.length === 0 ? noProjects : nameProjects(projectIds)),
      csv: ({ projectIds }) => nameProjects(projectIds),
    },
    {
      name: 'createdAt',
      header: columns.created,
      wideOnly: true,
      render: ({ createdAt }) => <RelativeTime time={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
  ];
}
