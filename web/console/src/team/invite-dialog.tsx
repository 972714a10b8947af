import { useState } from 'react';
import type { createInvitation } from '../../../../contract/organization/members.ts';
import { MAX_EMAIL_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { MailsKept } from '../kit/mails-kept.tsx';
import { useToast } from '../kit/toasts.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useWords } from '../words/use-words.ts';
import { type Assignment, RoleFields } from './role-fields.tsx';
import { useTeamErrors } from './use-team-errors.ts';
import { useTeamWords } from './use-team-words.ts';

/** Invites an address by mail. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const words = useTeamWords();
  const texts = useTeamErrors();
  const { mails } = useWords();
  const { call, keepsMails } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const [assignment, setAssignment] = useState<Assignment>({ role: 'researcher', projectIds: null });
  const { form, field } = useForm({
    validators: { email: requireText(words.emailMissing) },
    async send({ email }) {
      const { role, projectIds } = assignment;
      const body = { email: email.trim(), role, projectIds: projectIds && [...projectIds] };
      await call<typeof createInvitation>('POST /v1/organizations/{orgId}/invitations', { body });
      await refresh('GET /v1/organizations/{orgId}/invitations');
      toast(keepsMails ? mails.toast(body.email) : words.invited(body.email));
      onClose();
    },
    errors: Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, { text }])),
  });
  return (
    <Dialog title={words.invite} onClose={onClose}>
      <p>{words.inviteText}</p>
      <MailsKept />
      <Form {...form} submit={words.sendInvitation}>
        <Field
          {...field('email')}
          label={words.email}
          type="email"
          autoComplete="off"
          maxLength={MAX_EMAIL_LENGTH}
        />
        <RoleFields value={assignment} onChange={setAssignment} />
      </Form>
    </Dialog>
  );
}
