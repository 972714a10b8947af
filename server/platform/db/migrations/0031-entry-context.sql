-- What other resources of a record say about an entry: the panel of a result, the reason of a visit. Apart from the entries,
-- whose rows are wide and are written before the record is complete. Each fact says in `needs` what a consent must cover.
create table entry_context (
  patient_id uuid not null,
  seq bigint not null,
  ordinal integer not null,
  -- `[{role, from, title, code, text, level, needs}]`
  facts jsonb not null,
  primary key (patient_id, seq, ordinal)
);

-- The visit that lends its date to an entry without one.
alter table clinical_entry add column date_from text;
-- How much an entry says besides its title: of a group the one that says most is shown.
alter table clinical_entry add column informativeness smallint not null default 0;
-- "role Type/id" of the resources that explain it, or that it explains.
alter table clinical_entry add column links text[];
-- Masks of entries of the same source that say the same and more: shown only to a consent that covers none of them.
alter table clinical_entry add column unless_covered integer[];
create index clinical_entry_links on clinical_entry (patient_id, seq) where links is not null;

-- "Everything else" becomes the kinds of the contract; titles, links and values come with `chartgate reindex`.
update clinical_entry set kind = 'social_history' where kind = 'social';
update clinical_entry set kind = case
    when detail ->> 'type' = 'CareTeam' then 'care_team'
    when detail ->> 'type' = 'CarePlan' then 'care_plan'
    when detail ->> 'type' = 'Goal' then 'goal'
    when detail ->> 'type' in ('Device', 'DeviceUseStatement') then 'device'
    when detail ->> 'type' = 'FamilyMemberHistory' then 'family_history'
    when detail ->> 'type' in ('ImagingStudy', 'Media') or category = 'IMAGING' then 'imaging'
    when detail ->> 'type' in ('ServiceRequest', 'DeviceRequest', 'NutritionOrder', 'VisionPrescription', 'SupplyRequest',
      'RequestGroup', 'CommunicationRequest') then 'order'
    when detail ->> 'type' in ('Coverage', 'Claim', 'ExplanationOfBenefit') then 'coverage'
    when detail ->> 'type' in ('List', 'DocumentManifest', 'Consent') then 'document'
    else 'other' end
where kind = 'other';
delete from record_holding where kind in ('social', 'other');
insert into record_holding (patient_id, kind, category, required_labels, superseded_by, entries, undated, first_day, last_day)
select patient_id, kind, category, required_labels, coalesce(superseded_by, '{}'), count(*), count(*) filter (where day is null),
  min(day), max(day)
from clinical_entry
where kind in ('social_history', 'care_team', 'care_plan', 'goal', 'device', 'family_history', 'imaging', 'order', 'coverage',
  'document', 'other')
group by patient_id, kind, category, required_labels, coalesce(superseded_by, '{}');
