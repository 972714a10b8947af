-- The concepts of a passage, each in its role (server/clinical/concepts/annotate.ts): in the row that has `required_labels`, so
-- that what a consent leaves out is left out of a search by concepts too. `chartgate reindex` fills them in for records from
-- before. One index for words and concepts: each index of its own would list every passage of a patient once more.
alter table passage add column concepts integer[] not null default '{}';
drop index passage_terms;
create index passage_terms on passage using gin (patient_id, terms, concepts) with (fastupdate = off);
