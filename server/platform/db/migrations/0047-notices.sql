-- Which mails a person wants about the use of their record; who never chose has no row and gets the defaults.
create table notice_settings (
  patient_id uuid primary key,
  first_read boolean not null,
  unusual_volume boolean not null,
  unused_consent boolean not null,
  -- The full hour at which the next week is summed up; null: no weekly digest.
  next_digest_at timestamptz
);
create index notice_digest_due on notice_settings (next_digest_at) where next_digest_at is not null;

-- What was noticed about a patient's record, each event once, whether a mail was wanted or not.
create table notice (
  patient_id uuid not null,
  -- first_read, unusual_volume, unused_consent
  kind text not null,
  -- What makes it this event: a client; a client and a day; a consent record and the day it was last used.
  event text not null,
  noticed_at timestamptz not null,
  primary key (patient_id, kind, event)
);

-- How often a record was read in an hour, counted from the sealed log; kept for 31 days.
create table read_count (
  patient_id uuid not null,
  -- A client's id; 'organization' stands for all who read as a partner.
  reader text not null,
  hour timestamptz not null,
  reads integer not null,
  primary key (patient_id, reader, hour)
);
create index read_count_expired on read_count (hour);

-- Up to which block of its log each organization's reads were counted.
create table notice_progress (
  organization_id uuid primary key,
  block bigint not null
);

-- Nobody gets a mail today about what was read before.
insert into notice_progress (organization_id, block)
select organization_id, max(block) from audit_block group by organization_id;
insert into notice (patient_id, kind, event, noticed_at)
select e.patient_id, 'first_read', coalesce(e.client, 'direct'), min(e.at) from audit_entry e
where e.actor_kind = 'patient' and e.outcome = 'success' and e.action in ('mcp.tools_call', 'fhir.everything', 'fhir.read')
  and exists (select from patient p where p.patient_id = e.patient_id)
group by e.patient_id, coalesce(e.client, 'direct');
