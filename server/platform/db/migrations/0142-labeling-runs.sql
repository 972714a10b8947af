-- The labels of entries are lower while a record is read anew, before those that others share with them are known: until the run
-- that wrote them has ended, a consent that leaves something out has to cover the labels from before besides.
-- The last run that began, and the last one that ended.
alter table record_head add column labeling_run integer not null default 0;
alter table record_head add column labeled_run integer not null default 0;
-- The run that wrote an entry, and the labels that readers went by before it; -1: its resource had none.
alter table clinical_entry add column labeling_run integer not null default 0;
alter table clinical_entry add column published_labels integer;

-- As before, of entries whose labels readers may go by.
create or replace function find_matched_entries(of_patient uuid, links jsonb, withheld integer, compare_ids boolean) returns json
language plpgsql stable parallel safe as $$
declare
  labeled integer := (select labeled_run from record_head where patient_id = of_patient);
begin
  return (
    select json_agg(json_build_object('link', link.link, 'title', e.title, 'dayText', e.day_text, 'time', e.time,
      'endText', e.end_text, 'status', e.status, 'current', e.current,
      'organization', case when e.visit_labels & withheld <> 0 then e.organization_without_visit else e.organization end,
      'reference', e.reference,
      'similarIds', case when compare_ids and length(split_part(e.reference, '/', 2)) = 36
        then find_similar_ids(of_patient, e.reference, withheld) end,
      'documentPath', case when withheld = 0 then e.document_path
        else name_document((select document_key from record_head where patient_id = of_patient), e.document_path) end,
      'kind', e.kind, 'detail', case link.link when 'differs' then e.detail end)
      order by e.reference, e.document_path, link.seq, link.ordinal)
    from jsonb_to_recordset(links) as link(seq bigint, ordinal integer, needs integer, link text, unless integer[])
    join clinical_entry e on e.patient_id = of_patient and e.seq = link.seq and e.ordinal = link.ordinal
    where least(e.required_labels & withheld, 1) <> 1 and least(link.needs & withheld, 1) <> 1
      and (e.labeling_run <= labeled or coalesce(e.published_labels, -1) & withheld = 0)
      and (link.link = 'same'
        or link.link = 'differs' and (e.superseded_by is null or not covers_any(e.superseded_by, withheld)))
      and not covers_any(link.unless, withheld));
end $$;

-- As before, by the labels that readers go by.
create or replace function find_similar_ids(of_patient uuid, of_reference text, withheld integer) returns json
language plpgsql stable parallel safe as $$
declare
  type_name text := split_part(of_reference, '/', 1);
  id text := split_part(of_reference, '/', 2);
begin
  return json_build_array(
    (select r.fhir_id from resource r left join resource_label l on l.patient_id = of_patient and l.seq = r.seq
     where r.patient_id = of_patient and r.resource_type = type_name and r.fhir_id < id
       and least(coalesce(l.published_labels, l.required_labels, -1) & withheld, 1) <> 1
     order by r.fhir_id desc limit 1),
    (select r.fhir_id from resource r left join resource_label l on l.patient_id = of_patient and l.seq = r.seq
     where r.patient_id = of_patient and r.resource_type = type_name and r.fhir_id > id
       and least(coalesce(l.published_labels, l.required_labels, -1) & withheld, 1) <> 1
     order by r.fhir_id limit 1));
end $$;
