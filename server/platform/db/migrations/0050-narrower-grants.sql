-- What an app does not get, though the consent covers it: the bits of consent.withheld. The gate adds the two, and
-- oauth_grant.expires_at is asked there too, so that no grant is wider or longer than its consent, or than itself.
alter table oauth_grant add column withheld integer not null default 0;

-- Grants from before this get what they can read now: what their own decision covered, and the consent in force does.
update oauth_grant g set withheld = withheld.bits
from consent_record r
join consent c on c.patient_id = r.patient_id and c.project_id = r.project_id and c.consent_type = r.consent_type
cross join lateral (
  select coalesce(bit_or(1 << (l.ordinal::integer - 1)), 0) | c.withheld as bits
  from unnest(array['CONTACT_INFO', 'MEDICATIONS', 'ALLERGIES', 'DIAGNOSES', 'LABS', 'DEMOGRAPHICS', 'CLINICAL_NOTES',
      'VISITS', 'DIAGNOSTIC_REPORTS', 'CLINICAL_VITALS', 'PROCEDURES', 'IMMUNIZATIONS', 'IMAGING', 'TREATMENT_PLAN',
      'GENOMIC_DATA', 'FAMILY_HISTORY', 'SOCIAL_HISTORY', 'ADMINISTRATIVE_AND_BILLING', 'HIV_OR_STI',
      'SUBSTANCE_USE_OR_DRUG_ABUSE', 'MENTAL_HEALTH', 'GENETIC_TESTING', 'REPRODUCTIVE_HEALTH_DATA', 'PSYCHOTHERAPY_NOTES',
      'SUD_PART_2', 'SICKLE_CELL']) with ordinality as l(name, ordinal)
  where case when l.ordinal <= 18 then l.name <> all(r.consent_data_resource_scopes)
    else l.name <> all(r.consent_data_sensitivity_scopes) end) withheld
where r.patient_id = g.patient_id and r.consent_record_id = g.consent_record_id and g.revoked_at is null;

-- What the app of client_id gets, where that is less than what the consent covers; all null where it is the same.
alter table consent_record add column grant_resource_scopes text[];
alter table consent_record add column grant_sensitivity_scopes text[];
alter table consent_record add column grant_expires_at timestamptz;
