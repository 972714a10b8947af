-- What a consent does not cover is left out of every answer. Stored facts say in `needs` which data classes a consent
-- must cover for them to be shown, a bit each: 0 to 17 the categories, 18 to 25 the restricted classes, in the order of
-- contract/data-categories.ts. Rows from before this have all bits (-1) until `chartgate reindex` has looked at them, so
-- that a consent that withholds anything does not show them.

-- null: all categories.
alter table consent_record add column consent_data_resource_scopes text[];
-- null: no class is left out (test patients, whose records are made up, and consents from before there were classes).
alter table consent_record add column consent_data_sensitivity_scopes text[];

-- The bits of what the decision in force leaves out.
alter table consent add column withheld integer not null default 0;

-- Apart from the resources, whose rows are wide: settled only after all of an upload is stored (a resource is as restricted
-- as its visit). A resource without a row has not been looked at.
create table resource_needs (
  patient_id uuid not null,
  seq bigint not null,
  needs integer not null,
  primary key (patient_id, seq) include (needs)
);

alter table clinical_entry add column needs integer not null default -1;
-- `needs` of entries that tell the same better: shown only to those who see none of them.
alter table clinical_entry add column instead_of integer[];
update clinical_entry set instead_of = array[0] where duplicate;
drop index clinical_entry_vitals;
alter table clinical_entry drop column duplicate;
create index clinical_entry_vitals on clinical_entry (patient_id, vital, day desc nulls last, time desc nulls last, seq desc)
  where vital is not null;
-- The organization as it reads without the visit, where it is the visit's: for those who do not see the visit.
alter table clinical_entry add column visit_needs integer;
alter table clinical_entry add column organization_without_visit text;

-- Counted anew at the next import of each record, and by `chartgate reindex`.
delete from record_holding;
alter table record_holding add column needs integer not null;
alter table record_holding add column instead_of integer[] not null;
alter table record_holding drop constraint record_holding_pkey;
alter table record_holding add primary key (patient_id, kind, category, needs, instead_of);

-- One text under two needs is two passages.
alter table passage add column needs integer not null default -1;
