import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Caller } from '../../../contract/audience.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AuditAction } from './actions.ts';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { createIdGenerator } from '../kernel/ids.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { insertAuditEntries, insertAuditEntry, type AuditRow, type OpenAuditRow } from './audit.sql.ts';
import { hashAuditEntry, serializeHead, type AuditEntryHead } from './entry-hash.ts';

export interface AuditEntry {
  organizationId: OrganizationId;
  /** Dot-separated and lower case, in the past tense for a change. */
  action: AuditAction;
  actor: { kind: 'patient' | 'admin' | 'researcher' | 'developer' | 'member' | 'system'; id: string };
  /** The OAuth client that the token was issued to. */
  client?: string | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  consentRecordId?: ConsentRecordId | undefined;
  outcome?: 'success' | 'refused' | 'failed';
  /** Further facts for readers of the log; never a value from a record. */
  detail?: Readonly<Record<string, unknown>>;
}

export interface Audit {
  /** For how many months entries are kept at least; null: for good. */
  readonly keptMonths: number | null;
  /** Resolves with the entry's id when it is durable. Entries of concurrent calls share one commit. */
  append(entry: AuditEntry): Promise<string>;
  /** Writes the entry in the transaction of what it reports. */
  write(on: Queryable, entry: AuditEntry): Promise<void>;
  /** Writes many entries in one statement. */
  writeAll(on: Queryable, entries: readonly AuditEntry[]): Promise<void>;
  /** Builds the entry's row, for a statement that inserts it together with its own change. */
  toRow(entry: AuditEntry): AuditRow;
  /** Builds the row of an entry whose consent record and detail the statement reads that inserts it. */
  toOpenRow(entry: OpenAuditEntry): OpenAuditRow;
}

/** What is known of a read before it is made. */
export type OpenAuditEntry = Omit<AuditEntry, 'consentRecordId' | 'outcome' | 'detail'>;

export interface AuditDeps {
  db: Db;
  clock: Clock;
  keptMonths?: number | null;
  /** Called with each entry once it is durable. */
  onWritten?(entry: AuditEntry): void;
}

export function createAuditLog({ db, clock, keptMonths = null, onWritten = () => {} }: AuditDeps): Audit {
  // By the clock that `at` is by: what is listed by time is found by id.
  const generateId = createIdGenerator(clock);
  const create = () => ({ id: generateId(), now: clock.now() });
  const toRow = (entry: AuditEntry): AuditRow => buildRow(entry, create());
  const append = createGroupCommit<AuditRow>((rows) => db.query(insertAuditEntries(rows)));
  const notify = (on: Queryable, entries: readonly AuditEntry[]): void => {
    const action = (): void => entries.forEach((entry) => onWritten(entry));
    if (isTx(on)) on.afterCommit(action);
    else action();
  };
  return {
    keptMonths,
    async append(entry) {
      const row = toRow(entry);
      await append(row);
      onWritten(entry);
      return row.entry_id;
    },
    toRow,
    toOpenRow(entry) {
      const head = buildHead(entry, create());
      return { ...head, hashed_head: serializeHead(head) };
    },
    async write(on, entry) {
      await on.query(insertAuditEntry(toRow(entry)));
      notify(on, [entry]);
    },
    async writeAll(on, entries) {
      await on.query(insertAuditEntries(entries.map(toRow)));
      notify(on, entries);
    },
  };
}

const isTx = (on: Queryable): on is Tx => 'afterCommit' in on;

interface Created {
  id: string;
  now: Date;
}

const buildHead = (entry: OpenAuditEntry, { id, now }: Created): AuditEntryHead => ({
  organization_id: entry.organizationId,
  entry_id: id,
  at: now.toISOString().replace('Z', '000Z'),
  action: entry.action,
  actor_kind: entry.actor.kind,
  // Halves of surrogate pairs are replaced on their way into the database, so before they are hashed.
  actor_id: entry.actor.id.toWellFormed(),
  client: entry.client?.toWellFormed() ?? null,
  project_id: entry.projectId ?? null,
  patient_id: entry.patientId ?? null,
});

/** Serializes and hashes the entry at once, so that later changes of its objects do not reach the log. */
function buildRow(entry: AuditEntry, created: Created): AuditRow {
  const columns = {
    ...buildHead(entry, created),
    consent_record_id: entry.consentRecordId ?? null,
    outcome: entry.outcome ?? 'success',
    detail: JSON.stringify(entry.detail ?? {}),
  };
  return { ...columns, entry_hash: hashAuditEntry(columns) };
}

/** Returns the actor that a caller's token stands for. */
export const toActor = (caller: Caller): AuditEntry['actor'] => ({
  kind: caller.kind,
  id: caller.kind === 'patient' ? caller.patientId : caller.subject,
});
