import { useState } from 'react';
import { MAX_GIVEN_EMAIL_LENGTH, MAX_GIVEN_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { validateEmail, validatePassword, type Validator } from '../../../patient/account/validators.ts';
import { useForm } from '../../../patient/use-form.ts';
import { useAppDeps } from '../app-deps.ts';
import { useGuardedAction, type PersonProps } from '../person-query.ts';
import { StatusMessage } from '../status-message.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import { useFormOpener } from './use-form-opener.ts';

/** Asks for a link to another address: whoever is signed in and knows the password gets it there. */
export function ChangeEmail(personProps: PersonProps) {
  const { emails } = useWords().myData;
  const { isOpen, button, open, close } = useFormOpener('new-email');
  const { email: address } = personProps.person;
  /** Until the address is another one: then the link has been followed, which another tab knows first. */
  const [sent, setSent] = useState<{ to: string; from: string } | null>(null);
  const sentTo = sent?.from === address ? sent.to : null;
  const finish = (email: string) => {
    close();
    setSent({ to: email, from: address });
  };
  return (
    <div className="stack">
      <StatusMessage text={sentTo === null ? null : emails.sent(sentTo)} />
      {isOpen ? (
        <EmailForm personProps={personProps} onSent={finish} onCancel={close} />
      ) : (
        <div>
          <Button ref={button} onPress={open}>
            {emails.change}
          </Button>
        </div>
      )}
    </div>
  );
}

interface EmailFormProps {
  personProps: PersonProps;
  onSent: (email: string) => void;
  onCancel: () => void;
}

function EmailForm({ personProps, onSent, onCancel }: EmailFormProps) {
  const { api } = useAppDeps();
  const runGuarded = useGuardedAction(personProps);
  const { words, language } = useLanguage();
  const { emails, deletion } = words.myData;
  const validateNew: Validator = (value, patientWords) =>
    value.trim().toLowerCase() === personProps.person.email.toLowerCase()
      ? emails.same
      : validateEmail(value, patientWords);
  const { form, field } = useForm({
    validators: { 'new-email': validateNew, 'current-password': validatePassword },
    async send(values) {
      const email = values['new-email'].trim();
      const body = { email, currentPassword: values['current-password'], language };
      if (await runGuarded(() => api.requestEmailChange(body))) onSent(email);
    },
    toFormError: ({ kind }) =>
      kind === 'wrong-password' ? { field: 'current-password', text: deletion.wrongPassword } : null,
  });
  return (
    <div className="add-passkey">
      <Form {...form} submit={emails.submit}>
        <Field
          {...field('new-email')}
          label={emails.address}
          hint={emails.hint}
          type="email"
          autoComplete="email"
          maxLength={MAX_GIVEN_EMAIL_LENGTH}
        />
        <Field
          {...field('current-password')}
          label={emails.password}
          type="password"
          reveal={words.common.reveal}
          autoComplete="current-password"
          maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        />
      </Form>
      <p className="soft small">{emails.consequence}</p>
      <Button variant="quiet" onPress={onCancel}>
        {emails.cancel}
      </Button>
    </div>
  );
}
