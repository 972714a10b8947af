-- What an organization lists and counts of all its decisions, without looking up the ones before.

-- Since when, without interruption, a consent was in force that this decision gave, changed or ended: the time of the
-- decision itself where it gave one anew, null where it is a no and nothing was in force.
alter table consent_record add column in_force_since timestamptz;
-- `sessionLength` of consent_stats, which is read from no page of JSON then.
alter table consent_record add column session_seconds real;

with decision as (
  select patient_id, consent_record_id, consent_status, project_id, consent_type, decided_at,
    coalesce(lag(consent_status) over decisions = 'OPTED_IN' and lag(expires_at) over decisions > decided_at, false) as follows
  from consent_record
  window decisions as (partition by patient_id, project_id, consent_type order by decided_at)),
period as (
  select *, sum(case when follows then 0 else 1 end)
      over (partition by patient_id, project_id, consent_type order by decided_at) as number
  from decision),
since as (
  select patient_id, consent_record_id, follows or consent_status = 'OPTED_IN' as counts,
    min(decided_at) over (partition by patient_id, project_id, consent_type, number) as at
  from period)
update consent_record r
set in_force_since = case when since.counts then since.at end,
  session_seconds = (r.consent_stats->>'sessionLength')::real
from since
where since.patient_id = r.patient_id and since.consent_record_id = r.consent_record_id;

-- Lists and counts read the index alone, whatever they filter by.
create index consent_record_of_organization on consent_record (organization_id, decided_at, consent_record_id)
  include (patient_id, project_id, consent_type, consent_status, expires_at, in_force_since, language, study_snapshot_id,
    consent_ui_flow, session_seconds);
-- What ends, and when.
create index consent_record_ending on consent_record (organization_id, expires_at) include (patient_id, project_id, consent_type, decided_at)
  where consent_status = 'OPTED_IN';
-- By app; a client's id may be an address that is longer than an index takes.
create index consent_record_of_client on consent_record (organization_id, md5(client_id), decided_at, consent_record_id)
  where client_id is not null;
