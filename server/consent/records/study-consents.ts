import type { ConsentType } from '../../../contract/account/consent.ts';
import type { AskReason } from '../../../contract/account/enrollments.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { ProjectContent } from '../../../contract/organization/projects.ts';
import {
  parseVersion,
  resolveConsentContent,
  type VersionJson,
} from '../../identity/organizations/version-content.ts';
import type { Queryable } from '../../platform/db/db.ts';
import { ENROLLMENT_ENDED_FLOW } from '../decisions/decide.ts';
import { isSameContent } from './previous-consent.ts';
import { selectNewestDecisions, type NewestDecisionRow } from './study-consents.sql.ts';

/** A consent that a project asks for, and how the patient stands. */
export interface StudyConsent {
  consentType: ConsentType;
  content: ProjectContent | null;
  /** The newest decision; null: none was made. */
  decision: NewestDecisionRow | null;
  /** Why the patient is asked now; null: they are not. */
  asked: AskReason | null;
}

interface StudyQuery {
  patientId: PatientId;
  projectId: ProjectId;
  /** The current version of the project. */
  version: VersionJson;
  now: Date;
}

/** Lists what a project asks a patient for, in its order, with how they stand. */
export async function listStudyConsents(
  on: Queryable,
  { patientId, projectId, version, now }: StudyQuery,
): Promise<StudyConsent[]> {
  const rows = await on.query(selectNewestDecisions(patientId, projectId, now));
  return parseVersion(version).consentTypes.map(({ type }) => {
    const decision = rows.find((row) => row.consent_type === type) ?? null;
    const content = resolveConsentContent(version, type);
    return { consentType: type, content, decision, asked: findAskReason({ decision, content, now }) };
  });
}

const DAY_MS = 24 * 3600 * 1000;

/** How long before its end a consent is asked for again. */
export const ASK_AGAIN_MS = 14 * DAY_MS;

/** A consent for a month or less ends as the person chose: nobody is asked again in the middle of it. */
export const MIN_ASKED_TERM_MS = 31 * DAY_MS;

/** The person did not say no: the organization ended the enrollment, and has enrolled them again. */
export const wasEndedWithEnrollment = (decision: NewestDecisionRow): boolean =>
  decision.consent_ui_flow === ENROLLMENT_ENDED_FLOW;

/** A person who said no, or took a consent back, is asked no more; they may still change their mind. */
function findAskReason({
  decision,
  content,
  now,
}: Pick<StudyConsent, 'decision' | 'content'> & { now: Date }): AskReason | null {
  if (decision === null || wasEndedWithEnrollment(decision)) return 'new';
  if (decision.consent_status === 'OPTED_OUT') return null;
  if (decision.is_over) return 'expired';
  const version = decision.version === null ? null : (JSON.parse(decision.version) as VersionJson);
  const contentThen = version && resolveConsentContent(version, decision.consent_type);
  if (!isSameContent(contentThen, content)) return 'words_changed';
  const { expires_at: expiresAt, decided_at: decidedAt } = decision;
  const term = expiresAt.getTime() - decidedAt.getTime();
  return term > MIN_ASKED_TERM_MS && expiresAt.getTime() - now.getTime() < ASK_AGAIN_MS
    ? 'expires_soon'
    : null;
}
