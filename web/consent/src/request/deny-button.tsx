import { useState } from 'react';
import { FailureSummary } from '../../../patient/failure-summary.tsx';
import { Button } from '../../../kit/button.tsx';
import { useTask } from '../../../kit/task.ts';
import { generateKey } from '../draft/generate-key.ts';
import type { Decide } from './use-decide.ts';

/** Denies the request; that needs no account and no sign-in. */
export function DenyButton({ label, screen, decide }: { label: string; screen: string; decide: Decide }) {
  const { busy, refusal, run } = useTask();
  // Pressed once more, after an answer that was lost, it is the same decision.
  const [decisionKey] = useState(generateKey);
  return (
    <div className="aside">
      <FailureSummary refusal={refusal} />
      <Button
        variant="quiet"
        busy={busy}
        onPress={() => run(async () => decide('deny', screen, { decisionKey }))}
      >
        {label}
      </Button>
    </div>
  );
}
