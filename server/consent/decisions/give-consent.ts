import type { ConsentType } from '../../../contract/account/consent.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { DataScopes } from '../access/sensitivity-labels.ts';
import type { GrantTerms } from './consent.sql.ts';
import {
  decide,
  type Decision,
  type DecisionContext,
  type DecisionDeps,
  type DecisionTerms,
  type WrittenDecision,
} from './decide.ts';
import { findInForce } from './find-in-force.ts';
import { resolveAppTerms } from './resolve-app-terms.ts';
import { resolveSnapshotId } from './study-snapshot.ts';

export interface ConsentInput extends Pick<DecisionTerms, 'uiHash' | 'stats' | 'client'> {
  patientId: PatientId;
  projectId: ProjectId;
  scopes: DataScopes | null;
  expiresAt: Date | null;
  clientName: string | null;
  language: string;
  representative: { name: string; authority: string } | null;
  /** Takes the pictures of the screens over from the draft; called last, under the lock of the decision. */
  takeScreenshots(tx: Tx, context: DecisionContext): Promise<NonNullable<DecisionTerms['screenshots']>>;
  decisionKey: string | null;
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

/** A yes to what an app requests: `scopes` and `expiresAt` are what the app gets. */
export interface AppConsentInput extends Omit<ConsentInput, keyof GrantTerms>, GrantTerms {
  /** The consent in force that the page showed; null: none, undefined: it did not say. */
  replaces?: ConsentRecordId | null;
  /** Resolves once the app may have it, or rejects with why not; asked when the decision has its locks. */
  getAdmission(): Promise<void>;
  writeAlso: NonNullable<Decision['writeAlso']>;
}

/**
 * Records a consent to what an app requests, and enrolls the person. Refuses a decision that the page did not compare with
 * the consent in force (`consent_changed`): what was taken back in another tab would be shared anew.
 */
export const giveConsent = (tx: Tx, deps: DecisionDeps, input: AppConsentInput): Promise<WrittenDecision> =>
  decide(tx, deps, {
    patientId: input.patientId,
    projectId: input.projectId,
    consentType: CONSENT_TYPE,
    enrolls: true,
    writeAlso: input.writeAlso,
    async resolveTerms(context) {
      await input.getAdmission();
      requireSameContent(input, context);
      const current = findInForce(context.previous, context.now);
      if (input.replaces !== undefined && input.replaces !== (current?.consent_record_id ?? null))
        throw new Refusal(409, 'consent_changed', {
          detail: 'What is shared has changed since the page was loaded.',
        });
      const { scopes, expiresAt } = input;
      const terms = resolveAppTerms({ scopes, expiresAt }, context);
      const screenshots = await input.takeScreenshots(tx, context);
      const limits = { scopes, expiresAt };
      return { ...input, ...terms, limits, screenshots, consentStatus: 'OPTED_IN', uiFlow: CONSENT_TYPE };
    },
  });

/**
 * Records what a person decided on the consent page, asked by an organization. Refuses a test patient of another organization
 * (`not_eligible`), a decision about content that has changed since the page showed it (`content_changed`), and one that was
 * made already, here or in another tab (`already_decided`).
 */
export const decideOnPage = (tx: Tx, deps: DecisionDeps, input: PageDecision): Promise<WrittenDecision> =>
  decide(tx, deps, {
    patientId: input.patientId,
    projectId: input.projectId,
    consentType: input.consentType,
    enrolls: input.enrolls,
    async resolveTerms(context) {
      const { replaces } = input;
      if (replaces !== undefined && replaces !== (context.previous?.consent_record_id ?? null))
        throw new Refusal(409, 'already_decided', {
          detail: 'A newer decision was made than the page showed.',
        });
      requireSameContent(input, context);
      return { ...input, screenshots: await input.takeScreenshots(tx, context) };
    },
  });

function requireSameContent(
  { studySnapshotId, projectId }: Pick<ConsentInput, 'studySnapshotId' | 'projectId'>,
  { patient }: DecisionContext,
): void {
  if (studySnapshotId !== null && studySnapshotId !== resolveSnapshotId(projectId, patient))
    throw new Refusal(409, 'content_changed', {
      detail: "The project's content changed; reload the page.",
    });
}
