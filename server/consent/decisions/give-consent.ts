import type { ConsentType } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import type { ScreenshotRow } from './consent.sql.ts';
import { decide, type DecisionDeps, type DecisionTerms, type WrittenDecision } from './decide.ts';
import { resolveSnapshotId } from './study-snapshot.ts';

export interface ConsentInput extends Pick<DecisionTerms, 'uiHash' | 'stats' | 'client'> {
  patientId: PatientId;
  projectId: ProjectId;
  scopes: DataScopes | null;
  expiresAt: Date | null;
  clientName: string | null;
  language: string;
  representative: { name: string; authority: string } | null;
  screenshots: readonly ScreenshotRow[];
  /** The version of the project that the page showed; null: the page did not say. */
  studySnapshotId: string | null;
}

/** A decision that is made on the consent page. */
export interface PageDecision extends ConsentInput, Pick<DecisionTerms, 'consentStatus' | 'uiFlow'> {
  consentType: ConsentType;
  /** The decision that the page showed as the newest; null: none was made before, undefined: it did not say. */
  replaces?: ConsentRecordId | null;
  /** Enrolls the person if they are not. */
  enrolls: boolean;
}

const CONSENT_TYPE = 'PATIENT_DIRECTED_DATA_EXCHANGE';

/** Records a consent to what an app requests, and enrolls the person. */
export const giveConsent = (tx: Tx, deps: DecisionDeps, input: ConsentInput): Promise<WrittenDecision> =>
  decideOnPage(tx, deps, {
    ...input,
    consentType: CONSENT_TYPE,
    consentStatus: 'OPTED_IN',
    uiFlow: CONSENT_TYPE,
    enrolls: true,
  });

/**
 * Records what a person decided on the consent page. Refuses a test patient of another organization (`not_eligible`), a
 * decision about content that has changed since the page showed it (`content_changed`), and one that was made already, here
 * or in another tab (`already_decided`).
 */
export const decideOnPage = (tx: Tx, deps: DecisionDeps, input: PageDecision): Promise<WrittenDecision> =>
  decide(tx, deps, {
    patientId: input.patientId,
    projectId: input.projectId,
    consentType: input.consentType,
    enrolls: input.enrolls,
    resolveTerms({ patient, previous }) {
      const { studySnapshotId, projectId, replaces } = input;
      if (replaces !== undefined && replaces !== (previous?.consent_record_id ?? null))
        throw new Refusal(409, 'already_decided', {
          detail: 'A newer decision was made than the page showed.',
        });
      if (studySnapshotId !== null && studySnapshotId !== resolveSnapshotId(projectId, patient))
        throw new Refusal(409, 'content_changed', {
          detail: "The project's content changed; reload the page.",
        });
      return input;
    },
  });
