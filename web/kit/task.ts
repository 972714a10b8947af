import { useState } from 'react';
import { type Refusal, toRefusal } from './http/refusal.ts';

interface Task {
  busy: boolean;
  /** Why the last run failed. */
  refusal: Refusal | null;
  /** Does nothing while the previous run is under way. */
  run(work: () => Promise<void>): void;
}

/** Work that a person started and that may fail in place. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const run = (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    void work()
      .catch((error: unknown) => setRefusal(toRefusal(error)))
      .finally(() => setBusy(false));
  };
  return { busy, refusal, run };
}
