import { useState } from 'react';
import type { ClientDetail } from '../../../../contract/organization/clients.ts';
import type { getProject } from '../../../../contract/organization/projects.ts';
import type { Language } from '../../../kit/languages.ts';
import { Notice } from '../../../kit/notice.tsx';
import type { PreviewedClient, Scheme } from '../../../preview/src/preview-message.ts';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { useProjects } from '../frame/project-switcher.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { useProjectId } from '../kit/use-search.ts';
import { type Device, PreviewFrame } from '../projects/preview/preview-frame.tsx';
import { Segments } from '../projects/preview/segments.tsx';
import { PROJECT_TARGET } from '../projects/project-data.ts';
import { useOrganization } from '../projects/use-organization.ts';
import { useProjectWords } from '../projects/use-project-words.ts';
import { useLanguage } from '../words/use-words.ts';
import { useAppWords } from './use-app-words.ts';

/** The consent page on which the app asks, in the words that are in force of a project; nothing can be decided in it. */
export function AppPreview({ app }: { app: ClientDetail }) {
  const { seen } = useAppWords();
  const { preview: words } = useProjectWords();
  const { language: own } = useLanguage();
  const organization = useOrganization();
  const project = useShownProject();
  const [device, setDevice] = useState<Device>('phone');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [language, setLanguage] = useState<Language>(own);
  const projectName = project?.name ?? organization.name;
  // As the service decides it, before a page is shown.
  if (project?.onlyVouchedApps === true && app.judgement !== 'vouched')
    return (
      <Notice kind="warning">
        <p>{seen.notVouched(projectName)}</p>
        {app.name !== null && <p>{seen.notLetIn(organization.name, app.name)}</p>}
        <p>
          <PageLink to={`/projects/${project.id}`} search={{ tab: 'connect' }}>
            {seen.whichApps(projectName)}
          </PageLink>
        </p>
      </Notice>
    );
  return (
    <div className="stack">
      <p className="soft">{seen.rendered(projectName)}</p>
      <div className="preview-controls">
        <Segments legend={words.device} names={words.devices} value={device} onChange={setDevice} />
        <Segments legend={words.scheme} names={words.schemes} value={scheme} onChange={setScheme} />
        <Segments legend={words.language} names={words.languages} value={language} onChange={setLanguage} />
      </div>
      <PreviewFrame
        device={device}
        onLanguage={setLanguage}
        shown={{
          requester: 'app',
          client: toPreviewedClient(app, organization.name),
          organization,
          projectName,
          content: project?.content ?? null,
          language,
          scheme,
        }}
      />
    </div>
  );
}

/** The project that the switcher chose, else the first one; of a role that reads no projects, none. */
function useShownProject() {
  const mayRead = usePermission('projects.read');
  const [first] = useProjects();
  const projectId = useProjectId() ?? first?.id ?? '';
  const { data } = useData<typeof getProject>(
    PROJECT_TARGET,
    { params: { projectId } },
    { enabled: mayRead && projectId !== '' },
  );
  return data;
}

/** Each registration has its own day: the first that was seen stands for them. */
const toPreviewedClient = (app: ClientDetail, organizationName: string): PreviewedClient => ({
  name: app.name,
  verifiedHost: app.documentUrl === null ? null : new URL(app.documentUrl).hostname,
  redirectHost: app.redirectHost ?? 'localhost',
  onThisDevice: app.redirectHost === null,
  registeredAt: app.documentUrl === null ? app.firstSeenAt : null,
  looksLike: app.looksLike,
  about: app.about,
  knownBy: app.judgement === 'vouched' ? organizationName : null,
});
