-- How an organization presents itself to people: the name and contact they read, a name for the subjects of mails, and the
-- languages it writes in, the first of which is its own. Null: the name alone.
alter table organization add column display_name text;
alter table organization add column contact json;
alter table organization add column public_name text;
alter table organization add column languages text[];

-- A version also says which consents the project asks for, each with its own words: [{"type", "content"}]. A project may ask
-- for consents without having words besides.
alter table project_version add column consent_types json;
alter table project_version alter column content drop not null;

-- The project whose invitation a mailed link goes on with.
alter table account_link add column project_id uuid;

-- Whether the person was asked, by mail, to decide again, since the decision in force was made.
alter table consent add column asked_again boolean not null default false;
create index consent_to_ask_again on consent (expires_at) where consent_status = 'OPTED_IN' and not asked_again;
