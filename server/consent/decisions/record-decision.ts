import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { forbidden, invalidInput } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../platform/db/db.ts';
import * as statements from './consent.sql.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import { getMaxExpiry, writeDecision, type DecisionDeps } from './write-decision.ts';

export interface ApiDecision {
  patientId: PatientId;
  projectId: ProjectId;
  consentType: ConsentType;
  consentStatus: ConsentStatus;
  scopes: DataScopes;
  expiresAt: Date | null;
}

export interface Deps extends DecisionDeps {
  db: Db;
}

/** A decision that was made without a page. */
const API_DECISION = {
  uiFlow: 'API',
  uiHash: 'none',
  stats: { sessionLength: 0, interactions: [] },
  client: 'direct',
};

/** A test patient's decision. Refused when the patient is a real person, whose consent needs the page's evidence. */
export async function recordTestPatientDecision(deps: Deps, decision: ApiDecision): Promise<ConsentRecordId> {
  const maxExpiresAt = getMaxExpiry(deps.clock.now());
  if (decision.expiresAt !== null && decision.expiresAt > maxExpiresAt) {
    throw invalidInput([{ path: 'expirationTimestamp', message: 'must be at most one year ahead' }]);
  }
  return deps.db.tx(async (tx) => {
    const patient = await requireEnrolledPatient(tx, decision);
    if (!patient.is_test_patient)
      throw forbidden('Only test patients consent by API; a person consents on the consent page.');
    const scopes = decision.consentStatus === 'OPTED_OUT' ? null : decision.scopes;
    const input = { decision: { ...API_DECISION, ...decision, scopes }, patient };
    return (await writeDecision(tx, deps, input)).consentRecordId;
  });
}

/** Anybody's withdrawal: taking back needs no page. */
export function withdraw(
  deps: Deps,
  target: Pick<ApiDecision, 'patientId' | 'projectId' | 'consentType'>,
): Promise<ConsentRecordId> {
  return deps.db.tx(async (tx) => {
    const patient = await requireEnrolledPatient(tx, target);
    const decision = {
      ...API_DECISION,
      ...target,
      consentStatus: 'OPTED_OUT' as const,
      scopes: null,
      expiresAt: null,
    };
    return (await writeDecision(tx, deps, { decision, patient })).consentRecordId;
  });
}

async function requireEnrolledPatient(
  tx: Tx,
  { patientId, projectId }: { patientId: PatientId; projectId: ProjectId },
): Promise<statements.EnrolledPatientRow> {
  const patient = await maybeOne(tx, statements.lockEnrolledPatient(patientId, projectId));
  if (!patient) throw forbidden('The patient is not enrolled in this project.');
  return patient;
}
