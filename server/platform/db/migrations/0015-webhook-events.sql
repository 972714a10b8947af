-- The outbox: an event's row is written in the transaction of what it reports, and delivered from here.
create table webhook_event (
  organization_id uuid not null,
  -- evt_ and a ULID: in the order they happened.
  event_id text not null,
  project_id uuid not null,
  patient_id uuid not null,
  type text not null,
  occurred_at timestamptz not null,
  data json not null,
  primary key (organization_id, event_id)
);
