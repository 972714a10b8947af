import type { Interaction, PreviousConsent } from '../../../../contract/oauth/interaction.ts';
import type { AuthorizationRequestId } from '../../../../contract/brands.ts';
import type { Contact, ProjectContent } from '../../../../contract/organization/projects.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import { findDraft } from '../../../consent/decisions/draft.ts';
import { getMaxExpiry } from '../../../consent/decisions/consent-duration.ts';
import { resolveSnapshotId } from '../../../consent/decisions/study-snapshot.ts';
import { toBrand } from '../../../identity/organizations/brand.ts';
import { resolveConsentContent } from '../../../identity/organizations/version-content.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { forbidden, notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { toDataScopes } from '../../../consent/access/sensitivity-labels.ts';
import { verifySecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import type { SourceProgress } from './prepare-records.ts';
import { readClientAbout } from '../clients/client-about.ts';
import { noteApp, toAppRow } from '../apps/apps.sql.ts';
import { findStanding, type AppStanding } from '../apps/require-allowed-app.ts';
import { identifyRequestingApp } from './requesting-app.ts';
import { findImitatedName, findNameInScheme } from '../clients/look-alike.ts';
import { describeRedirectUri } from '../clients/redirect-uri.ts';
import { findPreviousConsent } from '../../../consent/records/previous-consent.ts';
import { findReadingConsents } from '../../../consent/records/reading-consents.ts';
import { findShortFormTerms } from '../../../consent/records/short-form.ts';
import { isEligible } from './eligibility.ts';
import { getDraftKey } from './interaction-draft.ts';
import { toAskingClient } from './short-form.ts';
import {
  selectRequestById,
  selectInteractionProject,
  type RequestRow,
  type InteractionProjectRow,
} from './requests.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  /** The hash of the built page. */
  uiHash: string;
}

/** Returns the request that this browser began; refuses those of other browsers and expired ones. */
export async function requireRequest(
  { db, clock }: Deps,
  requestId: AuthorizationRequestId,
  browser: string,
): Promise<RequestRow> {
  const request = await maybeOne(db, selectRequestById(requestId));
  if (!request) throw notFound('The request');
  if (!verifySecret(browser, request.browser_hash)) {
    throw forbidden('Another browser began this request; continue there.', 'other_browser');
  }
  if (request.expires_at <= clock.now() && request.status !== 'closed') {
    throw new Refusal(410, 'request_expired', { detail: 'The request has expired; start again in the app.' });
  }
  return request;
}

/** Builds all that the page shows; none of it comes from the page's own URL. */
export async function buildInteraction(
  deps: Deps,
  request: RequestRow,
  session: PatientSession | null,
): Promise<Interaction> {
  const { project_id: projectId, client_id: clientId, client_host: verifiedHost } = request;
  const project = await one(
    deps.db,
    selectInteractionProject(projectId, verifiedHost === null ? clientId : null),
  );
  const studySnapshotId = resolveSnapshotId(projectId, {
    study_snapshot_id: project.study_snapshot_id,
    project_name: project.name,
    project_purpose: project.purpose,
  });
  const now = deps.clock.now();
  const standing = await findAppStanding(deps, request, session);
  const content = resolveConsentContent(project, CONSENT_TYPE);
  const query = { projectId, clientId, consentType: CONSENT_TYPE, studySnapshotId, content };
  const previous =
    session && (await findPreviousConsent(deps, { ...query, patientId: session.patientId, now }));
  return {
    status: request.status,
    expiresAt: request.expires_at.toISOString(),
    client: toInteractionClient(request, project, standing),
    organization: toInteractionOrganization(project),
    project: { ...toInteractionProject(project, content), studySnapshotId },
    previous,
    reading: await findReadingConsents(deps.db, {
      patientId: session?.patientId ?? null,
      organizationId: project.organization_id,
      now,
    }),
    shortForm:
      session !== null && (await isShortFormOffered(deps, { request, session, previous, studySnapshotId })),
    scopes: request.scope.split(' '),
    offlineAccess: request.refreshable,
    consentUntil: getMaxExpiry(now).toISOString(),
    person: session?.person ?? null,
    draft:
      session !== null && request.status === 'pending'
        ? await findDraft(deps, getDraftKey(request, session))
        : null,
    eligible: session === null || isEligible(session, project.organization_id),
    progress: JSON.parse(request.progress ?? '[]') as SourceProgress[],
  };
}

/**
 * Finds how the app stands, and lists it at the organization once somebody who may decide sees what it asks for: anybody can begin
 * requests, in the name of any app, and would fill the list. On a full disk the decision lists it.
 */
async function findAppStanding(
  { db, clock }: Deps,
  request: RequestRow,
  session: PatientSession | null,
): Promise<AppStanding> {
  const { project_id: projectId, organization_id: organizationId, client_about: about } = request;
  const app = identifyRequestingApp(request);
  const now = clock.now();
  const standing = await findStanding(db, app, { projectId, now, about });
  const isAsked = session !== null && request.status === 'pending' && isEligible(session, organizationId);
  if (isAsked && !standing.isNoted && standing.refusal === null && db.capacity.permits('reads'))
    await db.query(noteApp(toAppRow(app, { organizationId, about, now })));
  return standing;
}

/** True where nothing has changed since this person last said yes to this app; the decision looks again. */
async function isShortFormOffered(
  { db, uiHash }: Deps,
  {
    request,
    session,
    previous,
    studySnapshotId,
  }: {
    request: RequestRow;
    session: PatientSession;
    previous: PreviousConsent | null;
    studySnapshotId: string;
  },
): Promise<boolean> {
  if (request.status !== 'pending' || previous?.inForce !== true) return false;
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = previous;
  const consent = { scopes: toDataScopes(categories, classes), expiresAt: new Date(previous.expiresAt) };
  const client = toAskingClient(request, session.patientId);
  return (
    (await findShortFormTerms(db, client, { studySnapshotId, uiHash, getConsent: () => consent })) !== null
  );
}

/** What an app asks for. */
const CONSENT_TYPE = 'PATIENT_DIRECTED_DATA_EXCHANGE' as const;

const parseContact = (json: string | null): Contact | null =>
  json === null ? null : (JSON.parse(json) as Contact);

const toInteractionOrganization = (project: InteractionProjectRow): Interaction['organization'] => ({
  name: project.organization_name,
  brand: toBrand(project),
  contact: parseContact(project.organization_contact),
});

const toInteractionClient = (
  request: RequestRow,
  project: InteractionProjectRow,
  { isVouched, refusal }: AppStanding,
): Interaction['client'] => ({
  name: request.client_name,
  verifiedHost: request.client_host,
  ...describeRedirectUri(request.redirect_uri),
  registeredAt: project.client_registered_at?.toISOString() ?? null,
  about: readClientAbout(request.client_about),
  knownBy: isVouched ? project.organization_name : null,
  letIn: refusal === null,
  // An app that the organization vouches for may well have its name.
  looksLike: isVouched ? null : findImitation(request, project),
});

/** The name that the client's own name imitates, or the scheme that its answer goes to. */
function findImitation(
  { client_name: name, client_host: host, redirect_uri: redirectUri }: RequestRow,
  { organization_name: organization, name: project }: InteractionProjectRow,
): string | null {
  const [, scheme = ''] = /^(.+):$/.exec(describeRedirectUri(redirectUri).redirectHost) ?? [];
  return (
    findImitatedName({ name, host, tenantNames: [organization, project] }) ??
    (scheme.includes('.') ? findNameInScheme(scheme, host) : null)
  );
}

/** Shows the older purpose of a project that has no content yet. */
function toInteractionProject(
  project: InteractionProjectRow,
  content: ProjectContent | null,
): Omit<Interaction['project'], 'studySnapshotId'> {
  const purpose = content?.en?.purpose ?? content?.es?.purpose ?? project.purpose;
  return { id: project.project_id, name: project.name, purpose, content };
}
