-- Of every project of the organization, also of those that come; a project may ask for it alone (project.only_vouched_apps).
alter table organization add column only_vouched_apps boolean not null default false;
