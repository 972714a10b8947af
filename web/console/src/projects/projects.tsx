import { useState } from 'react';
import type { listProjects } from '../../../../contract/organization/projects.ts';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { PROJECTS_TARGET } from '../frame/project-switcher.tsx';
import { Page } from '../kit/page.tsx';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { CreateProjectDialog, RenameProjectDialog } from './name-dialogs.tsx';
import { type ProjectData } from './project-data.ts';
import { useFormatFigure } from './use-project-figures.ts';
import { useProjectWords } from './use-project-words.ts';

/** The projects of the organization, oldest first. */
export function Projects() {
  const words = useProjectWords();
  const mayWrite = usePermission('projects.write');
  const [opened, setOpened] = useState<'create' | ProjectData | null>(null);
  const columns = useColumns();
  const list = useList<typeof listProjects>(PROJECTS_TARGET, { paging: 'offset', getKey: ({ id }) => id });
  const close = () => setOpened(null);
  const create = (
    <Button variant="strong" onPress={() => setOpened('create')}>
      {words.create}
    </Button>
  );
  const renderActions = (project: ProjectData) => (
    <Button variant="quiet" onPress={() => setOpened(project)}>
      {words.rename}
    </Button>
  );
  return (
    <Page name="projects" title={words.title} lead={words.lead} {...(mayWrite && { actions: create })}>
      <List
        list={list}
        caption={words.title}
        columns={columns}
        getLink={({ id }) => `/projects/${id}`}
        empty={{
          title: words.emptyTitle,
          text: mayWrite ? words.empty : words.emptyReader,
          ...(mayWrite && { action: create }),
        }}
        {...(mayWrite && { actions: renderActions, actionsHeader: words.actions })}
      />
      {opened === 'create' && <CreateProjectDialog onClose={close} />}
      {opened !== null && opened !== 'create' && <RenameProjectDialog project={opened} onClose={close} />}
    </Page>
  );
}

function useColumns(): ListColumn<ProjectData>[] {
  const words = useProjectWords();
  const figures = useFigureColumns();
  return [
    { name: 'name', header: words.name, render: ({ name }) => name, csv: ({ name }) => name },
    {
      name: 'consentTypes',
      header: words.asks,
      render: ({ consentTypes }) =>
        consentTypes.length === 0 ? (
          <span className="soft">{words.asksNothing}</span>
        ) : (
          consentTypes.map(({ type }) => words.types[type]).join(', ')
        ),
      csv: ({ consentTypes }) => consentTypes.map(({ type }) => type).join(' '),
    },
    {
      name: 'version',
      header: words.version,
      render: ({ version }) => version ?? <span className="soft">{words.noVersion}</span>,
      csv: ({ version }) => version,
    },
    ...figures,
  ];
}

/** How much rests on a project; sources and webhooks are those that cover it. */
function useFigureColumns(): ListColumn<ProjectData>[] {
  const { figures: words } = useProjectWords();
  const format = useFormatFigure();
  return (['patients', 'consentsInForce', 'sources', 'webhooks'] as const).map((figure) => ({
    name: figure,
    header: words[figure],
    numeric: true,
    wideOnly: figure === 'sources' || figure === 'webhooks',
    render: ({ id }) => format(id, figure),
    csv: ({ id }) => format(id, figure),
  }));
}
