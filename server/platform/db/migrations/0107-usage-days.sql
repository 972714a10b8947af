-- What organizations used, by the day: a quarter of a year by the hour may be hundreds of thousands of rows, which nobody waits for.
-- Only days of which nothing is counted any more.
create table usage_day (
  organization_id uuid not null,
  -- When it begins in the zone of usage_day_progress. An hour that begins in it is counted in it.
  day timestamptz not null,
  -- As in usage_hour.
  kind text not null,
  name text not null,
  project_id uuid not null,
  client text not null,
  outcome text not null,
  count bigint not null,
  duration_buckets bigint[] not null,
  primary key (organization_id, day, kind, name, project_id, client, outcome)
);

-- Up to when an organization's days are in usage_day, and the zone that they are days of.
create table usage_day_progress (
  organization_id uuid primary key,
  zone text not null,
  summed_until timestamptz not null
);
