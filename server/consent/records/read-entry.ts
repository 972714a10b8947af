import type { z } from 'zod';
import { AccessLogEntry } from '../../../contract/account/access-log.ts';
import type { AuditEntryRow } from '../../platform/audit/entries.sql.ts';

export interface NamedEntryRow extends AuditEntryRow {
  /** As the client calls itself. */
  client_name: string | null;
  app_id: string | null;
  project_name: string | null;
}

export type ReadEntry = Omit<AccessLogEntry, 'organization'>;

/** The fields of an entry's detail that the access log shows; which are present, and of which type, differs by action. */
const DetailFields = AccessLogEntry.pick({
  tool: true,
  categories: true,
  notShared: true,
  types: true,
  entries: true,
  whole: true,
  counted: true,
  from: true,
  until: true,
  reason: true,
}).shape;

/** Returns an entry of the log as those who may see it read it, with the names that its row brings. */
export function toReadEntry(row: NamedEntryRow): ReadEntry {
  const detail = JSON.parse(row.detail) as Record<string, unknown>;
  const readDetail = <Name extends keyof typeof DetailFields>(
    name: Name,
    fallback: z.infer<(typeof DetailFields)[Name]>,
  ) => (DetailFields[name].safeParse(detail[name]).data ?? fallback) as z.infer<(typeof DetailFields)[Name]>;
  return {
    id: row.entry_id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: { kind: row.actor_kind, id: row.actor_id },
    client: row.client === null ? null : { id: row.client, name: row.client_name, appId: row.app_id },
    project:
      row.project_id === null || row.project_name === null
        ? null
        : { id: row.project_id, name: row.project_name },
    consentRecordId: row.consent_record_id,
    tool: readDetail('tool', null),
    categories: readDetail('categories', []),
    notShared: readDetail('notShared', []),
    types: readDetail('types', toTypes(detail['type'])),
    entries: readDetail('entries', null),
    whole: readDetail('whole', false),
    counted: readDetail('counted', false),
    from: readDetail('from', null),
    until: readDetail('until', null),
    reason: readDetail('reason', null),
  };
}

/** A read of one resource has its type in `type`. */
const toTypes = (type: unknown): string[] => (typeof type === 'string' ? [type] : []);
