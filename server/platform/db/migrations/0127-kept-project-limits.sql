-- The projects that a member was limited to when they were last a researcher. A group at the identity provider that comes and
-- goes changes their role, and must not lift what an owner limited; null: they were not limited.
alter table member add column kept_project_ids uuid[];
