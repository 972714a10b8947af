import { useState } from 'react';
import type { listMembers, Member } from '../../../../contract/organization/members.ts';
import { Button } from '../../../kit/button.tsx';
import { useConsole } from '../api/use-console.ts';
import { Badge } from '../kit/badge.tsx';
import { PageLink } from '../kit/page-link.tsx';
import { useProjectNames } from '../kit/project-picker.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { useWords } from '../words/use-words.ts';
import { ChangeMemberDialog } from './change-member-dialog.tsx';
import { RemoveMemberDialog, ResetMemberDialog } from './member-dialogs.tsx';
import { mayManageRole } from './role-fields.tsx';
import { useTeamWords } from './use-team-words.ts';

interface Opened {
  dialog: 'change' | 'reset' | 'remove';
  member: Member;
}

/** The members; each but oneself can be changed, reset and removed, an owner by owners alone. */
export function MemberList({ mayManage }: { mayManage: boolean }) {
  const words = useTeamWords();
  const { member: self, oidc } = useConsole();
  const columns = useColumns();
  const [opened, setOpened] = useState<Opened | null>(null);
  const list = useList<typeof listMembers>('GET /v1/organizations/{orgId}/members', {
    paging: 'offset',
    getKey: ({ id }) => id,
  });
  const close = () => setOpened(null);
  const renderActions = (member: Member) => {
    if (member.id === self.id) return <PageLink to="/profile">{words.ownProfile}</PageLink>;
    if (!mayManageRole(self.role, member.role))
      return <p className="list-reason">{words.errors.ownerRequired}</p>;
    // Of whoever signs in at the identity provider alone there is nothing to reset.
    return (['change', 'reset', 'remove'] as const)
      .filter((dialog) => dialog !== 'reset' || !oidc?.isOnly)
      .map((dialog) => (
        <Button key={dialog} variant="quiet" onPress={() => setOpened({ dialog, member })}>
          {words[dialog]}
        </Button>
      ));
  };
  return (
    <>
      <List
        list={list}
        caption={words.members}
        columns={columns}
        empty={{ text: words.members }}
        {...(mayManage && { actions: renderActions, actionsHeader: words.actions })}
      />
      {opened?.dialog === 'change' && <ChangeMemberDialog member={opened.member} onClose={close} />}
      {opened?.dialog === 'reset' && <ResetMemberDialog member={opened.member} onClose={close} />}
      {opened?.dialog === 'remove' && <RemoveMemberDialog member={opened.member} onClose={close} />}
    </>
  );
}

function useColumns(): ListColumn<Member>[] {
  const words = useTeamWords();
  const { common, roles } = useWords();
  const { member: self } = useConsole();
  const nameProjects = useProjectNames();
  return [
    {
      name: 'name',
      header: words.name,
      render: ({ id, name, email }) => (
        <>
          {name} {id === self.id && <span className="soft">({words.you})</span>}
          <br />
          <span className="soft small">{email}</span>
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
      name: 'hasFactor',
      header: words.factor,
      render: ({ hasFactor }) => (
        <Badge kind={hasFactor ? 'good' : 'warning'}>{hasFactor ? words.hasFactor : words.noFactor}</Badge>
      ),
      csv: ({ hasFactor }) => String(hasFactor),
    },
    {
      name: 'lastSignedInAt',
      header: words.lastSignedIn,
      render: ({ lastSignedInAt }) =>
        lastSignedInAt === null ? common.never : <RelativeTime time={lastSignedInAt} />,
      csv: ({ lastSignedInAt }) => lastSignedInAt,
    },
  ];
}
