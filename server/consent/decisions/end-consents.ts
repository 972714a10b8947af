import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { selectConsentsInForce } from './consent.sql.ts';
import { API_TERMS, decide, ENROLLMENT_ENDED_FLOW, type DecisionDeps } from './decide.ts';

interface Ended {
  caller: OrganizationCaller;
  patientId: PatientId;
  /** null: all of the patient's. */
  projectId: ProjectId | null;
}

/** Ends consents in force in the name of the organization, each by a record and an event, in the caller's transaction. */
export async function endConsents(
  tx: Tx,
  deps: DecisionDeps,
  { caller, patientId, projectId }: Ended,
): Promise<void> {
  const consents = await tx.query(selectConsentsInForce(patientId, deps.clock.now()));
  for (const { project_id: endedProjectId, consent_type: consentType } of consents)
    if (projectId === null || endedProjectId === projectId)
      await decide(tx, deps, {
        patientId,
        projectId: endedProjectId,
        consentType,
        resolveTerms: () => ({
          ...API_TERMS,
          uiFlow: ENROLLMENT_ENDED_FLOW,
          consentStatus: 'OPTED_OUT',
          scopes: null,
          expiresAt: null,
          endedBy: caller,
        }),
      });
}
