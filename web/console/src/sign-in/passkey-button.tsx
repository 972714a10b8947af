import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { canUsePasskeys, type PasskeyOutcome } from '../../../kit/passkey.ts';
import { useTask } from '../../../kit/task.ts';
import { RefusalNotice } from '../kit/refusal-notice.tsx';
import { useSignInWords } from '../words/use-sign-in-words.ts';
import { useWords } from '../words/use-words.ts';

interface PasskeyButtonProps {
  label: string;
  variant?: 'strong' | 'plain';
  /** Sends the passkey; resolves with how the browser's dialog ended. */
  use: () => Promise<PasskeyOutcome>;
  onDone: () => Promise<void> | void;
}

/** Asks the browser for a passkey, where this address can have any. A person who cancels has made no error. */
export function PasskeyButton({ label, variant = 'plain', use, onDone }: PasskeyButtonProps) {
  const { passkey, oidc } = useSignInWords();
  const { common } = useWords();
  const { busy, refusal, run } = useTask();
  const [isFailed, setFailed] = useState(false);
  if (!canUsePasskeys()) return null;
  const start = () =>
    run(async () => {
      setFailed(false);
      const outcome = await use();
      if (outcome === 'done') await onDone();
      setFailed(outcome === 'failed' || outcome === 'known');
    });
  const texts = {
    invalid_credentials: passkey.notKnown,
    no_passkey: passkey.none,
    use_oidc: oidc.refusals.use_oidc,
    oidc_only: oidc.refusals.oidc_only,
  };
  return (
    <div className="stack">
      {refusal && <RefusalNotice refusal={refusal} texts={texts} />}
      {isFailed && (
        <div role="alert">
          <Notice kind="warning">{passkey.failed}</Notice>
        </div>
      )}
      <Button variant={variant} busy={busy} onPress={start}>
        <Icon name="key" />
        {label}
      </Button>
      <Busy busy={busy} text={common.oneMoment} />
    </div>
  );
}
