import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { useAppDeps } from '../page.ts';
import { useTask } from '../task.ts';
import { formatFailure } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';

/** Ends the session; `label` where that has another name. */
export function SignOut({ label, onSignedOut }: { label?: string; onSignedOut: () => Promise<void> }) {
  const { api } = useAppDeps();
  const { words, language } = useLanguage();
  const { busy, failure, run } = useTask();
  const signOut = () =>
    run(async () => {
      await api.signOut();
      await onSignedOut();
    });
  return (
    <>
      <Button busy={busy} onPress={signOut}>
        {label ?? words.common.signOut}
      </Button>
      {failure && (
        <ErrorSummary
          title={words.common.problem}
          errors={[{ text: formatFailure(failure, words, language) }]}
        />
      )}
    </>
  );
}
