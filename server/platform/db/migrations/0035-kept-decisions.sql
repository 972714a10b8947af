-- The newest decision of a patient whose account was deleted stays with the evidence, so that the project's list is whole.
create index consent_of_project on consent (project_id, patient_id);

insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at)
select distinct on (r.patient_id, r.project_id, r.consent_type)
  r.patient_id, r.project_id, r.consent_type, r.consent_record_id, r.consent_status, r.expires_at, r.decided_at
from consent_record r
where not exists (select from patient p where p.patient_id = r.patient_id)
order by r.patient_id, r.project_id, r.consent_type, r.decided_at desc, r.consent_record_id desc
on conflict do nothing;
