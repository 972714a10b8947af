-- Apps that the organization does not know yet are not let in: the first request of a client is refused, and registration too
-- where every organization of the service says so.
alter table organization add column no_new_registrations boolean not null default false;
