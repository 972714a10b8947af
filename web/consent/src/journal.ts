import type { Entry } from './api/api.ts';

/** What the person saw and did, for the record of their decision; never what they typed. In memory only. */
export interface Journal {
  note(screen: string, action: string): void;
  entries(): Entry[];
}

/** As many as the contract takes. */
const MOST = 200;

export function startJournal(): Journal {
  const entries: Entry[] = [];
  return {
    note(screen, action) {
      entries.push({ screen, action, at: new Date().toISOString() });
      if (entries.length > MOST) entries.shift();
    },
    entries: () => [...entries],
  };
}
