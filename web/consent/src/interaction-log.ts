import type { InteractionEntry } from './api.ts';
import { openTabStorage } from './tab-storage.ts';

/**
 * What the person saw and did, for the record of their decision; never what they typed. It outlives a reload of its tab, and
 * begins anew with another request.
 */
export interface InteractionLog {
  add(screen: string, action: string): void;
  entries(): InteractionEntry[];
}

/** The contract accepts as many. */
const MAX_ENTRIES = 200;

const KEY = 'chartgate-interactions';

/** `subject` names the request or the invitation of the page. */
export function createInteractionLog(
  subject: string,
  storage: Storage | null = openTabStorage(),
): InteractionLog {
  const entries = readEntries(storage, subject);
  return {
    add(screen, action) {
      entries.push({ screen, action, at: new Date().toISOString() });
      if (entries.length > MAX_ENTRIES) entries.shift();
      try {
        storage?.setItem(KEY, JSON.stringify({ subject, entries }));
      } catch {
        // Full, or not allowed: then a reload begins anew.
      }
    },
    entries: () => [...entries],
  };
}

/** Returns what this page wrote for the same subject; anything else in its place is none. */
function readEntries(storage: Storage | null, subject: string): InteractionEntry[] {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? 'null') as {
      subject?: unknown;
      entries?: unknown;
    } | null;
    if (kept?.subject !== subject || !Array.isArray(kept.entries)) return [];
    return kept.entries.filter(isEntry).slice(-MAX_ENTRIES);
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is InteractionEntry =>
  typeof entry === 'object' &&
  entry !== null &&
  ['screen', 'action', 'at'].every((name) => typeof (entry as Record<string, unknown>)[name] === 'string');
