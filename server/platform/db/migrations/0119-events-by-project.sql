-- Events and deliveries are looked for by a project of which there may be few among millions: whoever is limited to it sees no others.
create index concurrently if not exists webhook_event_project on webhook_event (organization_id, project_id, event_id);
