import { useEffect, useRef, useState } from 'react';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../../../contract/text-limits.ts';
import { Button } from '../../kit/button.tsx';
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
function DeletionSteps(props: PartProps) {
  const { deletion } = useWords().myData;
  const [confirming, setConfirming] = useState<{ password: string } | null>(null);
  const [isWrong, setIsWrong] = useState(false);
  const { remove, isUnknown } = useDeletion(props, () => {
    setIsWrong(true);
    setConfirming(null);
  });
  if (isUnknown) return <UnknownOutcome {...props} />;
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
  return (
    <ConfirmPrompt
      title={deletion.confirmTitle}
      confirmLabel={deletion.yes}
      cancelLabel={deletion.no}
      onConfirm={() => remove(confirming.password)}
      onCancel={() => setConfirming(null)}
    >
      <p>{deletion.confirmText}</p>
    </ConfirmPrompt>
  );
}

/** Deletes the account; after an answer was lost it is found out first whether that was done. */
function useDeletion({ onDeleted, ...props }: PartProps, onWrongPassword: () => void) {
  const { api } = useAppDeps();
  const runGuarded = useGuardedAction(props);
  const [isUncertain, setIsUncertain] = useState(false);
  const [isUnknown, setIsUnknown] = useState(false);
  const mayBeDeleted = useMayBeDeleted(props.person.email);
  const remove = async (password: string) => {
    try {
      if (isUncertain && (await mayBeDeleted(password))) return setIsUnknown(true);
      if (await runGuarded(() => api.deleteMyAccount(password))) onDeleted();
    } catch (error) {
      if (toFailure(toRefusal(error)).kind === 'wrong-password') return onWrongPassword();
      setIsUncertain(true);
      throw error;
    }
  };
  return { remove, isUnknown };
}

/**
 * Finds out, after an answer was lost, whether the account may be gone: nobody is signed in, and nobody can be with what was
 * typed. It was never compared, so that it may as well be a wrong password for an account that is there.
 */
function useMayBeDeleted(email: string): (password: string) => Promise<boolean> {
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

/** What a person can go by, where the service does not say whether their account is gone. */
function UnknownOutcome({ person, reload }: PartProps) {
  const { unknown } = useWords().myData.deletion;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      <Notice kind="warning">
        <p>
          <strong>{unknown.title}</strong>
        </p>
        <p>{unknown.mail(person.email)}</p>
        <p>{unknown.noMail}</p>
        <Button variant="strong" onPress={() => void reload()}>
          {unknown.signIn}
        </Button>
      </Notice>
    </div>
  );
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
