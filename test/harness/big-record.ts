import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';

const LINE_COUNT = 65_536;

/** Bytes of each. */
export const BIG_BODY_BYTES = LINE_COUNT * 32;

/**
 * Resources of two megabytes of the same noise, which no packing makes smaller by much, as an import leaves them, at the end of a record: more
 * than a few of them fill all the buffers between the database and a reader who reads nothing.
 */
export async function addBigResources(db: Db, patientId: string, count: number): Promise<void> {
  await db.query(sql`
    insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash, last_updated,
      first_batch_id, last_batch_id, document_path)
    select ${patientId}, next_seq + n, 'Binary', 'big' || n, '', 'big' || n, 'Binary',
      '{"resourceType":"Binary","id":"big' || n || '","data":"' || noise || '"}', '', last_synchronized_at,
      ${patientId}, ${patientId}, ''
    from record_head, generate_series(0, ${count - 1}::integer) n, (
      select string_agg(md5(line::text), '') as noise from generate_series(1, ${LINE_COUNT}) line) noisy
    where patient_id = ${patientId}`);
  await db.query(sql`
    insert into resource_label (patient_id, seq, required_labels)
    select patient_id, seq, 0 from resource where patient_id = ${patientId} and resource_type = 'Binary'`);
  await db.query(sql`
    update record_head set next_seq = next_seq + ${count}, total = total + ${count} where patient_id = ${patientId}`);
}
