-- A replay can be stopped: each delivery that it sends again remembers what it was, until an attempt is made of it.
alter table webhook_delivery add column before_replay jsonb;

create table webhook_replay (
  organization_id uuid not null,
  webhook_id uuid not null,
  replay_id uuid not null,
  started_at timestamptz not null,
  -- Deliveries that it sent again, those that were taken back since included.
  deliveries bigint not null default 0,
  -- null: it goes on, or is over.
  stopped_at timestamptz,
  taken_back bigint not null default 0,
  primary key (organization_id, webhook_id, replay_id)
);
