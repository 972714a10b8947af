import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';

/** Entries that are shown as one line: a record that was read page by page makes hundreds. */
export interface LogGroup {
  /**
   * The newest of them, with the sum of the entries of all: of pages. How many single resources were read is not known, since one
   * may have been read again.
   */
  entry: LogEntry;
  steps: number;
}

/** Pages that are read one after another follow within this time. */
const MAX_PAUSE_MS = 10 * 60 * 1000;

/** Groups entries, newest first, that one program made by reading one record in one way, page by page. */
export function groupEntries(entries: readonly LogEntry[]): LogGroup[] {
  const groups: LogGroup[] = [];
  let earlier: LogEntry | undefined;
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && earlier && isContinuation(entry, earlier)) {
      groups[groups.length - 1] = {
        entry: { ...last.entry, entries: sumEntries(last.entry, entry) },
        steps: last.steps + 1,
      };
    } else groups.push({ entry, steps: 1 });
    earlier = entry;
  }
  return groups;
}

const sumEntries = (one: LogEntry, other: LogEntry): number | null =>
  one.action === 'fhir.read' ? null : (one.entries ?? 0) + (other.entries ?? 0);

/** True when the later entry continued this one. An entry that covers the whole record is complete by itself. */
const isContinuation = (entry: LogEntry, later: LogEntry): boolean =>
  entry.action.startsWith('fhir.') &&
  entry.outcome === 'success' &&
  !entry.whole &&
  buildGroupKey(entry) === buildGroupKey(later) &&
  Date.parse(later.at) - Date.parse(entry.at) < MAX_PAUSE_MS &&
  new Date(later.at).toDateString() === new Date(entry.at).toDateString();

const buildGroupKey = ({
  action,
  outcome,
  actor,
  client,
  organization,
  project,
  types,
  whole,
  counted,
}: LogEntry): string =>
  JSON.stringify([
    action,
    outcome,
    actor.id,
    client?.id,
    organization.id,
    project?.id,
    types,
    whole,
    counted,
  ]);
