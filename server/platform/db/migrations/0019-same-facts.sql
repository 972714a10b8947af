-- One fact from several sources is stored as often as it was told and shown once. Filled as entries are written; rows from
-- before this are compared by their title and code alone, and their sources told apart by document, until
-- `chartgate reindex` has looked at them.

-- Who tells it: a server, or one document of one upload.
alter table clinical_entry add column told_by uuid;
-- What else names it besides title and code: identifiers, other codings, the digest of a note. null: nothing.
alter table clinical_entry add column names text[];
-- Where else the record tells it: `[{seq, ordinal, needs, link, unless}]`, link "same" (shown with this one), "differs"
-- (contradicts this one) or "better" (shown in place of this one). null: nowhere.
alter table clinical_entry add column told_elsewhere jsonb;
