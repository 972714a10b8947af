import type { PatientId, ProjectId } from '../../contract/ids.ts';
import { forbidden } from '../kernel/refusal.ts';
import { maybeOne, type Tx } from '../storage/db.ts';
import * as statements from './consent.sql.ts';
import { writeDecision, type DecisionDeps, type WrittenDecision } from './write-decision.ts';

export interface GivenConsent {
  patientId: PatientId;
  projectId: ProjectId;
  /** null: the longest there is. */
  expiresAt: Date | null;
  uiHash: string;
  stats: { sessionLength: number; interactions: unknown[] };
  client: string;
}

/** A consent given on the consent page; enrolls the person. Refuses a test patient of another organization. */
export async function giveConsent(tx: Tx, deps: DecisionDeps, given: GivenConsent): Promise<WrittenDecision> {
  const patient = (await enrolled(tx, given)) ?? (await enrolledNow(tx, given, deps.clock.now()));
  if (!patient) throw forbidden('This account cannot take part in this project.', 'not_eligible');
  const decision = {
    ...given,
    consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' as const,
    consentStatus: 'OPTED_IN' as const,
    uiFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
  };
  return writeDecision(tx, deps, { decision, patient });
}

const enrolled = (
  tx: Tx,
  { patientId, projectId }: GivenConsent,
): Promise<statements.EnrolledPatientRow | null> =>
  maybeOne(tx, statements.enrolledPatient(patientId, projectId));

async function enrolledNow(
  tx: Tx,
  given: GivenConsent,
  now: Date,
): Promise<statements.EnrolledPatientRow | null> {
  await tx.query(statements.enrollByConsent(given.patientId, given.projectId, now));
  return enrolled(tx, given);
}
