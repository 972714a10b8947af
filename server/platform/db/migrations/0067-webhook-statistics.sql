-- Statistics read a webhook's attempts of a time by the index alone: rows hold answers of up to 4 KiB.
create index webhook_attempt_time on webhook_attempt (organization_id, webhook_id, attempted_at)
  include (duration_ms, fault, status, delivery_attempt, event_id);

-- Deliveries are looked for by a fault of which there may be few among millions.
create index webhook_attempt_failed on webhook_attempt (organization_id, webhook_id, event_id) where fault is not null;

-- … by a patient, and by a type.
create index webhook_event_patient on webhook_event (organization_id, patient_id, event_id) where patient_id is not null;
create index webhook_event_type on webhook_event (organization_id, type, event_id);
