import { asLookUp, sql } from '../../../platform/db/sql.ts';

export interface ClientRow {
  client_id: string;
  client_name: string | null;
  redirect_uris: string[];
  grant_types: string[] | null;
  scope: string;
  /** JSON; null: it says nothing. */
  about: string | null;
}

/**
 * Registers a client; returns no row when every organization refuses registrations. Which of them it will ask is not known
 * before it asks.
 */
export const insertClient = (row: ClientRow, issuedAt: Date) => sql<{ client_id: string }>`
  insert into oauth_client (client_id, client_name, redirect_uris, grant_types, scope, about, issued_at)
  select ${row.client_id}::uuid, ${row.client_name}, ${row.redirect_uris}::text[], ${row.grant_types}::text[], ${row.scope},
    ${row.about}, ${issuedAt}::timestamptz
  where not exists (select from organization)
    or exists (select from organization where not no_new_registrations)
  returning client_id`;

export const selectClient = (clientId: string) =>
  asLookUp(sql<ClientRow>`
  select client_id, client_name, redirect_uris, grant_types, scope, about from oauth_client where client_id = ${clientId}`);

/** Marks a registered client used at an authorization request, which keeps it from deletion. */
export const markClientUsed = (clientId: string, now: Date) => sql`
  update oauth_client set last_used_at = ${now} where client_id = ${clientId}`;

/**
 * Deletes clients that were never used: those issued before a time, and of those before a later one all but the newest. Some clients
 * register at every connection: 46 of 58 rows of another server were never used.
 */
export const deleteUnusedClients = ({
  issuedBefore,
  crowdedBefore,
  maxUnused,
}: {
  issuedBefore: Date;
  crowdedBefore: Date;
  maxUnused: number;
}) => sql`
  delete from oauth_client where last_used_at is null and (issued_at < ${issuedBefore}
    or client_id in (
      select client_id from oauth_client where last_used_at is null and issued_at < ${crowdedBefore}
      order by issued_at desc, client_id offset ${maxUnused}))`;
