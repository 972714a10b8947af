import { sql } from '../../../platform/db/sql.ts';

export interface ClientRow {
  client_id: string;
  client_name: string | null;
  redirect_uris: string[];
  grant_types: string[] | null;
  scope: string;
  /** JSON; null: it says nothing. */
  about: string | null;
}

export const insertClient = (row: ClientRow, issuedAt: Date) => sql`
  insert into oauth_client (client_id, client_name, redirect_uris, grant_types, scope, about, issued_at)
  values (${row.client_id}, ${row.client_name}, ${row.redirect_uris}::text[], ${row.grant_types}::text[], ${row.scope},
    ${row.about}, ${issuedAt})`;

export const selectClient = (clientId: string) => sql<ClientRow>`
  select client_id, client_name, redirect_uris, grant_types, scope, about from oauth_client where client_id = ${clientId}`;

/** Marks a registered client used at an authorization request, which keeps it from deletion. */
export const markClientUsed = (clientId: string, now: Date) => sql`
  update oauth_client set last_used_at = ${now} where client_id = ${clientId}`;

/** Some clients register at every connection: 46 of 58 rows of another server were never used. */
export const deleteUnusedClients = (issuedBefore: Date) => sql`
  delete from oauth_client where last_used_at is null and issued_at < ${issuedBefore}`;
