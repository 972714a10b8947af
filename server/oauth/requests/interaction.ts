import type { Interaction } from '../../../contract/interaction.ts';
import type { AuthorizationRequestId, OrganizationId } from '../../../contract/ids.ts';
import type { SignedIn } from '../../accounts/session.ts';
import { latestEnd } from '../../consent/write-decision.ts';
import type { Clock } from '../../kernel/clock.ts';
import { forbidden, notFound, Refusal } from '../../kernel/refusal.ts';
import { sameSecret } from '../../kernel/secret.ts';
import { maybeOne, one, type Db } from '../../storage/db.ts';
import type { SourceProgress } from './record-sources.ts';
import { describeRedirectUri } from '../clients/redirect-uri.ts';
import { projectById, requestById, type RequestRow } from './requests.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
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
  const project = await one(deps.db, projectById(request.project_id));
  return {
    status: request.status,
    expiresAt: request.expires_at.toISOString(),
    client: {
      name: request.client_name,
      verifiedHost: request.client_host,
      ...describeRedirectUri(request.redirect_uri),
    },
    organization: { name: project.organization_name },
    project: { id: project.project_id, name: project.name, purpose: project.purpose },
    scopes: request.scope.split(' '),
    offlineAccess: request.refreshable,
    consentUntil: latestEnd(deps.clock.now()).toISOString(),
    person: signedIn?.person ?? null,
    eligible: signedIn === null || mayTakePart(signedIn, project.organization_id),
    progress: JSON.parse(request.progress ?? '[]') as SourceProgress[],
  };
}

/** A test patient belongs to one organization. */
const mayTakePart = ({ testOrganizationId }: SignedIn, organizationId: OrganizationId): boolean =>
  testOrganizationId === null || testOrganizationId === organizationId;
