import { useState } from 'react';
import type {
  listSourceSyncs,
  SourceSync,
  syncSource,
} from '../../../../contract/organization/source-syncs.ts';
import type { Source } from '../../../../contract/organization/sources.ts';
import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Badge } from '../kit/badge.tsx';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useTask } from '../../../kit/task.ts';
import { Filters, useFilters } from '../list/filters.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { List } from '../list/list.tsx';
import { useList } from '../list/use-list.ts';
import { useLanguage } from '../words/use-words.ts';
import type { CountedSource } from './sources.tsx';
import { STATES } from './patient-bar.tsx';
import { SYNC_KINDS } from './sync-kinds.ts';
import { useReason } from './use-reason.ts';
import { useSourceWords } from './use-source-words.ts';

const LIST = 'GET /v1/organizations/{orgId}/sources/{sourceId}/syncs';

/** How far each patient is, and why. */
export function Syncs({ source }: { source: Source }) {
  const { patients: words, states } = useSourceWords();
  const { values, filterNames } = useFilters(['status', 'patientId']);
  return (
    <>
      <Filters
        filters={[
          {
            kind: 'choices',
            name: 'status',
            label: words.state,
            options: STATES.map((value) => ({ value, label: states[value] })),
          },
          { kind: 'patient', name: 'patientId', label: words.patient },
        ]}
      />
      <SyncList source={source} query={values} filterNames={filterNames} empty={words.empty} />
    </>
  );
}

const WORK = ['several', 'differs', 'nobody'] as const;
const WORK_STATES = {
  several: 'ambiguous_match',
  differs: 'needs_organization_review',
  nobody: 'no_match',
} as const;

/** The patients that somebody has to decide about, one kind at a time. */
export function WorkList({ source }: { source: CountedSource }) {
  const { work: words } = useSourceWords();
  const { language } = useLanguage();
  const [search, setSearch] = useSearch();
  const count = (name: (typeof WORK)[number]) => source.patients[WORK_STATES[name]];
  const kind =
    WORK.find((name) => name === search['work']) ?? WORK.find((name) => count(name) > 0) ?? 'several';
  return (
    <>
      <p>{words.lead}</p>
      <SelectField
        name="work"
        label={words.which}
        options={WORK.map((value) => ({
          value,
          label: `${words[value]} (${formatNumber(count(value), language)})`,
        }))}
        value={kind}
        onChange={(work) => setSearch({ work, from: undefined })}
      />
      <SyncList source={source} query={{ status: WORK_STATES[kind] }} filterNames={[]} empty={words.empty} />
    </>
  );
}

interface SyncListProps {
  source: Source;
  query: object;
  filterNames: readonly string[];
  empty: string;
}

function SyncList({ source, query, filterNames, empty }: SyncListProps) {
  const { patients: words } = useSourceWords();
  const columns = useColumns();
  const canManage = usePermission('sources.manage');
  const canOpen = usePermission('patients.read');
  const list = useList<typeof listSourceSyncs>(LIST, {
    request: { params: { sourceId: source.id }, query },
    filterNames,
    paging: 'offset',
    getKey: ({ patientId }) => patientId,
    // What is being fetched is watched in its place.
    isLive: true,
  });
  const isPaused = source.status === 'paused';
  // Whose row says that they share no more may share again: the service asks before it fetches.
  const renderSync = ({ patientId }: SourceSync) => <SyncOne source={source} patientId={patientId} />;
  return (
    <>
      {canManage && (isPaused ? <p className="soft">{words.paused}</p> : <SyncAll source={source} />)}
      <List
        list={list}
        caption={words.caption}
        columns={columns}
        {...(canOpen && { getLink: ({ patientId }: SourceSync) => `/patients/${patientId}` })}
        empty={{ text: empty }}
        actionsHeader={words.sync}
        {...(canManage && !isPaused && { actions: renderSync })}
      />
    </>
  );
}

function useColumns(): ListColumn<SourceSync>[] {
  const { patients: words, states } = useSourceWords();
  const counted = useCountedColumns();
  const describe = useReason();
  return [
    {
      name: 'patient',
      header: words.patient,
      render: ({ patientId }) => <code>{patientId}</code>,
      csv: ({ patientId }) => patientId,
    },
    {
      name: 'state',
      header: words.state,
      render: ({ state }) => <Badge kind={SYNC_KINDS[state]}>{states[state]}</Badge>,
      csv: ({ state }) => state,
    },
    {
      name: 'why',
      header: words.why,
      render: ({ code, message, skippedTypes }) => (
        <div className="source-why">
          <span>{describe(code, message)}</span>
          {skippedTypes.length > 0 && (
            <span className="small soft">{words.skipped(skippedTypes.join(', '))}</span>
          )}
        </div>
      ),
      csv: ({ code }) => code,
    },
    {
      name: 'last',
      header: words.last,
      render: ({ lastSynchronizedAt }) => lastSynchronizedAt && <RelativeTime time={lastSynchronizedAt} />,
      csv: ({ lastSynchronizedAt }) => lastSynchronizedAt,
    },
    {
      name: 'next',
      header: words.next,
      wideOnly: true,
      render: ({ nextAttemptAt }) => nextAttemptAt && <RelativeTime time={nextAttemptAt} />,
      csv: ({ nextAttemptAt }) => nextAttemptAt,
    },
    ...counted,
  ];
}

function useCountedColumns(): ListColumn<SourceSync>[] {
  const { patients: words } = useSourceWords();
  const { language } = useLanguage();
  return (['failures', 'resources'] as const).map((name) => ({
    name,
    header: words[name],
    numeric: true,
    wideOnly: true,
    render: (sync) => formatNumber(sync[name], language),
    csv: (sync) => sync[name],
  }));
}

const SYNC = 'POST /v1/organizations/{orgId}/sources/{sourceId}/sync';

function useRefreshSyncs(): () => Promise<void> {
  const refresh = useRefresh();
  return () => refresh(LIST, 'GET /v1/organizations/{orgId}/sources/{sourceId}');
}

function SyncOne({ source, patientId }: { source: Source; patientId: SourceSync['patientId'] }) {
  const { patients: words } = useSourceWords();
  const { call } = useConsole();
  const { busy, refusal, run } = useTask();
  const refresh = useRefreshSyncs();
  const toast = useToast();
  const sync = () =>
    run(async () => {
      await call<typeof syncSource>(SYNC, { params: { sourceId: source.id }, body: { patientId } });
      toast(words.syncedOne);
      await refresh();
    });
  return (
    <>
      <Button busy={busy} onPress={sync}>
        {words.sync}
      </Button>
      {refusal && (
        <RefusalNotice
          refusal={refusal}
          texts={{ source_paused: words.paused, forbidden: words.noConsent }}
        />
      )}
    </>
  );
}

function SyncAll({ source }: { source: Source }) {
  const { patients: words } = useSourceWords();
  const { call } = useConsole();
  const { language } = useLanguage();
  const refresh = useRefreshSyncs();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="page-actions">
      <Button onPress={() => setIsAsking(true)}>{words.syncAll}</Button>
      {isAsking && (
        <ConfirmDialog
          title={words.syncAllTitle}
          confirm={words.syncAll}
          texts={{ source_paused: words.paused }}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            const { patients } = await call<typeof syncSource>(SYNC, {
              params: { sourceId: source.id },
              body: {},
            });
            setIsAsking(false);
            toast(words.syncing(formatNumber(patients, language)));
            await refresh();
          }}
        >
          <p>{words.syncAllText}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
