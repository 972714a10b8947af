-- The projects that a telephone number was written in, which callers who are limited to projects see it by. Empty: of none that the
-- person still takes part in. Null: from before, or by a node of the version before, so that nobody knows in which; those who are
-- limited see it where the person has taken part in no other project of the organization.
alter table patient_phone add column project_ids uuid[];
