import { useState } from 'react';
import { Busy } from '../../../kit/busy.tsx';
import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { Icon } from '../../../kit/icon.tsx';
import type { Failure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import { useTask } from '../task.ts';
import type { Words } from '../words/en.ts';
import { formatFailure } from '../words/format-failure.ts';
import { type Language, useLanguage } from '../words/language.tsx';
import { canUsePasskeys, signInByPasskey } from './passkey.ts';

/** Beside the password, where the browser can: one press instead of two fields. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  const { busy, failure, run } = useTask();
  const [failedCount, setFailedCount] = useState(0);
  if (!canUsePasskeys()) return null;
  const start = () =>
    run(async () => {
      setFailedCount(0);
      const outcome = await signInByPasskey(api);
      if (outcome === 'done') await onSignedIn();
      // To cancel is no error.
      if (outcome === 'failed' || outcome === 'known') setFailedCount(failedCount + 1);
    });
  const errorText = failure
    ? formatSignInFailure(failure, words, language)
    : failedCount > 0
      ? passkeys.signInFailed
      : null;
  return (
    <div className="stack">
      {errorText !== null && <ErrorSummary title={words.common.problem} errors={[{ text: errorText }]} />}
      <Button busy={busy} onPress={start}>
        <Icon name="key" />
        {passkeys.signIn}
      </Button>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}

function formatSignInFailure(failure: Failure, words: Words, language: Language): string {
  if (failure.kind === 'wrong-password') return words.myData.passkeys.notKnown;
  return formatFailure(failure, words, language);
}
