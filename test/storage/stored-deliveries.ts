import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';

interface RecordRow {
  patient_id: string;
  consent_record_id: string;
  consent_status: 'OPTED_IN' | 'OPTED_OUT';
  decided_at: Date;
}

export interface EventRow {
  organization_id: string;
  event_id: string;
  project_id: string;
  patient_id: string;
  type: string;
  occurred_at: Date;
  /** JSON. */
  data: string;
}

interface DeliveryRow {
  webhook_id: string;
  event_id: string;
  state: string;
  reason: string | null;
  leased_by: string | null;
}

export interface AttemptRow {
  webhook_id: string;
  event_id: string;
  delivery_attempt: number;
  fault: string | null;
  status: number | null;
}

/** The decisions in the store, and the events emitted about them. */
export interface StoredDeliveries {
  /** Decisions of each patient, in order. */
  records: RecordRow[];
  events: EventRow[];
  deliveries: DeliveryRow[];
  /** Attempts of each delivery, in order. */
  attempts: AttemptRow[];
}

export const readStoredDeliveries = async (db: Db): Promise<StoredDeliveries> => ({
  records: await db.query(sql<RecordRow>`
    select patient_id, consent_record_id, consent_status, decided_at from consent_record
    order by patient_id, decided_at, consent_record_id`),
  events: await db.query(sql<EventRow>`
    select organization_id, event_id, project_id, patient_id, type, occurred_at, data::text as data from webhook_event`),
  deliveries: await db.query(sql<DeliveryRow>`
    select webhook_id, event_id, state, reason, leased_by from webhook_delivery`),
  attempts: await db.query(sql<AttemptRow>`
    select webhook_id, event_id, delivery_attempt, fault, status from webhook_attempt
    order by webhook_id, event_id, delivery_attempt`),
});
