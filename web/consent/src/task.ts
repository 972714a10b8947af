import { useState } from 'react';
import { type Failure, toFailure } from './api/refusal.ts';

interface Task {
  busy: boolean;
  failure: Failure | null;
  /** A second call while the first is under way does nothing. */
  run(work: () => Promise<void>): void;
}

/** Work that a person set off and that may fail in place. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    void work()
      .catch((error: unknown) => setFailure(toFailure(error)))
      .finally(() => setBusy(false));
  };
  return { busy, failure, run };
}
