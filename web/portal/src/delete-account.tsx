import { useState } from 'react';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../../../contract/text-limits.ts';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useAccountApi } from '../../patient/account-api.ts';
import { validatePassword } from '../../patient/account/validators.ts';
import { useForm } from '../../patient/use-form.ts';
import { toRefusal } from '../../kit/http/refusal.ts';
import { toFailure } from '../../patient/failure.ts';
import { useAppDeps } from './app-deps.ts';
import { buildPartFragment } from './route.ts';
import { Screen } from '../../patient/screen.tsx';
import { useWords } from './words/use-words.ts';
import { ConfirmPrompt } from './confirm-button.tsx';
import { BackToMyData } from './back-to-my-data.tsx';
import { BulletList } from './bullet-list.tsx';
import { type PartProps, useGuardedAction } from './person-query.ts';

/** What is deleted and what is retained, the password, and a confirmation. */
export function DeleteAccount(props: PartProps) {
  const { parts, deletion } = useWords().myData;
  return (
    <Screen
      name="my-data-delete"
      title={parts['delete-account'].title}
      above={<BackToMyData />}
      lead={deletion.lead}
    >
      {props.person.isTestPatient ? <Notice>{deletion.testPatient}</Notice> : <DeletionForm {...props} />}
    </Screen>
  );
}

function DeletionForm(props: PartProps) {
  const { deletion } = useWords().myData;
  return (
    <>
      <BulletList title={deletion.deleted} items={deletion.deletedList} icon="minus" />
      <BulletList title={deletion.retained} items={deletion.retainedList} icon="lock" />
      <p>{deletion.retainedElsewhere}</p>
      <p>
        <a className="link-alone" href={buildPartFragment('download')}>
          {deletion.downloadFirst}
        </a>
      </p>
      <hr className="rule" />
      <DeletionSteps {...props} />
    </>
  );
}

/** The password first, then the confirmation; a wrong password leads back to its field. */
function DeletionSteps({ onDeleted, ...props }: PartProps) {
  const { api } = useAppDeps();
  const { deletion } = useWords().myData;
  const runGuarded = useGuardedAction(props);
  const [confirming, setConfirming] = useState<{ password: string } | null>(null);
  const [isWrong, setIsWrong] = useState(false);
  const [isUncertain, setIsUncertain] = useState(false);
  const isDeleted = useIsDeleted(props.person.email);
  if (confirming === null)
    return (
      <PasswordForm
        isWrong={isWrong}
        onPassword={(password) => {
          setIsWrong(false);
          setConfirming({ password });
        }}
      />
    );
  const remove = async () => {
    try {
      if (isUncertain && (await isDeleted(confirming.password))) return onDeleted();
      if (await runGuarded(() => api.deleteMyAccount(confirming.password))) onDeleted();
    } catch (error) {
      if (toFailure(toRefusal(error)).kind !== 'wrong-password') {
        setIsUncertain(true);
        throw error;
      }
      setIsWrong(true);
      setConfirming(null);
    }
  };
  return (
    <ConfirmPrompt
      title={deletion.confirmTitle}
      confirmLabel={deletion.yes}
      cancelLabel={deletion.no}
      onConfirm={remove}
      onCancel={() => setConfirming(null)}
    >
      <p>{deletion.confirmText}</p>
    </ConfirmPrompt>
  );
}

/** Finds out, after an answer was lost, whether the account is gone: nobody is signed in, and nobody can be. */
function useIsDeleted(email: string): (password: string) => Promise<boolean> {
  const api = useAccountApi();
  return async (password) => {
    if ((await api.getSession()).person !== null) return false;
    return api.signIn(email, password).then(
      () => false,
      (error: unknown) => {
        if (toFailure(toRefusal(error)).kind === 'wrong-password') return true;
        throw error;
      },
    );
  };
}

/** Starts empty after each refusal, as every form with a password does. */
function PasswordForm({ isWrong, onPassword }: { isWrong: boolean; onPassword: (password: string) => void }) {
  const { myData, common, form: labels } = useWords();
  const { deletion } = myData;
  const { form, field } = useForm({
    validators: { password: validatePassword },
    send: async ({ password }) => onPassword(password),
  });
  const isRefused = isWrong && form.attempt === 0;
  const errors = isRefused ? [{ field: 'password', text: deletion.wrongPassword }] : form.errors;
  return (
    <Form {...form} errors={errors} submit={deletion.next}>
      <Field
        {...field('password')}
        error={errors[0]?.text}
        label={labels.password}
        hint={deletion.passwordHint}
        type="password"
        autoComplete="current-password"
        maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        reveal={common.reveal}
      />
    </Form>
  );
}
