import { useState } from 'react';
import type { forgottenConsolePassword } from '../../../../contract/console/console.ts';
import { MAX_GIVEN_EMAIL_LENGTH } from '../../../../contract/text-limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { Notice } from '../../../kit/notice.tsx';
import type { Call } from '../../../kit/http/call.ts';
import { requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { EntryScreen } from './entry-screen.tsx';

interface ForgottenPasswordProps {
  plainCall: Call;
  keepsMails: boolean;
  onBack: () => void;
}

/** Asks for the link. What it says afterwards is the same for any address: nobody learns here who is a member. */
export function ForgottenPassword({ plainCall, keepsMails, onBack }: ForgottenPasswordProps) {
  const words = useSignInWords();
  const { forgotten } = words;
  const [isSent, setIsSent] = useState(false);
  const { form, field } = useForm({
    validators: { email: requireText(words.emailMissing) },
    async send(body) {
      await plainCall<typeof forgottenConsolePassword>('POST /console/forgotten-password', { body });
      setIsSent(true);
    },
  });
  if (isSent)
    return (
      <EntryScreen name="forgotten-password-sent" title={forgotten.sentTitle} lead={forgotten.sent}>
        {keepsMails && <Notice kind="warning">{forgotten.kept}</Notice>}
        <Button variant="quiet" onPress={onBack}>
          {words.back}
        </Button>
      </EntryScreen>
    );
  return (
    <EntryScreen name="forgotten-password" title={forgotten.title} lead={forgotten.lead}>
      {keepsMails && <Notice kind="warning">{forgotten.kept}</Notice>}
      <Form {...form} submit={forgotten.submit}>
        <Field
          {...field('email')}
          label={words.email}
          type="email"
          autoComplete="username"
          maxLength={MAX_GIVEN_EMAIL_LENGTH}
        />
      </Form>
      <Button variant="quiet" onPress={onBack}>
        {words.back}
      </Button>
    </EntryScreen>
  );
}
