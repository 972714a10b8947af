import { useEffect } from 'react';
import type { signInToConsole } from '../../../../contract/console/console.ts';
import {
  MAX_CODE_LENGTH,
  MAX_GIVEN_EMAIL_LENGTH,
  MAX_GIVEN_PASSWORD_LENGTH,
} from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import { Refusal } from '../../../kit/http/refusal.ts';
import { requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { signInByPasskey } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';

export interface Login {
  email: string;
  password: string;
}

interface PasswordFormProps {
  plainCall: Call;
  /** Whose session it is to be, where that is settled. */
  email?: string;
  onCodeRequired: (login: Login) => void;
  onSignedIn: (login: Login) => Promise<void>;
}

/** The first half of signing in; the whole for somebody without a second factor. */
export function PasswordForm({ plainCall, email, onCodeRequired, onSignedIn }: PasswordFormProps) {
  const words = useSignInWords();
  const { common } = useWords();
  const { form, field } = useForm({
    validators: { email: requireText(words.emailMissing), password: requireText(words.passwordMissing) },
    initial: { ...(email !== undefined && { email }) },
    async send(login) {
      try {
        await plainCall<typeof signInToConsole>('POST /console/sign-in', { body: login });
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'code_required')) throw error;
        onCodeRequired(login);
        return;
      }
      await onSignedIn(login);
    },
    errors: {
      invalid_credentials: { field: 'password', text: words.wrong },
      use_oidc: { text: words.oidc.refusals.use_oidc },
      oidc_only: { text: words.oidc.refusals.oidc_only },
    },
  });
  return (
    <Form {...form} submit={words.submit}>
      {email === undefined ? (
        <Field
          {...field('email')}
          label={words.email}
          type="email"
          autoComplete="username"
          maxLength={MAX_GIVEN_EMAIL_LENGTH}
        />
      ) : (
        // The password is what is asked for; the browser's store of passwords finds it by the name.
        <p>
          <strong>{email}</strong>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        </p>
      )}
      <Field
        {...field('password')}
        label={words.password}
        type="password"
        autoComplete="current-password"
        maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        reveal={common.reveal}
      />
    </Form>
  );
}

interface CodeFormProps {
  plainCall: Call;
  login: Login;
  /** It takes the place of another form within a screen, whose focus would be lost with it. */
  takesFocus?: boolean;
  onSignedIn: () => Promise<void>;
}

/** The second half: the password is sent again with the code, since nothing is kept between the two. */
export function CodeForm({ plainCall, login, takesFocus = false, onSignedIn }: CodeFormProps) {
  const words = useSignInWords();
  useEffect(() => {
    if (takesFocus) document.getElementById('code')?.focus();
  }, [takesFocus]);
  const { form, field } = useForm({
    validators: { code: requireText(words.codeMissing) },
    async send({ code }) {
      await plainCall<typeof signInToConsole>('POST /console/sign-in', { body: { ...login, code } });
      await onSignedIn();
    },
    errors: {
      code_required: { field: 'code', text: words.wrongCode },
      invalid_credentials: { field: 'code', text: words.wrongCode },
      invalid_input: { field: 'code', text: words.wrongCode },
      use_oidc: { text: words.oidc.refusals.use_oidc },
      oidc_only: { text: words.oidc.refusals.oidc_only },
    },
  });
  return (
    <Form {...form} submit={words.submit}>
      <Field
        {...field('code')}
        label={words.code}
        hint={words.codeHint}
        autoComplete="one-time-code"
        maxLength={MAX_CODE_LENGTH}
      />
    </Form>
  );
}

interface PasskeySignInProps {
  plainCall: Call;
  onDone: () => Promise<void>;
}

/** A passkey, whose device checks its user, is both halves. */
export function PasskeySignIn({ plainCall, onDone }: PasskeySignInProps) {
  const { passkey } = useSignInWords();
  return <PasskeyButton label={passkey.submit} use={() => signInByPasskey(plainCall)} onDone={onDone} />;
}
