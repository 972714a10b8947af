import { Button } from '../../../look/button.tsx';
import { ErrorSummary } from '../../../look/form.tsx';
import { usePage } from '../page.ts';
import { useTask } from '../task.ts';
import { failureText } from '../words/failure.ts';
import { useLanguage } from '../words/language.tsx';

/** Ends the session; `label` where that has another name. */
export function SignOut({ label, onSignedOut }: { label?: string; onSignedOut: () => Promise<void> }) {
  const { api } = usePage();
  const { words, language } = useLanguage();
  const { busy, trouble, run } = useTask();
  const leave = () =>
    run(async () => {
      await api.signOut();
      await onSignedOut();
    });
  return (
    <>
      <Button busy={busy} onPress={leave}>
        {label ?? words.common.signOut}
      </Button>
      {trouble && (
        <ErrorSummary
          title={words.common.problem}
          faults={[{ text: failureText(trouble, words, language) }]}
        />
      )}
    </>
  );
}
