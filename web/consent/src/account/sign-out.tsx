import { Button } from '../../../kit/button.tsx';
import { ErrorSummary } from '../../../kit/form.tsx';
import { useAppDeps } from '../app-deps.ts';
import { useTask } from '../task.ts';
import { formatFailure } from '../words/format-failure.ts';
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
