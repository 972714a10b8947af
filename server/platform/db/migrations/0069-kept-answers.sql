-- Counts the transactions that changed what answers are made of; each of them locks the record by counting.
alter table record_head add column version bigint not null default 0;

-- Answers of tools without arguments, as they were made of one version of a record for one mask of what a consent withholds,
-- on one day, by one build of the service. Read behind the gate, in its statement. What can be made again: unlogged, so that
-- it costs no write-ahead log and stands in no backup.
create unlogged table kept_answer (
  patient_id uuid not null,
  withheld integer not null,
  tool text not null,
  version bigint not null,
  day date not null,
  build text not null,
  text text not null,
  -- For the audit entry.
  disclosure json not null,
  primary key (patient_id, withheld, tool)
);
create index kept_answer_expired on kept_answer (day);
