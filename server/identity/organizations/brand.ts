import type { Brand } from '../../../contract/organization/brand.ts';
import { deriveBrandColors } from '../../../contract/organization/brand-colors.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import type { ProjectId } from '../../../contract/brands.ts';
import { findOrganizationOfProject, type BrandRow } from './organizations.sql.ts';

/** Returns how patients recognize an organization; null where it has chosen nothing. */
export const toBrand = ({ accent_color: color, mark_hash: mark }: BrandRow): Brand | null =>
  color === null && mark === null ? null : { mark, colors: color === null ? null : deriveBrandColors(color) };

/** Returns the organization of a project as its patients recognize it. */
export async function findBrandOfProject(
  on: Queryable,
  projectId: ProjectId,
): Promise<{ name: string; brand: Brand | null } | null> {
  const row = await maybeOne(on, findOrganizationOfProject(projectId));
  return row && { name: row.display_name ?? row.name, brand: toBrand(row) };
}
