import type { listProjectVersions } from '../../../../contract/organization/projects.ts';
import { Checkbox } from '../../../kit/choice.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { SelectField } from '../../../kit/select-field.tsx';
import { Badge } from '../kit/badge.tsx';
import { Id } from '../kit/copy-button.tsx';
import { Section } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useSearch } from '../kit/use-search.ts';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { compareVersions } from './compare-versions.ts';
import { ComparisonView } from './comparison-view.tsx';
import { type ProjectData, type VersionData, VERSIONS_TARGET } from './project-data.ts';
import { useLanguage } from '../words/use-words.ts';
import { useProjectFigures } from './use-project-figures.ts';
import { useProjectWords } from './use-project-words.ts';
import { VersionTexts } from './words-shown.tsx';
import './projects.css';

/** Every version of the words, newest first, and two of them side by side. */
export function VersionsTab({ project }: { project: ProjectData }) {
  const words = useProjectWords();
  const columns = useColumns(project);
  const list = useList<typeof listProjectVersions>(VERSIONS_TARGET, {
    request: { params: { projectId: project.id } },
    paging: 'offset',
    getKey: ({ studySnapshotId }) => studySnapshotId,
  });
  const versions = list.query.data?.results ?? [];
  const [newest] = versions;
  return (
    <div className="page">
      <List
        list={list}
        caption={words.tabs.versions}
        columns={columns}
        empty={{ title: words.noVersion, text: words.versionsEmpty }}
      />
      {newest && <Compared newest={newest} versions={versions} />}
    </div>
  );
}

function useColumns({ id, version: inForce }: ProjectData): ListColumn<VersionData>[] {
  const words = useProjectWords();
  const count = useConsentCount(id);
  return [
    {
      name: 'version',
      header: words.version,
      render: ({ version }) => (
        <span className="project-version">
          {words.versionNumber(version)}
          {version === inForce && <Badge kind="good">{words.versionInForce}</Badge>}
        </span>
      ),
      csv: ({ version }) => version,
    },
    {
      name: 'createdAt',
      header: words.versionPublished,
      render: ({ createdAt }) => <RelativeTime time={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
    {
      name: 'consents',
      header: words.versionConsents,
      numeric: true,
      render: ({ version }) => count(version),
      csv: ({ version }) => count(version),
    },
    {
      name: 'studySnapshotId',
      header: words.versionId,
      wideOnly: true,
      render: ({ studySnapshotId }) => <Id id={studySnapshotId} subject={words.versionId} />,
      csv: ({ studySnapshotId }) => studySnapshotId,
    },
  ];
}

/** Formats how many consents rest on the words of a version. */
function useConsentCount(projectId: string): (version: number) => string {
  const { language } = useLanguage();
  const { data, isError } = useProjectFigures(projectId);
  return (version) => {
    if (data === undefined) return isError ? '–' : '…';
    const found = data.results[0]?.consentsByVersion.find((row) => row.version === version);
    return formatNumber(found?.consents ?? 0, language);
  };
}

/** The two that the address names, or the newest and the one before it. */
function Compared({ newest, versions }: { newest: VersionData; versions: readonly VersionData[] }) {
  const words = useProjectWords();
  const [search, setSearch] = useSearch();
  const find = (name: string | undefined) => versions.find(({ version }) => String(version) === name);
  const newer = find(search['newer']) ?? newest;
  const older = find(search['older']) ?? versions[versions.indexOf(newer) + 1] ?? versions[1];
  if (older === undefined)
    return (
      <Section title={words.versionNumber(newer.version)}>
        <VersionTexts version={newer} />
      </Section>
    );
  const options = versions.map(({ version }) => ({
    value: String(version),
    label: words.versionNumber(version),
  }));
  const onlyChanges = search['parts'] === 'changed';
  return (
    <Section title={words.compareTitle}>
      <div className="project-pair">
        <SelectField
          name="older"
          label={words.older}
          options={options}
          value={String(older.version)}
          onChange={(version) => setSearch({ older: version }, { replace: true })}
        />
        <SelectField
          name="newer"
          label={words.newer}
          options={options}
          value={String(newer.version)}
          onChange={(version) => setSearch({ newer: version }, { replace: true })}
        />
      </div>
      <Checkbox
        label={words.onlyChanges}
        checked={onlyChanges}
        onChange={(checked) => setSearch({ parts: checked ? 'changed' : undefined }, { replace: true })}
      />
      <ComparisonView
        comparison={compareVersions(older, newer)}
        labels={[words.versionNumber(older.version), words.versionNumber(newer.version)]}
        onlyChanges={onlyChanges}
      />
    </Section>
  );
}
