import { Button } from '../../../look/button.tsx';
import { Field } from '../../../look/field.tsx';
import { Form } from '../../../look/form.tsx';
import type { Address } from '../address.ts';
import { usePage } from '../page.ts';
import { Screen } from '../screen.tsx';
import { useLanguage } from '../words/language.tsx';
import { anEmail } from './checks.ts';
import { useForm } from './use-form.ts';

interface AskMailProps {
  /** A new account, or a new password for one. */
  to: 'sign-up' | 'forgotten-password';
  continueWith: string | undefined;
  address: Address;
}

/** One field for both: what a mail is asked for, and nothing told about who has an account. */
export function AskMail({ to, continueWith, address }: AskMailProps) {
  const { api } = usePage();
  const { language, words } = useLanguage();
  const said = to === 'sign-up' ? words.signUp : words.forgotten;
  const { form, field } = useForm({
    checks: { email: anEmail },
    async send(typed) {
      const email = typed.email.trim();
      const asked = { email, language, ...(continueWith !== undefined && { continueWith }) };
      await (to === 'sign-up' ? api.signUp(asked) : api.forgottenPassword(asked));
      address.go({ at: 'mail-sent', email });
    },
  });
  return (
    <Screen name={to} title={said.title} lead={said.lead}>
      <Form {...form} submit={said.submit}>
        <Field
          {...field('email')}
          label={words.form.email}
          hint={to === 'sign-up' ? words.signUp.hint : undefined}
          type="email"
          autoComplete="email"
        />
      </Form>
      <Button look="quiet" onPress={address.back}>
        {words.common.back}
      </Button>
    </Screen>
  );
}
