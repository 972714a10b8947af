import { useState } from 'react';
import type { getProject } from '../../../../contract/organization/projects.ts';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Id } from '../kit/copy-button.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { ConnectTab } from './connect-tab.tsx';
import { RenameProjectDialog } from './name-dialogs.tsx';
import { PROJECT_TARGET, type ProjectData } from './project-data.ts';
import { useProjectWords } from './use-project-words.ts';
import { VersionsTab } from './versions-tab.tsx';
import { WordsForm } from './words-form.tsx';
import { WordsShown } from './words-shown.tsx';

/** One project: what patients read about it, the versions of that, and how apps and people come to it. */
export function Project() {
  const words = useProjectWords();
  const projectId = usePathParameter('projectId');
  const mayWrite = usePermission('projects.write');
  const [isRenaming, setRenaming] = useState(false);
  const buildCurl = useCurl();
  const request = { params: { projectId } };
  const query = useData<typeof getProject>(PROJECT_TARGET, request);
  const { data: project } = query;
  const actions = (
    <>
      {mayWrite && project && <Button onPress={() => setRenaming(true)}>{words.rename}</Button>}
      <AsCurl command={buildCurl<typeof getProject>(PROJECT_TARGET, request)} />
    </>
  );
  const above = (
    <p>
      <PageLink to="/projects">{words.back}</PageLink>
    </p>
  );
  const title = project?.name ?? words.title;
  const lead = <Id id={projectId} subject={words.id} />;
  return (
    <Page name="project" {...{ title, above, lead, actions }}>
      <States query={query}>
        {(loaded) => <ProjectTabs key={loaded.id} project={loaded} mayWrite={mayWrite} />}
      </States>
      {isRenaming && project && <RenameProjectDialog project={project} onClose={() => setRenaming(false)} />}
    </Page>
  );
}

function ProjectTabs({ project, mayWrite }: { project: ProjectData; mayWrite: boolean }) {
  const words = useProjectWords();
  const active = useTab(['words', 'versions', 'connect']);
  const tabs = (['words', 'versions', 'connect'] as const).map((name) => ({ name, label: words.tabs[name] }));
  return (
    <div className="page">
      <Tabs label={words.tabsLabel} tabs={tabs} active={active} path={`/projects/${project.id}`} />
      {/* It stays, so that what was written is there after a look at another tab. */}
      <div hidden={active !== 'words'}>
        {mayWrite ? <WordsForm project={project} /> : <WordsShown project={project} />}
      </div>
      {active === 'versions' && <VersionsTab project={project} />}
      {active === 'connect' && <ConnectTab project={project} />}
    </div>
  );
}
