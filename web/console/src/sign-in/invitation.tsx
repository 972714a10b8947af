import { type ReactNode, useCallback } from 'react';
import type { z } from 'zod';
import type { acceptInvitation, openInvitation } from '../../../../contract/console/invitations.ts';
import { MAX_PLAIN_NAME_LENGTH } from '../../../../contract/text-limits.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import { useQuery } from '../../../kit/query.ts';
import { requireText, skipValidation, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { EntryError, EntryLoading, EntryScreen } from './entry-screen.tsx';
import { startOidcSignIn } from './oidc.ts';
import { OidcButton } from './oidc-button.tsx';
import { takeToken } from './take-token.ts';
import { useNewPasswordValidator } from './validate-new-password.ts';

interface InvitationProps {
  plainCall: Call;
  /** The path of the console. */
  basePath: string;
}

/** Read once for the document: the address holds it no more when React renders a second time. */
const token = takeToken();

/** The page that the mail of an invitation leads to: name and password, then the set-up of the console. */
export function Invitation(props: InvitationProps) {
  const { invitation: words } = useSignInWords();
  if (token !== '') return <Opened {...props} />;
  return <EntryScreen name="invitation-reloaded" title={words.reopenTitle} lead={words.reopen} />;
}

function Opened({ plainCall, basePath }: InvitationProps) {
  const { invitation: words } = useSignInWords();
  const open = useCallback(
    () => plainCall<typeof openInvitation>('POST /console/invitations/open', { body: { token } }),
    [plainCall],
  );
  const { query, load } = useQuery(open);
  if (query.state === 'loading') return <EntryLoading />;
  const isGone = query.state === 'error' && (query.refusal.status === 404 || query.refusal.status === 400);
  if (isGone)
    return (
      <EntryScreen name="invitation-gone" title={words.goneTitle} lead={words.gone}>
        <a href={basePath}>{words.toSignIn}</a>
      </EntryScreen>
    );
  if (query.state === 'error') return <EntryError refusal={query.refusal} onRetry={() => void load()} />;
  const { oidc, isReset } = query.data;
  const accept = { plainCall, basePath, invitation: query.data };
  if (oidc?.isOnly) return <AcceptElsewhere {...accept} host={oidc.host} />;
  return (
    <Frame invitation={query.data}>
      {oidc && !isReset && (
        <>
          <ProviderButton {...{ plainCall, basePath }} />
          <p>{words.orHere}</p>
        </>
      )}
      <AcceptForm {...accept} />
    </Frame>
  );
}

/** A first sign-in at the identity provider uses the invitation up; the page of it has nothing to come back to. */
function ProviderButton({ plainCall, basePath }: InvitationProps) {
  const { oidc } = useSignInWords();
  return (
    <OidcButton
      label={oidc.submit}
      variant="strong"
      start={() => startOidcSignIn(plainCall, `${basePath}/`)}
    />
  );
}

/** No password is chosen here. */
function AcceptElsewhere({ host, ...accept }: AcceptProps & { host: string }) {
  const { invitation: words } = useSignInWords();
  const { email, organization, isReset } = accept.invitation;
  return (
    <EntryScreen
      name="invitation"
      title={isReset ? words.resetTitle : words.title(organization.name)}
      lead={isReset ? words.resetElsewhere(host) : words.elsewhere(host, email)}
    >
      <ProviderButton {...accept} />
    </EntryScreen>
  );
}

function Frame({ invitation, children }: Pick<AcceptProps, 'invitation'> & { children: ReactNode }) {
  const { invitation: words } = useSignInWords();
  const { roles } = useWords();
  const { organization, email, role, isReset } = invitation;
  return (
    <EntryScreen
      name="invitation"
      title={isReset ? words.resetTitle : words.title(organization.name)}
      lead={isReset ? words.resetLead(organization.name) : words.lead(email, roles[role])}
    >
      {children}
    </EntryScreen>
  );
}

interface AcceptProps extends InvitationProps {
  invitation: z.infer<(typeof openInvitation)['response']>;
}

function AcceptForm({ plainCall, basePath, invitation: { email, isReset } }: AcceptProps) {
  const { setup, invitation: words, oidc } = useSignInWords();
  const { common } = useWords();
  const validateNewPassword = useNewPasswordValidator();
  const { form, field } = useForm({
    validators: {
      name: isReset ? skipValidation : requireText(words.nameMissing),
      'new-password': validateNewPassword,
    },
    async send({ name, 'new-password': password }) {
      const body = { token, password, ...(!isReset && { name }) };
      await plainCall<typeof acceptInvitation>('POST /console/invitations/accept', { body });
      location.replace(basePath);
    },
    errors: {
      weak_password: { field: 'new-password', text: setup.passwordWeak },
      address_taken: { text: words.taken },
      link_invalid: { text: words.gone },
      oidc_only: { text: oidc.refusals.oidc_only },
    },
  });
  return (
    <Form {...form} submit={isReset ? words.reset : words.accept}>
      {/* For the browser's own store of passwords. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {!isReset && (
        <Field
          {...field('name')}
          label={words.name}
          hint={words.nameHint}
          autoComplete="name"
          maxLength={MAX_PLAIN_NAME_LENGTH}
        />
      )}
      <Field
        {...field('new-password')}
        label={setup.newPassword}
        hint={setup.newPasswordHint}
        type="password"
        autoComplete="new-password"
        maxLength={null}
        reveal={common.reveal}
      />
    </Form>
  );
}
