import type { InteractionEntry } from './api.ts';

/** What the person saw and did, for the record of their decision; never what they typed. It is kept in memory only. */
export interface InteractionLog {
  add(screen: string, action: string): void;
  entries(): InteractionEntry[];
}

/** The contract accepts as many. */
const MAX_ENTRIES = 200;

export function createInteractionLog(): InteractionLog {
  const entries: InteractionEntry[] = [];
  return {
    add(screen, action) {
      entries.push({ screen, action, at: new Date().toISOString() });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    entries: () => [...entries],
  };
}
