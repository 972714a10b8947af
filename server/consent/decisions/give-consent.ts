import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import { decide, type DecisionDeps, type DecisionTerms, type WrittenDecision } from './decide.ts';
import { resolveSnapshotId } from './study-snapshot.ts';

export interface ConsentInput extends Pick<DecisionTerms, 'expiresAt' | 'uiHash' | 'stats' | 'client'> {
  patientId: PatientId;
  projectId: ProjectId;
  scopes: DataScopes;
  clientName: string | null;
  language: string;
  representative: { name: string; authority: string } | null;
  screenshots: readonly ScreenshotRow[];
  /** The version of the project that the page showed; null: the page did not say. */
  studySnapshotId: string | null;
}

const CONSENT_TYPE = 'PATIENT_DIRECTED_DATA_EXCHANGE';

/**
 * Records a consent given on the consent page and enrolls the person. Refuses a test patient of another organization
 * (`not_eligible`), and a consent to content that has changed since the page showed it (`content_changed`).
 */
export const giveConsent = (tx: Tx, deps: DecisionDeps, input: ConsentInput): Promise<WrittenDecision> =>
  decide(tx, deps, {
    patientId: input.patientId,
    projectId: input.projectId,
    consentType: CONSENT_TYPE,
    enrolls: true,
    resolveTerms({ patient }) {
      const { studySnapshotId, projectId } = input;
      if (studySnapshotId !== null && studySnapshotId !== resolveSnapshotId(projectId, patient))
        throw new Refusal(409, 'content_changed', {
          detail: "The project's content changed; reload the page.",
        });
      return { ...input, consentStatus: 'OPTED_IN', uiFlow: CONSENT_TYPE };
    },
  });
