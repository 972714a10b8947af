import { FailureSummary } from '../../../patient/failure-summary.tsx';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { useWords } from '../words/use-words.ts';
import type { Decide } from './use-decide.ts';

/** Denies the request; that needs no account and no sign-in. */
export function DenyButton({ client, decide }: { client: string; decide: Decide }) {
  const words = useWords();
  const { busy, refusal, run } = useTask();
  return (
    <div className="aside">
      <FailureSummary refusal={refusal} />
      <Button variant="quiet" busy={busy} onPress={() => run(async () => decide('deny', 'sign-in'))}>
        {words.requester.deny(client)}
      </Button>
    </div>
  );
}
