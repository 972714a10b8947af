import { raw, type Sql } from '../../platform/db/sql.ts';

/**
 * The titles that a person read who made the decision `r` (a row of `consent_record`), as JSON {en, es}: those of its type of
 * consent, or else of the project, in the version that the record names; in the newest where it names none that is stored, as
 * one that was made before the project had words. What `resolveConsentContent` does, without the words: a list has many rows.
 */
export const CONSENT_TITLES: Sql = raw(`(
  select json_build_object('en', words.content -> 'en' ->> 'title', 'es', words.content -> 'es' ->> 'title')
  from (select 1) always
  left join lateral (
    select coalesce((
        select own -> 'content' from json_array_elements(w.consent_types) own
        where own ->> 'type' = r.consent_type and json_typeof(own -> 'content') = 'object'), w.content) as content
    from project_version w where w.project_id = r.project_id
    order by w.study_snapshot_id::text = r.study_snapshot_id desc, w.version desc limit 1) words on true)`);
