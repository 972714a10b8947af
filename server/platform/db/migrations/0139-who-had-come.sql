-- Whether the person had come to the invitation, or decided: then the organization knows that they had an account, and is told of
-- its deletion.
alter table past_enrollment add column had_come boolean not null default false;
update past_enrollment e set had_come = true
where e.state = 'deleted' or exists (
  select from consent_record r where r.patient_id = e.patient_id and r.project_id = e.project_id);
