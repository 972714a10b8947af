import type {
  ConsentDataResourceScopes,
  ConsentDataSensitivityScopes,
} from '../../../contract/data-categories.ts';
import type { z } from 'zod';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { forbidden, Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne } from '../../platform/db/db.ts';
import { lockEnrolledPatient, lockConsent } from './consent.sql.ts';
import { toDataScopes, toWithheldMask } from '../access/sensitivity-labels.ts';
import type { Deps } from './record-decision.ts';
import { NARROWING_FLOW, writeDecision } from './write-decision.ts';

interface NarrowConsentInput {
  patientId: PatientId;
  projectId: ProjectId;
  resourceScopes: z.infer<typeof ConsentDataResourceScopes>;
  /** null: NORMAL alone. */
  sensitivityScopes: z.infer<typeof ConsentDataSensitivityScopes>;
  /** The hash of the built page. */
  uiHash: string;
}

const CONSENT_TYPE = 'PATIENT_DIRECTED_DATA_EXCHANGE' as const;

/**
 * Shares less from now on, until the end that was agreed. Grants go on: each reading asks what the decision in force
 * leaves out. Compared with the decision it takes the place of, in its transaction, so it never widens another.
 */
export function narrowConsent(deps: Deps, input: NarrowConsentInput): Promise<ConsentRecordId> {
  const { patientId, projectId, uiHash } = input;
  const scopes = toDataScopes(input.resourceScopes, input.sensitivityScopes ?? ['NORMAL']);
  return deps.db.tx(async (tx) => {
    const patient = await maybeOne(tx, lockEnrolledPatient(patientId, projectId));
    if (!patient) throw forbidden('The patient is not enrolled in this project.');
    const now = deps.clock.now();
    const current = await maybeOne(tx, lockConsent(patientId, projectId, CONSENT_TYPE));
    if (current?.consent_status !== 'OPTED_IN' || current.expires_at <= now)
      throw new Refusal(409, 'no_consent', { detail: 'Nothing is shared with this project now.' });
    if (
      !isNarrower(
        toWithheldMask(scopes),
        toWithheldMask(toDataScopes(current.resource_scopes, current.sensitivity_scopes)),
      )
    )
      throw new Refusal(400, 'not_narrower', {
        detail: 'Name fewer categories or classes than are shared now, and none besides them.',
      });
    const decision = {
      patientId,
      projectId,
      consentType: CONSENT_TYPE,
      consentStatus: 'OPTED_IN' as const,
      scopes,
      expiresAt: current.expires_at,
      uiFlow: NARROWING_FLOW,
      uiHash,
      stats: { sessionLength: 0, interactions: [] },
      client: 'direct',
    };
    return (await writeDecision(tx, deps, { decision, patient })).consentRecordId;
  });
}

/** All that was left out still is, and something more. */
const isNarrower = (withheld: number, before: number): boolean =>
  (withheld & before) === before && withheld !== before;
