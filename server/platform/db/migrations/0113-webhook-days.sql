-- What a webhook did, by the day: a quarter of a year by the hour is hundreds of thousands of counts to add up for one chart.
-- Only days whose hours are all in webhook_hour.
create table webhook_day (
  organization_id uuid not null,
  webhook_id uuid not null,
  -- When it begins in the zone of webhook_day_progress. An hour that begins in it is counted in it.
  day timestamptz not null,
  project_id uuid not null,
  -- As in webhook_hour.
  deliveries bigint not null,
  delivered bigint not null,
  failed bigint not null,
  answers jsonb not null,
  durations jsonb not null,
  delays jsonb not null,
  primary key (organization_id, webhook_id, day, project_id)
);

-- Up to when an organization's days are in webhook_day, and the zone that they are days of.
create table webhook_day_progress (
  organization_id uuid primary key,
  zone text not null,
  summed_until timestamptz not null
);
