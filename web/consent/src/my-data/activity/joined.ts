import type { AccessLogEntry as LogEntry } from '../../../../../contract/access-log.ts';

/** An entry as it is shown: of a record that was read page by page, one line and not hundreds. */
export interface Shown {
  /** The newest of them, with the entries of all. */
  entry: LogEntry;
  steps: number;
}

/** Pages that are read one after another come faster than this. */
const PAUSE_MS = 10 * 60 * 1000;

/** Newest first, as they are given: what the same program read of the same record in the same way, step by step, is one. */
export function joined(entries: readonly LogEntry[]): Shown[] {
  const shown: Shown[] = [];
  let earlier: LogEntry | undefined;
  for (const entry of entries) {
    const last = shown.at(-1);
    if (last && earlier && goesOn(entry, earlier)) {
      const sum = (last.entry.entries ?? 0) + (entry.entries ?? 0);
      shown[shown.length - 1] = { entry: { ...last.entry, entries: sum }, steps: last.steps + 1 };
    } else shown.push({ entry, steps: 1 });
    earlier = entry;
  }
  return shown;
}

/** Whether what was read later went on with it. What was all that there is, is an end of its own. */
const goesOn = (entry: LogEntry, later: LogEntry): boolean =>
  entry.action.startsWith('fhir.') &&
  entry.outcome === 'success' &&
  !entry.whole &&
  keyOf(entry) === keyOf(later) &&
  Date.parse(later.at) - Date.parse(entry.at) < PAUSE_MS &&
  new Date(later.at).toDateString() === new Date(entry.at).toDateString();

const keyOf = ({ action, outcome, actor, client, organization, project, types, whole }: LogEntry): string =>
  JSON.stringify([action, outcome, actor.id, client?.id, organization.id, project?.id, types, whole]);
