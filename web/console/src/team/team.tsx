import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { usePermission } from '../api/use-console.ts';
import { Page } from '../kit/page.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { useTeamWords } from './use-team-words.ts';

/** Who may sign in, and who is invited to. */
export function Team() {
  const words = useTeamWords();
  const mayManage = usePermission('members.manage');
  const [isInviting, setInviting] = useState(false);
  const invite = (
    <Button variant="strong" onPress={() => setInviting(true)}>
      {words.invite}
    </Button>
  );
  return (
    <Page name="team" title={words.title} lead={words.lead} {...(mayManage && { actions: invite })}>
      <MemberList mayManage={mayManage} />
      <h2>{words.invitations}</h2>
      <InvitationList mayManage={mayManage} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
