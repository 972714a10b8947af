import { useState } from 'react';
import type { chooseConsolePassword } from '../../../../contract/console/console.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import { useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { EntryScreen } from './entry-screen.tsx';
import { takeToken } from './take-token.ts';
import { useNewPasswordValidator } from './validate-new-password.ts';

interface NewPasswordProps {
  plainCall: Call;
  /** The path of the console. */
  basePath: string;
}

/** Read once for the document: the address holds it no more when React renders a second time. */
const token = takeToken();

/** The page that the mail about a forgotten password leads to. It signs nobody in: the second factor is asked for then. */
export function NewPassword({ plainCall, basePath }: NewPasswordProps) {
  const { setup, forgotten, invitation, oidc } = useSignInWords();
  const { common } = useWords();
  const validateNewPassword = useNewPasswordValidator();
  const [isDone, setIsDone] = useState(false);
  const { form, field } = useForm({
    validators: { 'new-password': validateNewPassword },
    async send({ 'new-password': password }) {
      await plainCall<typeof chooseConsolePassword>('POST /console/forgotten-password/choose', {
        body: { token, password },
      });
      setIsDone(true);
    },
    errors: {
      weak_password: { field: 'new-password', text: setup.passwordWeak },
      link_invalid: { text: forgotten.gone },
      use_oidc: { text: oidc.refusals.use_oidc },
      oidc_only: { text: oidc.refusals.oidc_only },
    },
  });
  const toSignIn = <a href={basePath}>{invitation.toSignIn}</a>;
  if (isDone)
    return (
      <EntryScreen name="new-password-done" title={forgotten.doneTitle} lead={forgotten.done}>
        {toSignIn}
      </EntryScreen>
    );
  if (token === '')
    return (
      <EntryScreen name="new-password-reloaded" title={invitation.reopenTitle} lead={invitation.reopen}>
        {toSignIn}
      </EntryScreen>
    );
  return (
    <EntryScreen name="new-password" title={forgotten.newTitle} lead={forgotten.newLead}>
      <Form {...form} submit={setup.savePassword}>
        <Field
          {...field('new-password')}
          label={setup.newPassword}
          hint={setup.newPasswordHint}
          type="password"
          autoComplete="new-password"
          maxLength={null}
          reveal={common.reveal}
        />
      </Form>
      {toSignIn}
    </EntryScreen>
  );
}
