import type { OrganizationId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export interface MarkRow {
  organization_id: OrganizationId;
  hash: string;
  png: Buffer;
}

export const upsertMark = (row: MarkRow) => sql`
  insert into organization_mark (organization_id, hash, png) values (${row.organization_id}, ${row.hash}, ${row.png})
  on conflict (organization_id) do update set hash = excluded.hash, png = excluded.png`;

export const deleteMark = (organizationId: OrganizationId) => sql`
  delete from organization_mark where organization_id = ${organizationId}`;

/** Selects a picture by its hash; two organizations may have the same. */
export const findMark = (hash: string) => sql<Pick<MarkRow, 'png'>>`
  select png from organization_mark where hash = ${hash} limit 1`;
