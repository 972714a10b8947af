import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { endEnrollments as contract } from '../../../contract/organization/end-enrollments.ts';
import {
  countEnrollments,
  selectEnrollmentKeys,
  selectFoundEnrollment,
} from '../../identity/patients/patient-list.sql.ts';
import { maybeOne, one, type Queryable } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { endIfEnrolled, type EndDeps } from './end-enrollment.ts';

/** Each is a transaction of its own; the caller repeats the call. */
const BATCH_SIZE = 50;

/**
 * Ends some of the enrollments of a filter, as each is ended alone. Who was not counted is not ended: where more are found than
 * the caller expects, nothing is, and who has come to another state meanwhile is left.
 */
export async function endEnrollments(
  deps: EndDeps,
  caller: OrganizationCaller,
  { dryRun, expected = 0, ...filter }: z.infer<(typeof contract)['body']>,
): Promise<z.input<(typeof contract)['response']>> {
  const { db, clock } = deps;
  const now = clock.now();
  const counts = await one(db, countEnrollments(caller, filter, now));
  if (dryRun) return { ...counts, ended: 0, remaining: counts.matched };
  if (counts.matched > expected)
    throw new Refusal(409, 'more_matched', { detail: 'The filter finds more people than were counted.' });
  const { organizationId } = caller;
  const keys = await db.query(selectEnrollmentKeys(caller, filter, { now, limit: BATCH_SIZE }));
  let ended = 0;
  for (const { patient_id: patientId, project_id: projectId } of keys) {
    const again = selectFoundEnrollment(caller, { ...filter, patientId, projectId }, now);
    const isMeant = async (tx: Queryable) => (await maybeOne(tx, again)) !== null;
    if (await endIfEnrolled(deps, { caller, organizationId, patientId, projectId }, isMeant)) ended++;
  }
  return { ...counts, ended, remaining: counts.matched - keys.length };
}
