-- A webhook's statistics by the hour and the project: a quarter of a year may be millions of attempts, which nobody waits for.
-- Only hours of which nothing is written any more.
create table webhook_hour (
  organization_id uuid not null,
  webhook_id uuid not null,
  hour timestamptz not null,
  project_id uuid not null,
  -- Deliveries of the events that were emitted in it, whatever became of them.
  deliveries bigint not null,
  -- Attempts that were acknowledged, and that were not.
  delivered bigint not null,
  failed bigint not null,
  -- How many of these had which answer, which duration, and which delay since the event: the last two by buckets (histogram.ts).
  answers jsonb not null,
  durations jsonb not null,
  delays jsonb not null,
  primary key (organization_id, webhook_id, hour, project_id)
);

-- Up to when an organization's hours are in webhook_hour.
create table webhook_hour_progress (
  organization_id uuid primary key,
  summed_until timestamptz not null
);
