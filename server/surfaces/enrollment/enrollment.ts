import type {
  Enrollment,
  EnrollmentConsent,
  listEnrollmentRequests,
} from '../../../contract/account/enrollments.ts';
import type { z } from 'zod';
import type { PatientSession } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Contact, ProjectContent } from '../../../contract/organization/projects.ts';
import type { ConsentTitles } from '../../../contract/account/consent.ts';
import { findDraft } from '../../consent/decisions/draft.ts';
import { resolveSnapshotId } from '../../consent/decisions/study-snapshot.ts';
import { findPreviousConsent } from '../../consent/records/previous-consent.ts';
import { findReadingConsents } from '../../consent/records/reading-consents.ts';
import {
  listStudyConsents,
  wasEndedWithEnrollment,
  type StudyConsent,
} from '../../consent/records/study-consents.ts';
import { adoptEnrollment } from '../../identity/patients/adopt-enrollment.ts';
import { markOpened } from '../../identity/patients/progress.sql.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { toBrand } from '../../identity/organizations/brand.ts';
import { parseVersion } from '../../identity/organizations/version-content.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound } from '../../platform/kernel/refusal.ts';
import { getDraftKey } from './enrollment-draft.ts';
import { selectAskingProjects, selectInvitingProject, type InvitingProjectRow } from './enrollment.sql.ts';

export interface EnrollmentDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  /** The hash of the built page. */
  uiHash: string;
}

/** Returns the project of an invitation, and whether the person takes part in it; throws 404 when there is none. */
export async function requireInvitingProject(
  { db }: Pick<EnrollmentDeps, 'db'>,
  projectId: ProjectId,
  session: PatientSession | null,
): Promise<InvitingProjectRow> {
  const project = await maybeOne(db, selectInvitingProject(projectId, session?.patientId ?? null));
  if (!project) throw notFound('The project');
  return project;
}

/** Likewise when somebody comes to the invitation, who may be meant by it without being enrolled yet. */
export async function openInvitation(
  deps: EnrollmentDeps,
  projectId: ProjectId,
  session: PatientSession | null,
): Promise<InvitingProjectRow> {
  const project = await requireInvitingProject(deps, projectId, session);
  if (session === null || project.enrolled) return project;
  const { organization_id: organizationId } = project;
  const isAdopted = await adoptEnrollment(deps, session, { projectId, organizationId });
  return isAdopted ? requireInvitingProject(deps, projectId, session) : project;
}

export const getSnapshotId = (project: InvitingProjectRow): string =>
  resolveSnapshotId(project.project_id, {
    study_snapshot_id: project.study_snapshot_id,
    project_name: project.name,
    project_purpose: project.purpose,
  });

interface View {
  project: InvitingProjectRow;
  session: PatientSession | null;
  /** The secret cookie of the browser. */
  browser: string;
  /** Our base URL, under the name that the browser called. */
  baseUrl: string;
}

/** Builds what an invitation shows. Who is not invited learns which organization invites, and nothing of its project. */
export async function buildEnrollment(
  deps: EnrollmentDeps,
  { project, session, browser, baseUrl }: View,
): Promise<Enrollment> {
  const { organization_contact: contact, project_id: projectId } = project;
  const invited = session !== null && project.enrolled ? session.patientId : null;
  if (invited !== null && project.is_unopened)
    await deps.db.query(markOpened(invited, projectId, deps.clock.now()));
  return {
    organization: {
      name: project.organization_name,
      brand: toBrand(project),
      contact: contact === null ? null : (JSON.parse(contact) as Contact),
    },
    person: session?.person ?? null,
    enrolled: invited !== null,
    project:
      invited === null
        ? null
        : {
            id: projectId,
            name: project.name,
            purpose: project.purpose,
            studySnapshotId: getSnapshotId(project),
          },
    consents: invited === null ? [] : await listConsents(deps, project, { patientId: invited, browser }),
    reading: await findReadingConsents(deps.db, {
      patientId: invited,
      organizationId: project.organization_id,
      now: deps.clock.now(),
    }),
    mcpUrl: invited === null ? null : `${baseUrl}/projects/${projectId}/mcp`,
  };
}

async function listConsents(
  deps: EnrollmentDeps,
  project: InvitingProjectRow,
  { patientId, browser }: { patientId: PatientId; browser: string },
): Promise<EnrollmentConsent[]> {
  const { project_id: projectId } = project;
  const now = deps.clock.now();
  const consents = await listStudyConsents(deps.db, { patientId, projectId, version: project, now });
  return Promise.all(
    consents.map(async (consent) => ({
      ...toConsentDto(consent),
      draft: await findDraft(
        deps,
        getDraftKey({ patientId }, { projectId, consentType: consent.consentType }, browser),
      ),
      previous:
        consent.decision &&
        (await findPreviousConsent(deps, {
          patientId,
          projectId,
          clientId: null,
          consentType: consent.consentType,
          studySnapshotId: getSnapshotId(project),
          content: consent.content,
          now,
        })),
    })),
  );
}

const toConsentDto = ({
  consentType,
  content,
  decision,
  asked,
}: StudyConsent): Omit<EnrollmentConsent, 'previous' | 'draft'> => ({
  consentType,
  content,
  status: toStatus(decision),
  decision: decision && {
    consentRecordId: decision.consent_record_id,
    decidedAt: decision.decided_at.toISOString(),
    expiresAt: decision.expires_at.toISOString(),
  },
  asked,
});

function toStatus(decision: StudyConsent['decision']): EnrollmentConsent['status'] {
  if (decision === null) return 'undecided';
  if (wasEndedWithEnrollment(decision)) return 'expired';
  if (decision.consent_status === 'OPTED_OUT') return decision.replaces_consent ? 'withdrawn' : 'refused';
  return decision.is_over ? 'expired' : 'active';
}

type Requests = z.input<(typeof listEnrollmentRequests)['response']>;

/** Lists the projects that ask a person for a decision now, and all whose page they can decide on again. */
export async function listRequests(
  { db, clock }: Pick<EnrollmentDeps, 'db' | 'clock'>,
  patientId: PatientId,
): Promise<Requests> {
  const now = clock.now();
  const projects = await db.query(selectAskingProjects(patientId));
  const asking = await Promise.all(
    projects.map(async (project) => {
      const { project_id: projectId } = project;
      const consents = await listStudyConsents(db, { patientId, projectId, version: project, now });
      const { content } = parseVersion(project);
      return {
        studyId: projectId,
        organizationId: project.organization_id,
        organization: { name: project.organization_name },
        project: { name: project.name, titles: toTitles(content ?? consents[0]?.content ?? null) },
        consentTypes: consents.map(({ consentType }) => consentType),
        content,
        asked: consents.flatMap(({ consentType, asked }) =>
          asked === null ? [] : [{ consentType, reason: asked }],
        ),
      };
    }),
  );
  const enrollments = asking
    .filter(({ asked }) => asked.length > 0)
    .map(async ({ studyId, organizationId, organization, content, asked }) => ({
      studyId,
      organization,
      content,
      asked,
      reading: await findReadingConsents(db, { patientId, organizationId, now }),
    }));
  return {
    enrollments: await Promise.all(enrollments),
    invitations: asking.map(({ studyId, organization, project, consentTypes }) => ({
      studyId,
      organization,
      project,
      consentTypes,
    })),
  };
}

const toTitles = (content: ProjectContent | null): ConsentTitles => ({
  en: content?.en?.title ?? null,
  es: content?.es?.title ?? null,
});
