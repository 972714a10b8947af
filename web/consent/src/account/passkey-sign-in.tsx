import { useState } from 'react';
import { Busy } from '../../../look/busy.tsx';
import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { Icon } from '../../../look/icon.tsx';
import type { Trouble } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { useTask } from '../task.ts';
import type { Words } from '../words/en.ts';
import { failureText } from '../words/failure.ts';
import { type Language, useLanguage } from '../words/language.tsx';
import { passkeysArePossible, signInByPasskey } from './passkey.ts';

/** Beside the password, where the browser can: one press instead of two fields. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { api } = usePage();
  const { words, language } = useLanguage();
  const { passkeys } = words.myData;
  const { busy, trouble, run } = useTask();
  const [failed, setFailed] = useState(0);
  if (!passkeysArePossible()) return null;
  const start = () =>
    run(async () => {
      setFailed(0);
      const outcome = await signInByPasskey(api);
      if (outcome === 'done') await onSignedIn();
      // To cancel is no error.
      if (outcome === 'failed' || outcome === 'known') setFailed(failed + 1);
    });
  const fault = trouble ? troubleText(trouble, words, language) : failed > 0 ? passkeys.signInFailed : null;
  return (
    <div className="stack">
      {fault !== null && <ErrorSummary title={words.common.problem} faults={[{ text: fault }]} />}
      <Button busy={busy} onPress={start}>
        <Icon name="key" />
        {passkeys.signIn}
      </Button>
      <Busy busy={busy} text={words.common.oneMoment} />
    </div>
  );
}

function troubleText(trouble: Trouble, words: Words, language: Language): string {
  if (trouble.kind === 'wrong-password') return words.myData.passkeys.notKnown;
  return failureText(trouble, words, language);
}
