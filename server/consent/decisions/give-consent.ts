import { forbidden, Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Tx } from '../../platform/db/db.ts';
import * as statements from './consent.sql.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import {
  resolveSnapshotId,
  writeDecision,
  type Decision,
  type DecisionDeps,
  type WrittenDecision,
} from './write-decision.ts';

export interface ConsentInput extends Pick<
  Decision,
  'patientId' | 'projectId' | 'expiresAt' | 'uiHash' | 'stats' | 'client'
> {
  scopes: DataScopes;
  clientName: string | null;
  language: string;
  representative: { name: string; authority: string } | null;
  screenshots: readonly statements.ScreenshotRow[];
  /** The version of the project that the page showed; null: the page did not say. */
  studySnapshotId: string | null;
}

/** A consent given on the consent page; enrolls the person. Refuses a test patient of another organization. */
export async function giveConsent(tx: Tx, deps: DecisionDeps, input: ConsentInput): Promise<WrittenDecision> {
  const patient =
    (await findEnrolledPatient(tx, input)) ?? (await enrollPatient(tx, input, deps.clock.now()));
  if (!patient) throw forbidden('This account cannot take part in this project.', 'not_eligible');
  if (input.studySnapshotId !== null && input.studySnapshotId !== resolveSnapshotId(input.projectId, patient))
    throw new Refusal(409, 'content_changed', {
      detail: 'The project tells something else now than the page did; load it anew.',
    });
  const decision = {
    ...input,
    consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' as const,
    consentStatus: 'OPTED_IN' as const,
    uiFlow: 'PATIENT_DIRECTED_DATA_EXCHANGE',
  };
  return writeDecision(tx, deps, { decision, patient });
}

const findEnrolledPatient = (
  tx: Tx,
  { patientId, projectId }: ConsentInput,
): Promise<statements.EnrolledPatientRow | null> =>
  maybeOne(tx, statements.lockEnrolledPatient(patientId, projectId));

async function enrollPatient(
  tx: Tx,
  input: ConsentInput,
  now: Date,
): Promise<statements.EnrolledPatientRow | null> {
  await tx.query(statements.enrollByConsent(input.patientId, input.projectId, now));
  return findEnrolledPatient(tx, input);
}
