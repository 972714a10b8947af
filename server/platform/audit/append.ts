import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Caller } from '../../../contract/audience.ts';
import type { Clock } from '../kernel/clock.ts';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { generateId } from '../kernel/ids.ts';
import type { Db, Queryable } from '../db/db.ts';
import { insertAuditEntries, insertAuditEntry, type AuditRow } from './audit.sql.ts';
import { hashAuditEntry } from './entry-hash.ts';

export interface AuditEntry {
  organizationId: OrganizationId;
  /** dot-separated, lower case, the past where it changed something: `mcp.tools_call`, `consent.evidence_viewed`. */
  action: string;
  actor: { kind: 'patient' | 'admin' | 'researcher' | 'system'; id: string };
  /** The program the token was given to. */
  client?: string | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  consentRecordId?: ConsentRecordId | undefined;
  outcome?: 'success' | 'refused' | 'failed';
  /** What a reader of the log needs beyond that; never a value from a record. */
  detail?: Readonly<Record<string, unknown>>;
}

export interface Audit {
  /** Resolves when the entry is durable. Entries of calls that run at once share one commit. */
  append(entry: AuditEntry): Promise<void>;
  /** Writes the entry in the transaction of what it reports. */
  write(on: Queryable, entry: AuditEntry): Promise<void>;
  /** The same for many, in one statement. */
  writeAll(on: Queryable, entries: readonly AuditEntry[]): Promise<void>;
  /** The entry's row, for a statement that reports what it does itself. */
  toRow(entry: AuditEntry): AuditRow;
}

export function createAuditLog({ db, clock }: { db: Db; clock: Clock }): Audit {
  const append = createGroupCommit<AuditRow>((rows) => db.query(insertAuditEntries(rows)));
  return {
    append: (entry) => append(toRow(entry, clock.now())),
    toRow: (entry) => toRow(entry, clock.now()),
    async write(on, entry) {
      await on.query(insertAuditEntry(toRow(entry, clock.now())));
    },
    async writeAll(on, entries) {
      await on.query(insertAuditEntries(entries.map((entry) => toRow(entry, clock.now()))));
    },
  };
}

/** Settled here, hash included: what is stored is what was reported, whatever becomes of the entry's objects meanwhile. */
function toRow(entry: AuditEntry, now: Date): AuditRow {
  const columns = {
    organization_id: entry.organizationId,
    entry_id: generateId(),
    at: now.toISOString().replace('Z', '000Z'),
    action: entry.action,
    actor_kind: entry.actor.kind,
    // Halves of surrogate pairs are replaced on their way into the database, so before they are hashed.
    actor_id: entry.actor.id.toWellFormed(),
    client: entry.client?.toWellFormed() ?? null,
    project_id: entry.projectId ?? null,
    patient_id: entry.patientId ?? null,
    consent_record_id: entry.consentRecordId ?? null,
    outcome: entry.outcome ?? 'success',
    detail: JSON.stringify(entry.detail ?? {}),
  };
  return { ...columns, entry_hash: hashAuditEntry(columns) };
}

/** The actor that a caller's token stands for. */
export const toActor = (caller: Caller): AuditEntry['actor'] => ({
  kind: caller.kind,
  id: caller.kind === 'patient' ? caller.patientId : caller.subject,
});
