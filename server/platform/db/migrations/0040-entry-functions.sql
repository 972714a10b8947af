-- What most entries do not have (other sources' statements, ids alike, entries that stand in their place) is looked up in
-- functions: a statement starts every subquery it holds, run or not, and a summary of ten lists started 386 scans for the 20
-- it ran. `withheld` is the mask of what the consent leaves out; see server/clinical/queries.

-- Whether the consent covers an entry that needs one of these masks.
create function covers_any(needs integer[], withheld integer) returns boolean
language plpgsql immutable parallel safe as $$
begin
  for place in 1 .. coalesce(array_length(needs, 1), 0) loop
    if needs[place] & withheld = 0 then return true; end if;
  end loop;
  return false;
end $$;

-- The ids before and after that of `of_reference` ("Type/id") among the covered resources of its type, as a JSON array.
create function find_similar_ids(of_patient uuid, of_reference text, withheld integer) returns json
language plpgsql stable parallel safe as $$
declare
  type_name text := split_part(of_reference, '/', 1);
  id text := split_part(of_reference, '/', 2);
begin
  return json_build_array(
    (select r.fhir_id from resource r left join resource_label l on l.patient_id = of_patient and l.seq = r.seq
     where r.patient_id = of_patient and r.resource_type = type_name and r.fhir_id < id
       and least(coalesce(l.required_labels, -1) & withheld, 1) <> 1
     order by r.fhir_id desc limit 1),
    (select r.fhir_id from resource r left join resource_label l on l.patient_id = of_patient and l.seq = r.seq
     where r.patient_id = of_patient and r.resource_type = type_name and r.fhir_id > id
       and least(coalesce(l.required_labels, -1) & withheld, 1) <> 1
     order by r.fhir_id limit 1));
end $$;

-- The entries that `links` (column `matches`) name, as far as the consent covers them: the same fact in other sources, and
-- what contradicts it. Of visits and organizations that the consent leaves out nothing is told.
create function find_matched_entries(of_patient uuid, links jsonb, withheld integer, compare_ids boolean) returns json
language plpgsql stable parallel safe as $$
begin
  return (
    select json_agg(json_build_object('link', link.link, 'title', e.title, 'dayText', e.day_text, 'time', e.time,
      'status', e.status, 'current', e.current,
      'organization', case when e.visit_labels & withheld <> 0 then e.organization_without_visit else e.organization end,
      'reference', e.reference,
      'similarIds', case when compare_ids and length(split_part(e.reference, '/', 2)) = 36
        then find_similar_ids(of_patient, e.reference, withheld) end,
      'documentPath', e.document_path, 'kind', e.kind, 'detail', case link.link when 'differs' then e.detail end)
      order by e.reference, e.document_path, link.seq, link.ordinal)
    from jsonb_to_recordset(links) as link(seq bigint, ordinal integer, needs integer, link text, unless integer[])
    join clinical_entry e on e.patient_id = of_patient and e.seq = link.seq and e.ordinal = link.ordinal
    where least(e.required_labels & withheld, 1) <> 1 and least(link.needs & withheld, 1) <> 1
      and (link.link = 'same'
        or link.link = 'differs' and (e.superseded_by is null or not covers_any(e.superseded_by, withheld)))
      and not covers_any(link.unless, withheld));
end $$;
