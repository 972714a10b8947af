import { useState } from 'react';
import { Busy } from '../../kit/busy.tsx';
import { Button } from '../../kit/button.tsx';
import { ErrorSummary } from '../../kit/form.tsx';
import { Icon } from '../../kit/icon.tsx';
import { type Failure, toFailure } from '../failure.ts';
import { useAccountApi } from '../account-api.ts';
import { useTask } from '../../kit/task.ts';
import type { PatientWords } from '../words/en.ts';
import { formatFailure } from '../format-failure.ts';
import type { Language } from '../../kit/languages.ts';
import { useLanguage } from '../words/use-words.ts';
import { canUsePasskeys } from '../../kit/passkey.ts';
import { signInByPasskey } from './passkey.ts';

/** Signing in by passkey, where the browser supports it. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const api = useAccountApi();
  const { words, language } = useLanguage();
  const { passkeySignIn } = words;
  const { busy, refusal, run } = useTask();
  const [failedCount, setFailedCount] = useState(0);
  if (!canUsePasskeys()) return null;
  const start = () =>
    run(async () => {
      setFailedCount(0);
      const outcome = await signInByPasskey(api);
      if (outcome === 'done') await onSignedIn();
      // A person who cancels has made no error.
      if (outcome === 'failed' || outcome === 'known') setFailedCount(failedCount + 1);
    });
  const errorText = refusal
    ? formatSignInFailure(toFailure(refusal), words, language)
    : failedCount > 0
      ? passkeySignIn.failed
      : null;
  return (
    <div className="stack">
      {errorText !== null && <ErrorSummary title={words.common.problem} errors={[{ text: errorText }]} />}
      <Button busy={busy} onPress={start}>
        <Icon name="key" />
        {passkeySignIn.submit}
      </Button>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}

function formatSignInFailure(failure: Failure, words: PatientWords, language: Language): string {
  if (failure.kind === 'wrong-password') return words.passkeySignIn.notKnown;
  return formatFailure(failure, words, language);
}
