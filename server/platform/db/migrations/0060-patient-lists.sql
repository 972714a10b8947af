-- An organization lists and searches the people it enrolled. What it wrote of a person stands with the enrollment: the name and
-- address of their account are their own, and another organization may have written others. Null: they came by an app, and
-- the organization knows of them what their record shows it.
alter table enrollment add column email text;
alter table enrollment add column first_name text;
alter table enrollment add column last_name text;

-- How far a person has come, so that a list is filtered and counted by this row alone.
-- The first and the newest mail with the invitation.
alter table enrollment add column invited_at timestamptz;
alter table enrollment add column last_invited_at timestamptz;
-- When the person first came to the invitation as themselves: by the link mailed to their address, or signed in.
alter table enrollment add column opened_at timestamptz;
-- When the person had an account, at the earliest with the enrollment.
alter table enrollment add column account_at timestamptz;
-- The first and the newest decision, and where the person stands by them. A consent that is over by its date is known by
-- consents_until, the latest end of the consents that were not withdrawn.
alter table enrollment add column decided_at timestamptz;
alter table enrollment add column standing text check (standing in ('consents', 'declined', 'withdrew'));
alter table enrollment add column standing_since timestamptz;
alter table enrollment add column consents_until timestamptz;

-- Enrollments that are no more, so that nobody disappears from the list: ended by the organization, or deleted with the account.
create table past_enrollment (
  patient_id uuid not null,
  project_id uuid not null,
  organization_id uuid not null,
  -- Null where the account was deleted.
  external_id text,
  created_at timestamptz not null,
  ended_at timestamptz not null,
  state text not null check (state in ('ended', 'deleted')),
  primary key (patient_id, project_id)
);
create index past_enrollment_list on past_enrollment (organization_id, created_at, patient_id, project_id);

-- Enrolled by the organization, who was invited unless it said otherwise; the others came by an app.
update enrollment e set email = p.email, first_name = p.first_name, last_name = p.last_name,
  invited_at = case when p.test_organization_id is null then e.created_at end,
  last_invited_at = case when p.test_organization_id is null then e.created_at end
from patient p
where p.patient_id = e.patient_id and exists (
  select from audit_entry a where a.patient_id = e.patient_id and a.organization_id = e.organization_id
    and a.project_id = e.project_id and a.action = 'patient.enrolled');
update enrollment e set account_at = greatest(e.created_at, w.changed_at)
from patient_password w where w.patient_id = e.patient_id;
update enrollment e set decided_at = d.first_at, standing_since = d.last_at, consents_until = d.until,
  standing = case when d.until is not null then 'consents' when d.has_consented then 'withdrew' else 'declined' end
from (
  select r.patient_id, r.project_id, min(r.decided_at) as first_at, max(r.decided_at) as last_at,
    bool_or(r.consent_status = 'OPTED_IN') as has_consented,
    (select max(c.expires_at) from consent c
      where c.patient_id = r.patient_id and c.project_id = r.project_id and c.consent_status = 'OPTED_IN') as until
  from consent_record r group by r.patient_id, r.project_id) d
where d.patient_id = e.patient_id and d.project_id = e.project_id;

-- People are found by the beginning of a name without regard to case and accents.
create function fold_text(value text) returns text language sql immutable parallel safe return
  lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g'));

create index enrollment_list on enrollment (organization_id, created_at, patient_id, project_id);
create index enrollment_list_of_project on enrollment (project_id, created_at, patient_id);
create index enrollment_by_name on enrollment
  (organization_id, fold_text(first_name || ' ' || last_name) text_pattern_ops) where last_name is not null;
create index enrollment_by_last_name on enrollment
  (organization_id, fold_text(last_name || ' ' || first_name) text_pattern_ops) where last_name is not null;
create index enrollment_by_email on enrollment (organization_id, lower(email) text_pattern_ops) where email is not null;
create index enrollment_by_folded_id on enrollment
  (organization_id, fold_text(external_id) text_pattern_ops) where external_id is not null;
create index patient_phone_prefix on patient_phone (organization_id, phone text_pattern_ops);
