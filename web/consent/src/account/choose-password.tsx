import { MAX_OWN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Field, type FieldProps } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { toRefusal } from '../../../kit/http/refusal.ts';
import { toFailure } from '../../../patient/failure.ts';
import type { OpenedLink } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useOldPasskeys } from '../../../patient/account/old-passkeys.tsx';
import { useWords } from '../words/use-words.ts';
import {
  validateFirstName,
  validateLastName,
  validateNewPassword,
  skipValidation,
} from '../../../patient/account/validators.ts';
import { useForm } from '../../../patient/use-form.ts';

/** What a mailed link goes on with. */
export type ContinuedBy = Pick<OpenedLink, 'continueWith' | 'projectId'>;

interface ChoosePasswordProps {
  token: string;
  link: OpenedLink;
  onDone: (continuedBy: ContinuedBy) => Promise<void>;
  /** The link is used up: by this page, where the answer was lost. */
  onGone: () => Promise<void>;
}

export function ChoosePassword({ token, link, onDone, onGone }: ChoosePasswordProps) {
  const { api } = useAppDeps();
  const words = useWords();
  const { needsName, hasPassword, passkeys } = link;
  const old = useOldPasskeys(passkeys);
  const { form, field } = useForm({
    validators: {
      'first-name': needsName ? validateFirstName : skipValidation,
      'last-name': needsName ? validateLastName : skipValidation,
      password: validateNewPassword,
    },
    async send(values) {
      const { password } = values;
      const { keepPasskeys } = old;
      const body = { token, password, keepPasskeys, ...(needsName && toName(values)) };
      const result = await api.setPassword(body).catch(returnIfGone);
      await (result === null ? onGone() : onDone(result));
    },
    toFormError({ kind }) {
      return kind === 'weak-password' ? { field: 'password', text: words.form.passwordWeak } : null;
    },
  });
  return (
    <Screen
      name="choose-password"
      title={hasPassword ? words.link.renew : words.link.create}
      {...(!hasPassword && { lead: words.link.createLead })}
    >
      <Form {...form} submit={hasPassword ? words.link.submitRenew : words.link.submitCreate}>
        <AccountField email={link.email} />
        {needsName && <NameFields field={field} />}
        <Field
          {...field('password')}
          label={words.form.newPassword}
          hint={words.form.newPasswordHint}
          type="password"
          autoComplete="new-password"
          maxLength={null}
          reveal={words.common.reveal}
        />
        {old.fields}
      </Form>
    </Screen>
  );
}

/** Read-only, but present: password managers store the password under it. */
function AccountField({ email }: { email: string }) {
  const { account } = useWords().link;
  const shared = { name: 'email', autoComplete: 'username', maxLength: null } as const;
  return <Field {...shared} label={account} value={email} readOnly />;
}

interface NameFieldsProps {
  field: (name: 'first-name' | 'last-name') => Pick<FieldProps, 'name' | 'value' | 'error' | 'onChange'>;
}

function NameFields({ field }: NameFieldsProps) {
  const { form: labels } = useWords();
  return (
    <>
      <Field
        {...field('first-name')}
        label={labels.firstName}
        autoComplete="given-name"
        maxLength={MAX_OWN_NAME_LENGTH}
      />
      <Field
        {...field('last-name')}
        label={labels.lastName}
        autoComplete="family-name"
        maxLength={MAX_OWN_NAME_LENGTH}
      />
    </>
  );
}

const toName = (values: Record<'first-name' | 'last-name', string>) => ({
  firstName: values['first-name'].trim(),
  lastName: values['last-name'].trim(),
});

/** Returns null where the link is used up; throws any other refusal. */
function returnIfGone(error: unknown): null {
  if (toFailure(toRefusal(error)).kind !== 'unknown') throw error;
  return null;
}
