import type { OrganizationReach } from '../../../contract/audience.ts';
import type { FirstStepCode } from '../../../contract/organization/first-steps.ts';
import type { Permission } from '../../../contract/roles.ts';

/** Says whether an organization, or the projects that a caller is limited to, has taken one of its first steps; of several for one step any will do. */
export interface FirstStepCheck {
  code: FirstStepCode;
  /** What a caller must be permitted to take it. */
  permission: Permission;
  /** One statement, which ends at the first row: of what the caller may see. */
  isDone(reach: OrganizationReach): Promise<boolean>;
}
