import { useWords } from '../words/use-words.ts';
import { Page } from '../kit/page.tsx';
import { Tabs, useTab } from '../kit/tabs.tsx';
import { ConsentCharts } from './consent-charts.tsx';
import { ConsentList } from './consent-list.tsx';
import { PageVersions } from './page-versions.tsx';
import { useConsentWords } from './use-consent-words.ts';

/** All decisions of the organization's patients: as a list, and over time. */
export function Consents() {
  const words = useConsentWords();
  const { pages } = useWords();
  const tab = useTab(['list', 'charts', 'pages']);
  return (
    <Page name="consents" title={pages.consents} lead={words.lead}>
      <Tabs
        label={words.tabs.label}
        path="/consents"
        active={tab}
        tabs={[
          { name: 'list', label: words.tabs.list },
          { name: 'charts', label: words.tabs.charts },
          { name: 'pages', label: words.tabs.pages },
        ]}
      />
      {tab === 'list' ? <ConsentList /> : tab === 'charts' ? <ConsentCharts /> : <PageVersions />}
    </Page>
  );
}
