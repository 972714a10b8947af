import { MAX_GIVEN_EMAIL_LENGTH } from '../../../contract/text-limits.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import type { StepNavigation } from '../../kit/navigation.ts';
import type { LinkScreen, Step } from '../step.ts';
import { useAccountApi } from '../account-api.ts';
import { Screen } from '../screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { requestLink, type ContinuedLink } from './request-link.ts';
import { validateEmail } from './validators.ts';
import { useForm } from '../use-form.ts';

interface EmailFormProps {
  to: LinkScreen;
  /** What was entered on the screen before. */
  email: string | undefined;
  continued: ContinuedLink;
  /** What is said in place of what the screen says elsewhere. */
  lead?: string;
  navigation: StepNavigation<Step>;
}

/** One field for either; the answer does not reveal whether the address has an account. */
export function EmailForm({ to, email = '', continued, lead, navigation }: EmailFormProps) {
  const api = useAccountApi();
  const { language, words } = useLanguage();
  const texts = to === 'sign-up' ? words.signUp : words.forgotten;
  const { form, field } = useForm({
    validators: { email: validateEmail },
    initial: { email },
    async send(values) {
      const entered = values.email.trim();
      await requestLink(api, to, { email: entered, language, ...continued });
      navigation.go({ at: 'mail-sent', email: entered, to });
    },
  });
  return (
    <Screen name={to} title={texts.title} lead={lead ?? texts.lead}>
      <Form {...form} submit={texts.submit}>
        <Field
          {...field('email')}
          label={words.form.email}
          hint={to === 'sign-up' ? words.signUp.hint : undefined}
          type="email"
          autoComplete="email"
          maxLength={MAX_GIVEN_EMAIL_LENGTH}
        />
      </Form>
      <Button variant="quiet" onPress={navigation.back}>
        {words.common.back}
      </Button>
    </Screen>
  );
}
