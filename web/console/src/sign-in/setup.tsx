import { useState } from 'react';
import type { changeConsolePassword, signOutOfConsole } from '../../../../contract/console/console.ts';
import { MAX_GIVEN_PASSWORD_LENGTH, MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import type { Session } from '../api/console-call.ts';
import { skipValidation, requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { EntryScreen } from './entry-screen.tsx';
import { ActivateFactor } from './activate-factor.tsx';
import { useNewPasswordValidator } from './validate-new-password.ts';

interface SetupProps {
  plainCall: Call;
  member: NonNullable<Session['member']>;
  setup: Session['setup'];
  /** The password that was typed a moment ago; null after the page was loaded anew. */
  password: string | null;
  onDone: () => Promise<void>;
}

/** What a member chooses before anything else is open to them: a password of their own, then a second factor. */
export function Setup({ plainCall, member, setup, password, onDone }: SetupProps) {
  const words = useSignInWords();
  const [known, setKnown] = useState(password);
  const signOut = async () => {
    await plainCall<typeof signOutOfConsole>('POST /console/sign-out');
    location.reload();
  };
  const onPasswordChosen = async (chosen: string) => {
    setKnown(chosen);
    await onDone();
  };
  return (
    <>
      {setup.includes('password') ? (
        <EntryScreen name="setup-password" title={words.setup.passwordTitle} lead={words.setup.passwordLead}>
          <ChoosePassword {...{ plainCall, member, password }} onDone={onPasswordChosen} />
          <SignOut onPress={() => void signOut()} />
        </EntryScreen>
      ) : (
        <ActivateFactor
          {...{ plainCall, onDone }}
          password={known}
          signOut={<SignOut onPress={() => void signOut()} />}
        />
      )}
    </>
  );
}

function SignOut({ onPress }: { onPress: () => void }) {
  const { setup } = useSignInWords();
  return (
    <Button variant="quiet" onPress={onPress}>
      {setup.signOut}
    </Button>
  );
}

interface ChoosePasswordProps extends Pick<SetupProps, 'member'> {
  plainCall: Call;
  password: string | null;
  onDone: (chosen: string) => Promise<void>;
}

/** A login that was made on the server is called by its address until the person says who they are. */
const isNamelessLogin = ({ name, email }: ChoosePasswordProps['member']): boolean => name === email;

function useChoosePasswordForm({ plainCall, member, password, onDone }: ChoosePasswordProps) {
  const words = useSignInWords();
  const validateNewPassword = useNewPasswordValidator();
  const isNameless = isNamelessLogin(member);
  return useForm({
    validators: {
      name: isNameless ? requireText(words.invitation.nameMissing) : skipValidation,
      'current-password': password === null ? requireText(words.passwordMissing) : skipValidation,
      'new-password': validateNewPassword,
    },
    async send(values) {
      const body = {
        currentPassword: password ?? values['current-password'],
        newPassword: values['new-password'],
        ...(isNameless && { name: values.name.trim() }),
      };
      await plainCall<typeof changeConsolePassword>('POST /console/password', { body });
      await onDone(body.newPassword);
    },
    errors: {
      weak_password: { field: 'new-password', text: words.setup.passwordWeak },
      same_password: { field: 'new-password', text: words.setup.passwordSame },
      invalid_credentials: { field: 'current-password', text: words.wrong },
    },
  });
}

function ChoosePassword(props: ChoosePasswordProps) {
  const words = useSignInWords();
  const { common } = useWords();
  const { form, field } = useChoosePasswordForm(props);
  return (
    <Form {...form} submit={words.setup.savePassword}>
      {isNamelessLogin(props.member) && (
        <Field
          {...field('name')}
          label={words.invitation.name}
          hint={words.invitation.nameHint}
          autoComplete="name"
          maxLength={MAX_PLAIN_NAME_LENGTH}
        />
      )}
      {props.password === null && (
        <Field
          {...field('current-password')}
          label={words.setup.currentPassword}
          type="password"
          autoComplete="current-password"
          maxLength={MAX_GIVEN_PASSWORD_LENGTH}
          reveal={common.reveal}
        />
      )}
      <Field
        {...field('new-password')}
        label={words.setup.newPassword}
        hint={words.setup.newPasswordHint}
        type="password"
        autoComplete="new-password"
        maxLength={null}
        reveal={common.reveal}
      />
    </Form>
  );
}
