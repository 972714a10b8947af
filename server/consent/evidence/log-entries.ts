import type { SliceLine } from '../../platform/audit/slice.ts';

/** An entry as the page of the evidence lists it. */
export interface LogEntry {
  at: string;
  action: string;
  actor: string;
  outcome: string;
  isProven: boolean;
}

export interface LogEntries {
  entries: LogEntry[];
  /** Those beyond what a page lists. */
  omitted: number;
}

/** A page of some hundred lines opens anywhere; the file holds all. */
const MAX_LISTED = 500;

/** Passes the lines of a slice on, and keeps of its first entries what a page lists. */
export async function* collectLogEntries(
  lines: AsyncIterable<string>,
  log: LogEntries,
): AsyncGenerator<string> {
  for await (const text of lines) {
    const line = JSON.parse(text) as SliceLine;
    if (line.kind === 'entry' && log.entries.length < MAX_LISTED) log.entries.push(toLogEntry(line));
    else if (line.kind === 'entry') log.omitted++;
    yield text;
  }
}

const toLogEntry = ({ entry, proof }: Extract<SliceLine, { kind: 'entry' }>): LogEntry => ({
  at: entry.at,
  action: entry.action,
  actor: `${entry.actor_kind} ${entry.actor_id}`,
  outcome: entry.outcome,
  isProven: proof !== null,
});
