-- Endpoints that organizations have their events sent to.
create table webhook (
  organization_id uuid not null,
  webhook_id uuid not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  -- null: every project of the organization, also later ones.
  project_ids uuid[],
  -- Attempts a second, from each node; null: no limit.
  max_per_second integer,
  status text not null check (status in ('active', 'paused', 'suspended')),
  status_since timestamptz not null,
  -- Every attempt has failed since; written when that begins and ends only, or each delivery would wait for this row.
  failing_since timestamptz,
  -- When the first, second and third announcement of that was made.
  announced_at timestamptz[] not null default '{}',
  -- Whether it was announced that the endpoint is suspended.
  suspension_told boolean not null default false,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, webhook_id)
);
create index webhook_failing on webhook (failing_since) where failing_since is not null;

-- Secrets that deliveries are signed with, as they are: an HMAC needs the key itself.
create table webhook_secret (
  organization_id uuid not null,
  webhook_id uuid not null,
  secret text not null,
  created_at timestamptz not null,
  -- null: until the next rotation.
  expires_at timestamptz,
  primary key (organization_id, webhook_id, secret)
);

-- An event and an endpoint that it goes to, written with the event. No index knows of leases, and pages have room, so
-- that taking a delivery writes nothing into an index (a HOT update).
create table webhook_delivery (
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  state text not null check (state in ('pending', 'delivered', 'retrying', 'exhausted', 'dropped')),
  reason text,
  -- Attempts that have ended, since it was last sent anew.
  attempts integer not null default 0,
  -- How often it was taken since the last one that ended: an attempt that kills the process is not made for ever.
  claims integer not null default 0,
  due_at timestamptz not null,
  leased_by uuid,
  leased_until timestamptz,
  first_failed_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organization_id, webhook_id, event_id)
) with (fillfactor = 45);
-- Only what is still to be sent: history makes neither larger.
create index webhook_delivery_open on webhook_delivery (webhook_id, due_at) where state in ('pending', 'retrying');
create index webhook_delivery_undelivered on webhook_delivery (organization_id, webhook_id, state, event_id)
  where state <> 'delivered';

create table webhook_attempt (
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  attempt_id uuid not null,
  delivery_attempt integer not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  url text not null,
  -- null: acknowledged.
  fault text,
  status integer,
  response_headers json,
  response_body text,
  response_truncated boolean,
  primary key (organization_id, webhook_id, event_id, attempt_id)
);

-- A test is of no patient.
alter table webhook_event alter column patient_id drop not null;

-- consent.expired was told, or something else about the consent since.
alter table consent add column expiry_told boolean not null default false;
create index consent_to_expire on consent (expires_at) where consent_status = 'OPTED_IN' and not expiry_told;

-- Each kind of job is looked for by itself: one that waits in masses is not read by those who look for others.
drop index job_due;
create index job_due on job (kind, run_at) where state = 'due';
create index job_parked on job (kind) where state = 'parked';
