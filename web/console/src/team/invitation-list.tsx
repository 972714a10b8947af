import { useState } from 'react';
import type {
  createInvitation,
  Invitation,
  listInvitations,
  revokeInvitation,
} from '../../../../contract/organization/members.ts';
import { Button } from '../../../kit/button.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { MailsKept } from '../kit/mails-kept.tsx';
import { useProjectNames } from '../kit/project-picker.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useToast } from '../kit/toasts.tsx';
import { List } from '../list/list.tsx';
import type { ListColumn } from '../list/list-column.ts';
import { useList } from '../list/use-list.ts';
import { useWords } from '../words/use-words.ts';
import { mayManageRole } from './role-fields.tsx';
import { useTeamErrors } from './use-team-errors.ts';
import { useTeamWords } from './use-team-words.ts';

interface Opened {
  dialog: 'resend' | 'revoke';
  invitation: Invitation;
}

/** Who is invited and has not answered. */
export function InvitationList({ mayManage }: { mayManage: boolean }) {
  const words = useTeamWords();
  const { member: self } = useConsole();
  const columns = useColumns();
  const [opened, setOpened] = useState<Opened | null>(null);
  const list = useList<typeof listInvitations>('GET /v1/organizations/{orgId}/invitations', {
    paging: 'offset',
    pageParameter: 'invitations-from',
    getKey: ({ id }) => id,
  });
  // An owner's invitation is sent by owners alone; whoever manages members may take it back.
  const renderActions = (invitation: Invitation) =>
    (['resend', 'revoke'] as const)
      .filter((dialog) => dialog === 'revoke' || mayManageRole(self.role, invitation.role))
      .map((dialog) => (
        <Button key={dialog} variant="quiet" onPress={() => setOpened({ dialog, invitation })}>
          {words[dialog]}
        </Button>
      ));
  return (
    <>
      <List
        list={list}
        caption={words.invitations}
        columns={columns}
        empty={{ text: words.noInvitations }}
        {...(mayManage && { actions: renderActions, actionsHeader: words.actions })}
      />
      {opened && <InvitationDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function useColumns(): ListColumn<Invitation>[] {
  const words = useTeamWords();
  const { roles } = useWords();
  const nameProjects = useProjectNames();
  return [
    { name: 'email', header: words.email, render: ({ email }) => email, csv: ({ email }) => email },
    { name: 'role', header: words.role, render: ({ role }) => roles[role], csv: ({ role }) => role },
    {
      name: 'projects',
      header: words.projects,
      wideOnly: true,
      render: ({ projectIds }) => nameProjects(projectIds),
      csv: ({ projectIds }) => nameProjects(projectIds),
    },
    {
      name: 'expiresAt',
      header: words.expires,
      render: ({ expiresAt }) => <RelativeTime time={expiresAt} />,
      csv: ({ expiresAt }) => expiresAt,
    },
  ];
}

/** A new invitation of an address replaces the one before; one that is taken back works no more. */
function InvitationDialog({ dialog, invitation, onClose }: Opened & { onClose: () => void }) {
  const words = useTeamWords();
  const texts = useTeamErrors();
  const { mails } = useWords();
  const { call, keepsMails } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const { id, email, role, projectIds } = invitation;
  const send = () =>
    call<typeof createInvitation>('POST /v1/organizations/{orgId}/invitations', {
      body: { email, role, projectIds },
    });
  const revoke = () =>
    call<typeof revokeInvitation>('DELETE /v1/organizations/{orgId}/invitations/{invitationId}', {
      params: { invitationId: id },
    });
  const confirm = async () => {
    await (dialog === 'resend' ? send() : revoke());
    await refresh('GET /v1/organizations/{orgId}/invitations');
    const sent = keepsMails ? mails.toast(email) : words.invited(email);
    toast(dialog === 'resend' ? sent : words.revoked(email));
    onClose();
  };
  return (
    <ConfirmDialog
      title={dialog === 'resend' ? words.resend : words.revokeTitle(email)}
      confirm={words[dialog]}
      danger={dialog === 'revoke'}
      texts={texts}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{dialog === 'resend' ? words.inviteText : words.revokeText}</p>
      {dialog === 'resend' && <MailsKept />}
    </ConfirmDialog>
  );
}
