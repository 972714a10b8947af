import type { getSource } from '../../../../contract/organization/sources.ts';
import { usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { AsCurl } from '../kit/as-curl.tsx';
import { useCurl } from '../kit/build-curl.ts';
import { Page } from '../kit/page.tsx';
import { PageLink, usePathParameter } from '../kit/page-link.tsx';
import { States } from '../kit/states.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { Connection } from './connection.tsx';
import { PatientBar } from './patient-bar.tsx';
import { Settings } from './settings.tsx';
import { SourceStatus, type CountedSource } from './sources.tsx';
import { Syncs, WorkList } from './syncs.tsx';
import { useSourceWords } from './use-source-words.ts';

const TABS = ['connection', 'patients', 'work', 'settings'] as const;
type Tab = (typeof TABS)[number];

/** Tabs that change something. */
const MANAGED: readonly Tab[] = ['settings'];

const TARGET = 'GET /v1/organizations/{orgId}/sources/{sourceId}';

/** One connected server. */
export function SourcePage() {
  const words = useSourceWords();
  const sourceId = usePathParameter('sourceId');
  const curl = useCurl();
  const params = { sourceId };
  const query = useData<typeof getSource>(TARGET, { params }, { pollMs: 5000 });
  return (
    <Page
      name="source"
      title={query.data?.name ?? words.title}
      lead={query.data && <span className="source-address">{query.data.baseUrl}</span>}
      above={<PageLink to="/sources">{words.back}</PageLink>}
      actions={
        <>
          {query.data && <SourceStatus status={query.data.status} />}
          <AsCurl command={curl<typeof getSource>(TARGET, { params })} />
        </>
      }
    >
      <States query={query}>{(source) => <SourceTabs source={source} />}</States>
    </Page>
  );
}

function SourceTabs({ source }: { source: CountedSource }) {
  const { tabs } = useSourceWords();
  const canManage = usePermission('sources.manage');
  const shown = TABS.filter((name) => canManage || !MANAGED.includes(name)) as unknown as [Tab, ...Tab[]];
  const active = useTab<Tab>(shown);
  return (
    <div className="page">
      <PatientBar patients={source.patients} />
      <Tabs
        label={tabs.label}
        tabs={shown.map((name) => ({ name, label: tabs[name] }))}
        active={active}
        path={`/sources/${source.id}`}
      />
      {active === 'connection' && <Connection source={source} />}
      {active === 'patients' && <Syncs source={source} />}
      {active === 'work' && <WorkList source={source} />}
      {active === 'settings' && <Settings source={source} />}
    </div>
  );
}
