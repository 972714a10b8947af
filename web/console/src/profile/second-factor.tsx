import { useState } from 'react';
import type { activateTotp, beginTotp, renewRecoveryCodes } from '../../../../contract/console/console.ts';
import { Button } from '../../../kit/button.tsx';
import type { Refusal } from '../../../kit/http/refusal.ts';
import { useTask } from '../../../kit/task.ts';
import { useConsole } from '../api/use-console.ts';
import { useRefresh } from '../api/use-data.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Section } from '../kit/page.tsx';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { SecretDialog } from '../kit/secret-dialog.tsx';
import { type TotpSecret, TotpForm } from '../sign-in/totp-form.tsx';
import { useProfileWords } from './use-profile-words.ts';

type Step = { at: 'app'; secret: TotpSecret } | { at: 'renew' } | { at: 'codes'; codes: readonly string[] };

/** Another authenticator app, and new recovery codes. */
export function SecondFactor() {
  const words = useProfileWords();
  const { call } = useConsole();
  const [step, setStep] = useState<Step | null>(null);
  const { busy, refusal, run } = useTask();
  const begin = async () =>
    setStep({ at: 'app', secret: await call<typeof beginTotp>('POST /console/totp') });
  return (
    <Section title={words.factor}>
      <p className="soft">{words.factorLead}</p>
      <Failure refusal={refusal} />
      <div className="page-actions">
        <Button busy={busy} onPress={() => run(begin)}>
          {words.replaceApp}
        </Button>
        <Button onPress={() => setStep({ at: 'renew' })}>{words.renewCodes}</Button>
      </div>
      {step && <StepDialog step={step} onStep={setStep} />}
    </Section>
  );
}

const Failure = ({ refusal }: { refusal: Refusal | null }) => refusal && <RefusalNotice refusal={refusal} />;

function StepDialog({ step, onStep }: { step: Step; onStep: (step: Step | null) => void }) {
  const words = useProfileWords();
  const { call, reloadSession } = useConsole();
  const refresh = useRefresh();
  const close = () => onStep(null);
  const activate = async (code: string) => {
    const answer = await call<typeof activateTotp>('POST /console/totp/activate', { body: { code } });
    await Promise.all([refresh('GET /console/sessions'), reloadSession()]);
    onStep({ at: 'codes', codes: answer.recoveryCodes });
  };
  const renew = async () => {
    const answer = await call<typeof renewRecoveryCodes>('POST /console/recovery-codes');
    await reloadSession();
    onStep({ at: 'codes', codes: answer.recoveryCodes });
  };
  if (step.at === 'codes')
    return (
      <SecretDialog
        title={words.codesTitle}
        items={[{ label: words.codes, value: step.codes.join('\n') }]}
        onDone={close}
      />
    );
  if (step.at === 'renew')
    return (
      <ConfirmDialog title={words.renewTitle} confirm={words.renewCodes} onConfirm={renew} onClose={close}>
        <p>{words.renewText}</p>
      </ConfirmDialog>
    );
  return (
    <Dialog title={words.replaceTitle} onClose={close}>
      <p>{words.replaceText}</p>
      <TotpForm secret={step.secret} activate={activate} />
    </Dialog>
  );
}
