import type { ReactNode } from 'react';
import { MAX_GIVEN_EMAIL_LENGTH, MAX_GIVEN_PASSWORD_LENGTH } from '../../../contract/text-limits.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import type { LinkScreen, Step } from '../step.ts';
import { useAccountApi } from '../account-api.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/use-words.ts';
import { validateEmail, validatePassword } from './validators.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { useForm } from '../use-form.ts';

interface SignInProps {
  /** Who asks, and what the sign-in is for. */
  above?: ReactNode;
  lead?: string | undefined;
  /** The way out without signing in. */
  below?: ReactNode;
  /** What was entered on another screen. */
  email?: string | undefined;
  /** False for who is to sign in to an account that they have. */
  canSignUp?: boolean;
  go: (step: Step) => void;
  onSignedIn: () => Promise<void>;
}

export function SignIn({ above, lead, below, email = '', canSignUp = true, go, onSignedIn }: SignInProps) {
  const api = useAccountApi();
  const { signIn, common, errors, form: labels } = useWords();
  const { form, field } = useForm({
    validators: { email: validateEmail, password: validatePassword },
    initial: { email },
    async send(values) {
      await api.signIn(values.email.trim(), values.password);
      await onSignedIn();
    },
    toFormError: ({ kind }) =>
      kind === 'wrong-password' ? { field: 'password', text: errors.wrongPassword } : null,
  });
  const emailField = field('email');
  const goWithEmail = (at: LinkScreen) => go({ at, email: emailField.value.trim() });
  return (
    <Screen name="sign-in" title={signIn.title} above={above} {...(lead !== undefined && { lead })}>
      <Form {...form} submit={signIn.submit}>
        <Field
          {...emailField}
          label={labels.email}
          type="email"
          autoComplete="username"
          maxLength={MAX_GIVEN_EMAIL_LENGTH}
        />
        <div>
          <Field
            {...field('password')}
            label={labels.password}
            type="password"
            autoComplete="current-password"
            maxLength={MAX_GIVEN_PASSWORD_LENGTH}
            reveal={common.reveal}
          />
          <Button variant="quiet" onPress={() => goWithEmail('forgotten-password')}>
            {signIn.forgotten}
          </Button>
        </div>
      </Form>
      <PasskeySignIn onSignedIn={onSignedIn} />
      {canSignUp && (
        <div className="aside">
          <p>{signIn.noAccount}</p>
          <Button onPress={() => goWithEmail('sign-up')}>{signIn.signUp}</Button>
        </div>
      )}
      {below}
    </Screen>
  );
}
