import type { Interaction } from '../../../contract/interaction.ts';
import type { AuthorizationRequestId, OrganizationId } from '../../../contract/ids.ts';
import type { ProjectContent } from '../../../contract/projects.ts';
import type { SignedIn } from '../../accounts/session.ts';
import { latestEnd, snapshotOf } from '../../consent/write-decision.ts';
import type { Clock } from '../../kernel/clock.ts';
import { forbidden, notFound, Refusal } from '../../kernel/refusal.ts';
import { sameSecret } from '../../kernel/secret.ts';
import { maybeOne, one, type Db } from '../../storage/db.ts';
import type { SourceProgress } from './record-sources.ts';
import { looksLike } from '../clients/look-alike.ts';
import { describeRedirectUri } from '../clients/redirect-uri.ts';
import { previousConsentOf } from './previous-consent.ts';
import { requestById, shownProject, type RequestRow, type ShownProjectRow } from './requests.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  /** The hash of the built page. */
  uiHash: string;
}

/** The request that a browser began; refuses other browsers' and expired ones. */
export async function requestOf(
  { db, clock }: Deps,
  requestId: AuthorizationRequestId,
  browser: string,
): Promise<RequestRow> {
  const request = await maybeOne(db, requestById(requestId));
  if (!request) throw notFound('The request');
  if (!sameSecret(browser, request.browser_hash)) {
    throw forbidden('This request was begun in another browser; continue there.', 'other_browser');
  }
  if (request.expires_at <= clock.now() && request.status !== 'closed') {
    throw new Refusal(410, 'request_expired', { detail: 'The request has expired; begin again in the app.' });
  }
  return request;
}

/** All that the page shows; nothing of it is taken from the page's own address. */
export async function interactionOf(
  deps: Deps,
  request: RequestRow,
  signedIn: SignedIn | null,
): Promise<Interaction> {
  const { project_id: projectId, client_id: clientId, client_host: verifiedHost } = request;
  const project = await one(deps.db, shownProject(projectId, verifiedHost === null ? clientId : null));
  const studySnapshotId = snapshotOf(projectId, {
    study_snapshot_id: project.study_snapshot_id,
    project_name: project.name,
    project_purpose: project.purpose,
  });
  const which = { projectId, clientId, studySnapshotId, now: deps.clock.now() };
  return {
    status: request.status,
    expiresAt: request.expires_at.toISOString(),
    client: clientOf(request, project),
    organization: { name: project.organization_name },
    project: { ...told(project), studySnapshotId },
    previous: signedIn && (await previousConsentOf(deps, { ...which, patientId: signedIn.patientId })),
    scopes: request.scope.split(' '),
    offlineAccess: request.refreshable,
    consentUntil: latestEnd(deps.clock.now()).toISOString(),
    person: signedIn?.person ?? null,
    eligible: signedIn === null || mayTakePart(signedIn, project.organization_id),
    progress: JSON.parse(request.progress ?? '[]') as SourceProgress[],
  };
}

const clientOf = (request: RequestRow, project: ShownProjectRow): Interaction['client'] => ({
  name: request.client_name,
  verifiedHost: request.client_host,
  ...describeRedirectUri(request.redirect_uri),
  registeredAt: project.client_registered_at?.toISOString() ?? null,
  looksLike: looksLike({
    name: request.client_name,
    host: request.client_host,
    own: [project.organization_name, project.name],
  }),
});

/** A project that has only the older purpose tells that. */
function told(project: ShownProjectRow): Omit<Interaction['project'], 'studySnapshotId'> {
  const content = project.content === null ? null : (JSON.parse(project.content) as ProjectContent);
  const purpose = content?.en?.purpose ?? content?.es?.purpose ?? project.purpose;
  return { id: project.project_id, name: project.name, purpose, content };
}

/** A test patient belongs to one organization. */
const mayTakePart = ({ testOrganizationId }: SignedIn, organizationId: OrganizationId): boolean =>
  testOrganizationId === null || testOrganizationId === organizationId;
