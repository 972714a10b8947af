-- What people call their files is no part of the record: nothing classifies it, and no consent covers it. Programs that do not get
-- all of a record are given names made of the path and of this secret, which tell its documents apart and nothing else. null: the
-- record was there before, and is given one when it is read anew; until then its documents have one name.
alter table record_head add column document_key uuid;
alter table record_head alter column document_key set default gen_random_uuid();

create function name_document(document_key uuid, document_path text) returns text
language sql stable parallel safe as $$
  select coalesce('document ' || left(encode(sha256(convert_to(document_key::text || document_path, 'UTF8')), 'hex'), 6), 'document')
$$;

-- As before, with such names.
create or replace function find_matched_entries(of_patient uuid, links jsonb, withheld integer, compare_ids boolean) returns json
language plpgsql stable parallel safe as $$
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
      and (link.link = 'same'
        or link.link = 'differs' and (e.superseded_by is null or not covers_any(e.superseded_by, withheld)))
      and not covers_any(link.unless, withheld));
end $$;
