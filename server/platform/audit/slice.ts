import { z } from 'zod';

/** What concerns a patient, in the logs of all organizations. */
export const FORMAT = 'chartgate-audit-slice/1';

/** What a filter finds in the log of one organization. */
export const EXPORT_FORMAT = 'chartgate-audit-export/1';

const Hash = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const text = z.string();

/** An entry's columns as they are hashed. */
const Columns = z.strictObject({
  organization_id: text,
  entry_id: text,
  at: text,
  action: text,
  actor_kind: text,
  actor_id: text,
  client: text.nullable(),
  project_id: text.nullable(),
  patient_id: text.nullable(),
  consent_record_id: text.nullable(),
  outcome: text,
  detail: text,
});

const PatientHeader = z.strictObject({
  kind: z.literal('header'),
  format: z.literal(FORMAT),
  issuer: text,
  patientId: text,
  exportedAt: text,
});

const OrganizationHeader = z.strictObject({
  kind: z.literal('header'),
  format: z.literal(EXPORT_FORMAT),
  issuer: text,
  organizationId: text,
  /** What the export was narrowed to. */
  filter: z.record(z.string(), z.string()),
  exportedAt: text,
});

/** Whose entries a slice holds. */
export type SliceHeader = z.infer<typeof PatientHeader> | z.infer<typeof OrganizationHeader>;

/** A line of an exported slice. An entry with a proof comes after the checkpoint of its block. */
export const SliceLine = z.discriminatedUnion('kind', [
  z.discriminatedUnion('format', [PatientHeader, OrganizationHeader]),
  z.strictObject({ kind: z.literal('checkpoint'), checkpoint: text }),
  z.strictObject({
    kind: z.literal('entry'),
    entry: Columns,
    /** null: the entry was not sealed at the export. */
    proof: z
      .strictObject({
        block: z.int().min(1),
        place: z.int().min(0),
        /** RFC 9162 §2.1.3.1, base64url. */
        path: z.array(Hash).max(64),
      })
      .nullable(),
  }),
  z.strictObject({ kind: z.literal('end'), entries: z.int() }),
]);
export type SliceLine = z.infer<typeof SliceLine>;
