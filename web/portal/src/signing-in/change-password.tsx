import { useState } from 'react';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { validateNewPassword, validatePassword } from '../../../patient/account/validators.ts';
import { useForm } from '../../../patient/use-form.ts';
import { useAppDeps } from '../app-deps.ts';
import { useOldPasskeys } from '../../../patient/account/old-passkeys.tsx';
import { useGuardedAction, usePersonQuery, type PersonProps } from '../person-query.ts';
import { StatusMessage } from '../status-message.tsx';
import { useWords } from '../words/use-words.ts';
import { useFormOpener } from './use-form-opener.ts';

/** Replaces the password of whoever is signed in and knows the present one. */
export function ChangePassword(personProps: PersonProps) {
  const { passwords } = useWords().myData;
  const { isOpen, button, open, close } = useFormOpener('current-password');
  const [isChanged, setIsChanged] = useState(false);
  const finish = async () => {
    close();
    setIsChanged(true);
    await personProps.reload();
  };
  return (
    <div className="stack">
      <StatusMessage text={isChanged ? passwords.changed : null} />
      {isOpen ? (
        <PasswordForm personProps={personProps} onChanged={finish} onCancel={close} />
      ) : (
        <div>
          <Button ref={button} onPress={open}>
            {passwords.change}
          </Button>
        </div>
      )}
    </div>
  );
}

interface PasswordFormProps {
  personProps: PersonProps;
  onChanged: () => Promise<void>;
  onCancel: () => void;
}

function PasswordForm({ personProps, onChanged, onCancel }: PasswordFormProps) {
  const { api } = useAppDeps();
  const runGuarded = useGuardedAction(personProps);
  const { myData, common, form: labels } = useWords();
  const { passwords, deletion } = myData;
  const { query } = usePersonQuery(api.listPasskeys, personProps);
  const passkeys = query.state === 'loaded' ? query.data.passkeys : [];
  const old = useOldPasskeys(passkeys);
  const { form, field } = useForm({
    validators: { 'current-password': validatePassword, 'new-password': validateNewPassword },
    async send(values) {
      const body = {
        currentPassword: values['current-password'],
        newPassword: values['new-password'],
        // What is not shown is not removed.
        keepPasskeys: passkeys.length === 0 || old.keepPasskeys,
      };
      if (await runGuarded(() => api.changePassword(body))) await onChanged();
    },
    toFormError({ kind }) {
      if (kind === 'wrong-password') return { field: 'current-password', text: deletion.wrongPassword };
      return kind === 'weak-password' ? { field: 'new-password', text: labels.passwordWeak } : null;
    },
  });
  const hidden = { type: 'password', maxLength: null, reveal: common.reveal } as const;
  return (
    <div className="add-passkey">
      <Form {...form} submit={passwords.submit}>
        <Field
          {...field('current-password')}
          {...hidden}
          label={passwords.current}
          autoComplete="current-password"
          maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        />
        <Field
          {...field('new-password')}
          label={labels.newPassword}
          {...hidden}
          hint={labels.newPasswordHint}
          autoComplete="new-password"
        />
        {old.fields}
      </Form>
      <p className="soft small">{passwords.consequence}</p>
      <Button variant="quiet" onPress={onCancel}>
        {passwords.cancel}
      </Button>
    </div>
  );
}
