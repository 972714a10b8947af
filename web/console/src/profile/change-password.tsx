import { useState } from 'react';
import type { changeConsolePassword } from '../../../../contract/console/console.ts';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { Dialog } from '../kit/dialog.tsx';
import { Section } from '../kit/page.tsx';
import { useToast } from '../kit/toasts.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useNewPasswordValidator } from '../sign-in/validate-new-password.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { useProfileWords } from './use-profile-words.ts';

/** Replaces the password of whoever knows the present one. */
export function ChangePassword() {
  const words = useProfileWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.password}>
      <p className="soft">{words.passwordLead}</p>
      <div>
        <Button onPress={() => setOpen(true)}>{words.changePassword}</Button>
      </div>
      {isOpen && (
        <Dialog title={words.changePassword} onClose={() => setOpen(false)}>
          <PasswordForm onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </Section>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const words = useProfileWords();
  const signIn = useSignInWords();
  const { common } = useWords();
  const { call } = useConsole();
  const refresh = useRefresh();
  const toast = useToast();
  const { form, field } = useForm({
    validators: {
      'current-password': requireText(signIn.passwordMissing),
      'new-password': useNewPasswordValidator(),
    },
    async send(values) {
      const body = { currentPassword: values['current-password'], newPassword: values['new-password'] };
      await call<typeof changeConsolePassword>('POST /console/password', { body });
      await refresh('GET /console/sessions');
      toast(words.passwordChanged);
      onDone();
    },
    errors: {
      invalid_credentials: { field: 'current-password', text: words.wrongPassword },
      weak_password: { field: 'new-password', text: signIn.setup.passwordWeak },
      same_password: { field: 'new-password', text: signIn.setup.passwordSame },
    },
  });
  return (
    <Form {...form} submit={words.changePassword}>
      <Field
        {...field('current-password')}
        label={words.currentPassword}
        type="password"
        autoComplete="current-password"
        maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        reveal={common.reveal}
      />
      <Field
        {...field('new-password')}
        label={words.newPassword}
        hint={signIn.setup.newPasswordHint}
        type="password"
        autoComplete="new-password"
        maxLength={null}
        reveal={common.reveal}
      />
    </Form>
  );
}
