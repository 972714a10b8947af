import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import type { StepNavigation } from '../../kit/navigation.ts';
import type { Step } from '../step.ts';
import { useAccountApi } from '../account-api.ts';
import { Screen } from '../screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { validateEmail } from './validators.ts';
import { useForm } from '../use-form.ts';

interface EmailFormProps {
  /** A new account, or a new password for one. */
  to: 'sign-up' | 'forgotten-password';
  continueWith: string | undefined;
  navigation: StepNavigation<Step>;
}

/** One field for either; the answer does not reveal whether the address has an account. */
export function EmailForm({ to, continueWith, navigation }: EmailFormProps) {
  const api = useAccountApi();
  const { language, words } = useLanguage();
  const texts = to === 'sign-up' ? words.signUp : words.forgotten;
  const { form, field } = useForm({
    validators: { email: validateEmail },
    async send(values) {
      const email = values.email.trim();
      const body = { email, language, ...(continueWith !== undefined && { continueWith }) };
      await (to === 'sign-up' ? api.signUp(body) : api.forgottenPassword(body));
      navigation.go({ at: 'mail-sent', email });
    },
  });
  return (
    <Screen name={to} title={texts.title} lead={texts.lead}>
      <Form {...form} submit={texts.submit}>
        <Field
          {...field('email')}
          label={words.form.email}
          hint={to === 'sign-up' ? words.signUp.hint : undefined}
          type="email"
          autoComplete="email"
        />
      </Form>
      <Button variant="quiet" onPress={navigation.back}>
        {words.common.back}
      </Button>
    </Screen>
  );
}
