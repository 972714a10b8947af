-- What a client says about itself besides its name: {clientUri, policyUri, tosUri, contacts}. null: nothing.
alter table oauth_client add column about json;
-- As it was when the request began.
alter table oauth_request add column client_about json;
