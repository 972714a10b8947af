import type { PatientSession } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';

/** True when the person may decide on requests to an organization: a test patient belongs to one. */
export const isEligible = ({ testOrganizationId }: PatientSession, organizationId: OrganizationId): boolean =>
  testOrganizationId === null || testOrganizationId === organizationId;
