import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { isCovered } from './visible-entries.sql.ts';

/**
 * The column "context" of an entry: what other resources of the record say about it (`ContextFact`), each as far as the
 * consent covers where it is from; the nearest panel first. For statements that select from `clinical_entry` without an alias.
 */
export const selectContext = (access: RecordAccess): Sql => sql`
  (select json_agg(fact - 'needs' order by fact ->> 'role', (fact ->> 'level')::integer, fact ->> 'from')
   from entry_context, jsonb_array_elements(facts) as fact
   where entry_context.patient_id = ${access.patientId} and entry_context.seq = clinical_entry.seq
     and entry_context.ordinal = clinical_entry.ordinal and ${isCovered(access, sql`(fact ->> 'needs')::integer`)}) as "context"`;
