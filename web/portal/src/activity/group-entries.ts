import type { AccessLogEntry as LogEntry } from '../../../../contract/account/access-log.ts';

/** An entry as it is shown: of a record that was read page by page, one line and not hundreds. */
export interface LogGroup {
  /** The newest of them, with the entries of all. */
  entry: LogEntry;
  steps: number;
}

/** Pages that are read one after another come faster than this. */
const MAX_PAUSE_MS = 10 * 60 * 1000;

/** Newest first, as they are given: what the same program read of the same record in the same way, step by step, is one. */
export function groupEntries(entries: readonly LogEntry[]): LogGroup[] {
  const groups: LogGroup[] = [];
  let earlier: LogEntry | undefined;
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && earlier && isContinuation(entry, earlier)) {
      const sum = (last.entry.entries ?? 0) + (entry.entries ?? 0);
      groups[groups.length - 1] = { entry: { ...last.entry, entries: sum }, steps: last.steps + 1 };
    } else groups.push({ entry, steps: 1 });
    earlier = entry;
  }
  return groups;
}

/** Whether what was read later went on with it. What was all that there is, is an end of its own. */
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
}: LogEntry): string =>
  JSON.stringify([action, outcome, actor.id, client?.id, organization.id, project?.id, types, whole]);
