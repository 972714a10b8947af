import type { FirstStepCheck } from '../platform/attention/first-steps.ts';
import type { Db } from '../platform/db/db.ts';
import { findTwoOwners } from './members/members.sql.ts';
import { hasWords } from './organizations/projects.sql.ts';
import { hasEnrollment } from './patients/enrolled-patients.sql.ts';

/** Creates the checks of what an organization does with its projects, its patients and its members. */
export const createIdentityFirstSteps = (db: Db): FirstStepCheck[] => [
  {
    code: 'words_written',
    permission: 'projects.write',
    isDone: async ({ organizationId }) => (await db.query(hasWords(organizationId))).length > 0,
  },
  {
    code: 'patient_enrolled',
    permission: 'patients.enroll',
    isDone: async (reach) => (await db.query(hasEnrollment(reach))).length > 0,
  },
  {
    code: 'second_owner',
    permission: 'members.manage',
    isDone: async ({ organizationId }) => (await db.query(findTwoOwners(organizationId))).length === 2,
  },
];
