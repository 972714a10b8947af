import { hashLeaf } from './merkle-tree.ts';

/** The columns of an entry as PostgreSQL's texts, in the order in which they are hashed. */
export interface AuditEntryColumns {
  organization_id: string;
  entry_id: string;
  /** In UTC to the microsecond, as stored: 2026-01-05T10:02:03.004000Z. */
  at: string;
  action: string;
  actor_kind: string;
  actor_id: string;
  client: string | null;
  project_id: string | null;
  patient_id: string | null;
  consent_record_id: string | null;
  outcome: string;
  /** JSON, byte for byte as stored. */
  detail: string;
}

/** The columns that are known before what the entry reports has been read. */
export type AuditEntryHead = Omit<AuditEntryColumns, 'consent_record_id' | 'outcome' | 'detail'>;

const listHead = (entry: AuditEntryHead): (string | null)[] => [
  entry.organization_id,
  entry.entry_id,
  entry.at,
  entry.action,
  entry.actor_kind,
  entry.actor_id,
  entry.client,
  entry.project_id,
  entry.patient_id,
];

/** Computes the entry's hash: RFC 9162's leaf hash over its columns as a JSON array of texts and nulls (RFC 8785). */
export const hashAuditEntry = (entry: AuditEntryColumns): Buffer =>
  hashLeaf(JSON.stringify([...listHead(entry), entry.consent_record_id, entry.outcome, entry.detail]));

/** Returns what is hashed of these columns: that array, before the comma that follows them. */
export const serializeHead = (head: AuditEntryHead): string => JSON.stringify(listHead(head)).slice(0, -1);
