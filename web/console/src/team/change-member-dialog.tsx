import { useState } from 'react';
import type { listMembers, Member, updateMember } from '../../../../contract/organization/members.ts';
import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { pickChanged, requireUnchanged } from '../kit/pick-changed.ts';
import { useToast } from '../kit/toasts.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useWords } from '../words/use-words.ts';
import { type Assignment, RoleFields } from './role-fields.tsx';
import { useTeamErrors } from './use-team-errors.ts';
import { useTeamWords } from './use-team-words.ts';

const MEMBERS_TARGET = 'GET /v1/organizations/{orgId}/members';

const readInput = ({ name, role, projectIds }: Member): Pick<Member, 'name' | 'role' | 'projectIds'> => ({
  name,
  role,
  projectIds,
});

/** Changes name, role and projects of a member; only what differs is sent, since a change of role ends sessions. */
export function ChangeMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const words = useTeamWords();
  const texts = useTeamErrors();
  const { common } = useWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const [chosen, setChosen] = useState<Partial<Assignment>>({});
  const assignment = { role: member.role, projectIds: member.projectIds, ...chosen };
  const { form, field } = useForm({
    validators: { name: requireText(words.name) },
    initial: { name: member.name },
    async send({ name }) {
      const { role, projectIds } = assignment;
      const before = readInput(member);
      const body = pickChanged(before, {
        name: name.trim(),
        role,
        projectIds: projectIds && [...projectIds],
      });
      const { results } = await call<typeof listMembers>(MEMBERS_TARGET, { query: { limit: 1000 } });
      const now = results.find(({ id }) => id === member.id);
      if (now) requireUnchanged(body, { before, now: readInput(now) });
      if (Object.keys(body).length > 0)
        await call<typeof updateMember>('PATCH /v1/organizations/{orgId}/members/{memberId}', {
          params: { memberId: member.id },
          body,
        });
      await refresh(MEMBERS_TARGET);
      toast(words.changed(name));
      onClose();
    },
    errors: Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, { text }])),
  });
  return (
    <Dialog title={words.changeTitle(member.name)} onClose={onClose}>
      <Form {...form} submit={common.save}>
        <Field {...field('name')} label={words.name} autoComplete="off" maxLength={MAX_PLAIN_NAME_LENGTH} />
        <RoleFields value={assignment} onChange={setChosen} />
      </Form>
    </Dialog>
  );
}
