import type { OrganizationId } from '../../../contract/brands.ts';
import type { FirstStepCode } from '../../../contract/organization/first-steps.ts';
import type { Permission } from '../../../contract/roles.ts';

/** Says whether an organization has taken one of its first steps; of several for one step any will do. */
export interface FirstStepCheck {
  code: FirstStepCode;
  /** What a caller must be permitted to take it. */
  permission: Permission;
  /** One statement, which ends at the first row. */
  isDone(organizationId: OrganizationId): Promise<boolean>;
}
