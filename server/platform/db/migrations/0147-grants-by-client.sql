-- The apps of a client are looked up by its id, which may be an address that is longer than an index takes.
create index concurrently if not exists oauth_grant_of_client on oauth_grant (organization_id, md5(client_id));
