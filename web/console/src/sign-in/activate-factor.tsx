import { type ReactNode, useCallback, useState } from 'react';
import type { activateTotp, beginTotp, confirmPresence } from '../../../../contract/console/console.ts';
import { MAX_GIVEN_PASSWORD_LENGTH } from '../../../../contract/text-limits.ts';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import type { Call } from '../../../kit/http/call.ts';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { Icon } from '../../../kit/icon.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { canUsePasskeys, detectDevice } from '../../../kit/passkey.ts';
import { useQuery } from '../../../kit/query.ts';
import { useTask } from '../../../kit/task.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { Skeleton } from '../kit/states.tsx';
import { requireText, useForm } from '../kit/use-form.ts';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';
import { EntryScreen } from './entry-screen.tsx';
import { createPasskey } from './passkey.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpForm } from './totp-form.tsx';

interface ActivateFactorProps {
  plainCall: Call;
  /** Proves presence, where signing in was more than five minutes ago. */
  password: string | null;
  signOut: ReactNode;
  onDone: () => Promise<void>;
}

/** A passkey or an authenticator app, then the recovery codes, which are shown once. */
export function ActivateFactor({ plainCall, password, signOut, onDone }: ActivateFactorProps) {
  const { setup } = useSignInWords();
  const [isApp, setIsApp] = useState(!canUsePasskeys());
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null)
    return (
      <EntryScreen name="setup-recovery-codes" title={setup.recoveryTitle} lead={setup.recoveryLead}>
        <RecoveryCodes codes={codes} done={setup.finish} onDone={() => void onDone()} />
      </EntryScreen>
    );
  const props = { plainCall, password, onActivated: setCodes };
  if (isApp)
    return (
      <EntryScreen name="setup-factor" title={setup.factorTitle} lead={setup.factorLead}>
        <AppFactor {...props} />
        {canUsePasskeys() && (
          <Button variant="quiet" onPress={() => setIsApp(false)}>
            {setup.chooseOther}
          </Button>
        )}
        {signOut}
      </EntryScreen>
    );
  return (
    <EntryScreen name="setup-choice" title={setup.factorTitle} lead={setup.choiceLead}>
      <PasskeyFactor {...props} />
      <div className="stack">
        <p className="soft">{setup.appLead}</p>
        <Button onPress={() => setIsApp(true)}>{setup.begin}</Button>
      </div>
      {signOut}
    </EntryScreen>
  );
}

interface FactorProps extends Pick<ActivateFactorProps, 'plainCall' | 'password'> {
  onActivated: (recoveryCodes: readonly string[]) => void;
}

const isConfirmationAsked = (refusal: Refusal | null): boolean => refusal?.code === 'confirmation_required';

/** The device asks for the finger, the face or the lock of its screen by itself. */
function PasskeyFactor({ plainCall, password, onActivated }: FactorProps) {
  const { setup, passkey } = useSignInWords();
  const { common } = useWords();
  const { busy, refusal, run } = useTask();
  const [isFailed, setFailed] = useState(false);
  const create = () =>
    run(async () => {
      setFailed(false);
      const { outcome, recoveryCodes } = await createPasskey(plainCall, passkey.onThis[detectDevice()]);
      if (outcome === 'done') onActivated(recoveryCodes ?? []);
      setFailed(outcome === 'failed' || outcome === 'known');
    });
  return (
    <div className="stack">
      <p className="soft">{setup.passkeyLead}</p>
      {isConfirmationAsked(refusal) && <Confirm {...{ plainCall, password }} onConfirmed={create} />}
      {refusal && !isConfirmationAsked(refusal) && <RefusalNotice refusal={refusal} />}
      {isFailed && (
        <div role="alert">
          <Notice kind="warning">{setup.passkeyFailed}</Notice>
        </div>
      )}
      {!isConfirmationAsked(refusal) && (
        <Button variant="strong" busy={busy} onPress={create}>
          <Icon name="key" />
          {setup.passkey}
        </Button>
      )}
      <Busy busy={busy} text={common.oneMoment} />
    </div>
  );
}

function AppFactor({ plainCall, password, onActivated }: FactorProps) {
  // A reload asks for another secret, since none is kept.
  const begin = useCallback(() => plainCall<typeof beginTotp>('POST /console/totp'), [plainCall]);
  const { query, load } = useQuery(begin);
  const activate = async (code: string) => {
    const answer = await plainCall<typeof activateTotp>('POST /console/totp/activate', { body: { code } });
    onActivated(answer.recoveryCodes);
  };
  const refusal = query.state === 'error' ? query.refusal : null;
  return (
    <>
      {isConfirmationAsked(refusal) && (
        <Confirm {...{ plainCall, password }} onConfirmed={() => void load()} />
      )}
      {refusal && !isConfirmationAsked(refusal) && <RefusalNotice refusal={refusal} />}
      {query.state === 'loading' && <Skeleton />}
      {query.state === 'loaded' && <TotpForm secret={query.data} activate={activate} />}
    </>
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
        maxLength={MAX_GIVEN_PASSWORD_LENGTH}
        reveal={common.reveal}
      />
    </Form>
  );
}
