import { FailureSummary } from '../failure-summary.tsx';
import { Button } from '../../kit/button.tsx';
import { useAccountApi } from '../account-api.ts';
import { useTask } from '../../kit/task.ts';
import { useWords } from '../words/use-words.ts';

/** Ends the session; `label` where that has another name. */
export function SignOut({ label, onSignedOut }: { label?: string; onSignedOut: () => Promise<void> }) {
  const api = useAccountApi();
  const words = useWords();
  const { busy, refusal, run } = useTask();
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
      <FailureSummary refusal={refusal} />
    </>
  );
}
