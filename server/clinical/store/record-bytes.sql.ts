import { sql } from '../../platform/db/sql.ts';

/**
 * Sums the bytes of the records that have changed since they were summed, some at a time: their text as it came, whose
 * length the store knows without reading a compressed value. A record that changes meanwhile is summed again. Returns a row
 * for each.
 */
export const sumChangedRecords = (limit: number) => sql`
  update record_head h set body_bytes = summed.bytes, body_bytes_version = changed.version
  from (
    select patient_id, version from record_head where body_bytes_version is distinct from version
    order by patient_id limit ${limit}) changed,
  lateral (
    select coalesce(sum(octet_length(r.body)), 0)::bigint as bytes from resource r where r.patient_id = changed.patient_id) summed
  where h.patient_id = changed.patient_id
  returning h.patient_id`;
