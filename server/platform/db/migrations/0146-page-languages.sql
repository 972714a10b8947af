-- The language of the page that the person used last while signed in: mails to them are in it. null: none was recorded, and the
-- language of their last decision or of their enrollment is taken.
alter table patient add column page_language text;

-- The language of the page on which the link was asked for, which is that of an account made with it.
alter table account_link add column language text;
