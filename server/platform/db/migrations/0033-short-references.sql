-- Answers show a reference as its type and the first 8 characters of a UUID. False: no two resources of one type begin with
-- the same 8, so that nothing need be compared while an answer is made. Decided after each import; until then, compared.
alter table record_head add column has_alike_ids boolean not null default true;
