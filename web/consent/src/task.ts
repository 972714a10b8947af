import { useState } from 'react';
import { type Trouble, troubleOf } from './api/refusal.ts';

interface Task {
  busy: boolean;
  trouble: Trouble | null;
  /** A second call while the first is under way does nothing. */
  run(work: () => Promise<void>): void;
}

/** Work that a person set off and that may fail in place. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const run = (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    void work()
      .catch((error: unknown) => setTrouble(troubleOf(error)))
      .finally(() => setBusy(false));
  };
  return { busy, trouble, run };
}
