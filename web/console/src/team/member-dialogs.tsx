import type { Member, removeMember, resetMember } from '../../../../contract/organization/members.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { MailsKept } from '../kit/mails-kept.tsx';
import { useToast } from '../kit/toasts.tsx';
import { useWords } from '../words/use-words.ts';
import { useTeamErrors } from './use-team-errors.ts';
import { useTeamWords } from './use-team-words.ts';

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

/** Mails a member a link by which they choose password and factor anew. */
export function ResetMemberDialog({ member, onClose }: MemberDialogProps) {
  const words = useTeamWords();
  const { mails } = useWords();
  const { call, keepsMails } = useConsole();
  const toast = useToast();
  const reset = async () => {
    await call<typeof resetMember>('POST /v1/organizations/{orgId}/members/{memberId}/reset', {
      params: { memberId: member.id },
    });
    toast(keepsMails ? mails.toast(member.email) : words.resetDone(member.email));
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.resetTitle(member.name)}
      confirm={words.reset}
      texts={useTeamErrors()}
      onConfirm={reset}
      onClose={onClose}
    >
      <p>{words.resetText(member.email)}</p>
      <MailsKept />
    </ConfirmDialog>
  );
}

/** Removes a member, whose next call is refused. */
export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const words = useTeamWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const remove = async () => {
    await call<typeof removeMember>('DELETE /v1/organizations/{orgId}/members/{memberId}', {
      params: { memberId: member.id },
    });
    await refresh('GET /v1/organizations/{orgId}/members');
    toast(words.removed(member.name));
    onClose();
  };
  return (
    <ConfirmDialog
      title={words.removeTitle(member.name)}
      confirm={words.remove}
      danger
      texts={useTeamErrors()}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </ConfirmDialog>
  );
}
