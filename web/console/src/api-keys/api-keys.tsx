import { useState } from 'react';
import type { ApiKey, listApiKeys } from '../../../../contract/organization/api-keys.ts';
import type { listMembers } from '../../../../contract/organization/members.ts';
import { Button } from '../../../kit/button.tsx';
import { formatNumber } from '../../../kit/format-number.ts';
import { mayEndKey, mayIssueKey } from '../../../../contract/roles.ts';
import { useConsole, usePermission } from '../api/use-console.ts';
import { useData } from '../api/use-data.ts';
import { Badge } from '../kit/badge.tsx';
import { Page } from '../kit/page.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { useProjectNames } from '../kit/project-picker.tsx';
import { ExactTime, HourTime, RelativeTime } from '../kit/relative-time.tsx';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EndFormerDialog } from './end-former-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { useApiKeyWords } from './use-api-key-words.ts';

type KeyDialog = 'rotate' | 'endFormer' | 'revoke';
type Opened = { dialog: 'create' } | { dialog: KeyDialog; apiKey: ApiKey };

/** The keys by which programs sign in. */
export function ApiKeys() {
  const words = useApiKeyWords();
  const mayManage = usePermission('keys.manage');
  const mayReadLog = usePermission('audit.read');
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useColumns();
  const list = useList<typeof listApiKeys>('GET /v1/organizations/{orgId}/api-keys', {
    paging: 'offset',
    getKey: ({ id }) => id,
  });
  const close = () => setOpened(null);
  const create = (
    <Button variant="strong" onPress={() => setOpened({ dialog: 'create' })}>
      {words.create}
    </Button>
  );
  const renderActions = (apiKey: ApiKey) => (
    <>
      {mayManage && apiKey.state === 'active' && (
        <KeyActions apiKey={apiKey} onOpen={(dialog) => setOpened({ dialog, apiKey })} />
      )}
      {mayReadLog && <LogLink apiKey={apiKey} />}
      {mayManage && apiKey.isLastAdminKey && <p className="list-reason">{words.lastAdmin}</p>}
    </>
  );
  return (
    <Page name="api-keys" title={words.title} lead={words.lead} {...(mayManage && { actions: create })}>
      <List
        list={list}
        caption={words.title}
        columns={columns}
        empty={{ title: words.emptyTitle, text: words.empty, ...(mayManage && { action: create }) }}
        {...((mayManage || mayReadLog) && { actions: renderActions, actionsHeader: words.actions })}
      />
      <Dialogs opened={opened} onClose={close} />
    </Page>
  );
}

interface KeyActionsProps {
  apiKey: ApiKey;
  onOpen: (dialog: KeyDialog) => void;
}

/** What the service would take; why it would refuse the rest. */
function KeyActions({ apiKey, onOpen }: KeyActionsProps) {
  const words = useApiKeyWords();
  const { role } = useConsole().member;
  const mayRotate = mayIssueKey(role, apiKey.role);
  const mayEnd = mayEndKey(role, apiKey.role);
  const isOffered = {
    rotate: mayRotate,
    endFormer: mayEnd && apiKey.secrets.length > 1,
    revoke: mayEnd && !apiKey.isLastAdminKey,
  };
  const offered = (['rotate', 'endFormer', 'revoke'] as const).filter((dialog) => isOffered[dialog]);
  return (
    <>
      {!mayRotate && <p className="list-reason">{words.errors.permission}</p>}
      {offered.map((dialog) => (
        <Button key={dialog} variant="quiet" onPress={() => onOpen(dialog)}>
          {words[dialog]}
        </Button>
      ))}
    </>
  );
}

function Dialogs({ opened, onClose }: { opened: Opened | null; onClose: () => void }) {
  if (opened === null) return null;
  if (opened.dialog === 'create') return <CreateKeyDialog onClose={onClose} />;
  const { apiKey } = opened;
  if (opened.dialog === 'rotate') return <RotateKeyDialog {...{ apiKey, onClose }} />;
  if (opened.dialog === 'endFormer') return <EndFormerDialog {...{ apiKey, onClose }} />;
  return <RevokeKeyDialog {...{ apiKey, onClose }} />;
}

/** Leads to what was done with a key. */
function LogLink({ apiKey: { role, apiKey } }: { apiKey: ApiKey }) {
  const { log } = useApiKeyWords();
  return (
    <PageLink className="button button-quiet" to="/audit" search={{ actorKind: role, actorId: apiKey }}>
      {log}
    </PageLink>
  );
}

const BADGES = { active: 'good', expired: 'warning', revoked: 'plain' } as const;

function useColumns(): ListColumn<ApiKey>[] {
  const words = useApiKeyWords();
  const { common, roles } = useWords();
  const nameProjects = useProjectNames();
  return [
    {
      name: 'name',
      header: words.name,
      render: ({ name, apiKey }) => (
        <>
          {name}
          <br />
          <code className="soft small">{apiKey}</code>
        </>
      ),
      csv: ({ name }) => name,
    },
    { name: 'role', header: words.role, render: ({ role }) => roles[role], csv: ({ role }) => role },
    {
      name: 'projects',
      header: words.projects,
      wideOnly: true,
      render: ({ projectIds }) => nameProjects(projectIds),
      csv: ({ projectIds }) => nameProjects(projectIds),
    },
    {
      name: 'state',
      header: words.state,
      render: (apiKey) => <KeyState apiKey={apiKey} />,
      csv: ({ state }) => state,
    },
    {
      name: 'lastUsedAt',
      header: words.lastUsed,
      render: ({ lastUsedAt, secrets }) => (
        <div>
          {lastUsedAt === null ? common.never : <HourTime time={lastUsedAt} />}
          <Addresses secrets={secrets} />
        </div>
      ),
      csv: ({ lastUsedAt }) => lastUsedAt,
    },
    ...useEndColumns(),
  ];
}

/** Until when a key is valid, and who made it. */
function useEndColumns(): readonly ListColumn<ApiKey>[] {
  const words = useApiKeyWords();
  const { common } = useWords();
  const nameOf = useMakers();
  return [
    {
      name: 'expiresAt',
      header: words.expires,
      render: ({ expiresAt }) => (expiresAt === null ? common.never : <RelativeTime time={expiresAt} />),
      csv: ({ expiresAt }) => expiresAt,
    },
    {
      name: 'createdBy',
      header: words.createdBy,
      wideOnly: true,
      hiddenAtFirst: true,
      render: ({ createdBy }) => nameOf(createdBy),
      csv: ({ createdBy }) => nameOf(createdBy),
    },
  ];
}

/** Returns who made a key: a member by name, where the role knows the members. */
function useMakers(): (maker: ApiKey['createdBy']) => string {
  const { madeAtFirst } = useApiKeyWords();
  const mayKnow = usePermission('members.read');
  const { data } = useData<typeof listMembers>(
    'GET /v1/organizations/{orgId}/members',
    { query: { limit: 1000 } },
    { enabled: mayKnow },
  );
  const names = new Map((data?.results ?? []).map(({ id, name }) => [id as string, name]));
  return (maker) => (maker === null ? madeAtFirst : (names.get(maker.id) ?? maker.id));
}

/** From how many addresses the present secret is used, and the one before: a leaked one from where nobody expects it. */
function Addresses({ secrets: [present, previous] }: Pick<ApiKey, 'secrets'>) {
  const words = useApiKeyWords();
  const { language } = useLanguage();
  const format = ({ addresses }: ApiKey['secrets'][number]): string =>
    formatNumber(addresses, language) + (addresses >= MAX_ADDRESSES ? '+' : '');
  return (
    <>
      {present !== undefined && present.addresses > 0 && (
        <p className="soft small">{words.addresses(format(present))}</p>
      )}
      {previous !== undefined && previous.addresses > 0 && (
        <p className="soft small">{words.addressesBefore(format(previous))}</p>
      )}
    </>
  );
}

/** Those of the contract, whose values would bring its library along. */
const MAX_ADDRESSES = 1000;

function KeyState({ apiKey: { state, secrets } }: { apiKey: ApiKey }) {
  const words = useApiKeyWords();
  const { common } = useWords();
  const [, previous] = secrets;
  return (
    <>
      <Badge kind={BADGES[state]}>{words.states[state]}</Badge>
      {state === 'active' && previous && previous.expiresAt !== null && (
        <p className="soft small">
          {words.formerEnds} <ExactTime time={previous.expiresAt} />. {words.formerUsed}{' '}
          {previous.lastUsedAt === null ? (
            common.never.toLowerCase()
          ) : (
            <HourTime time={previous.lastUsedAt} />
          )}
        </p>
      )}
    </>
  );
}
