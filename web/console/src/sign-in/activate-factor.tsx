import { type ReactNode, useCallback, useState } from 'react';
import type { activateTotp, beginTotp, confirmPresence } from '../../../../contract/console/console.ts';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import { useQuery } from '../../../kit/query.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { Skeleton } from '../kit/states.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { EntryScreen } from './entry-screen.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpForm } from './totp-form.tsx';

interface ActivateFactorProps {
  plainCall: Call;
  /** Proves presence, where signing in was more than five minutes ago. */
  password: string | null;
  signOut: ReactNode;
  onDone: () => Promise<void>;
}

/** The authenticator app, then the recovery codes, which are shown once. */
export function ActivateFactor({ plainCall, password, signOut, onDone }: ActivateFactorProps) {
  const { setup } = useSignInWords();
  // A reload asks for another secret, since none is kept.
  const begin = useCallback(() => plainCall<typeof beginTotp>('POST /console/totp'), [plainCall]);
  const { query, load } = useQuery(begin);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const activate = async (code: string) => {
    const answer = await plainCall<typeof activateTotp>('POST /console/totp/activate', { body: { code } });
    setCodes(answer.recoveryCodes);
  };
  if (codes !== null)
    return (
      <EntryScreen name="setup-recovery-codes" title={setup.recoveryTitle} lead={setup.recoveryLead}>
        <RecoveryCodes codes={codes} done={setup.finish} onDone={() => void onDone()} />
      </EntryScreen>
    );
  const refusal = query.state === 'error' ? query.refusal : null;
  const isAsked = refusal?.code === 'confirmation_required';
  return (
    <EntryScreen name="setup-factor" title={setup.factorTitle} lead={setup.factorLead}>
      {isAsked && <Confirm {...{ plainCall, password }} onConfirmed={() => void load()} />}
      {refusal && !isAsked && <RefusalNotice refusal={refusal} />}
      {query.state === 'loading' && <Skeleton />}
      {query.state === 'loaded' && <TotpForm secret={query.data} activate={activate} />}
      {signOut}
    </EntryScreen>
  );
}

interface ConfirmProps {
  plainCall: Call;
  password: string | null;
  onConfirmed: () => void;
}

/** Signing in was too long ago: the password once more. */
function Confirm({ plainCall, password, onConfirmed }: ConfirmProps) {
  const { confirm, common } = useWords();
  const words = useSignInWords();
  const { form, field } = useForm({
    validators: { password: requireText(words.passwordMissing) },
    initial: { ...(password !== null && { password }) },
    async send(body) {
      await plainCall<typeof confirmPresence>('POST /console/confirm', { body });
      onConfirmed();
    },
    errors: { invalid_credentials: { field: 'password', text: confirm.wrongPassword } },
  });
  return (
    <Form {...form} submit={confirm.submit}>
      <Field
        {...field('password')}
        label={confirm.password}
        type="password"
        autoComplete="current-password"
        reveal={common.reveal}
      />
    </Form>
  );
}
