import type { ProjectId } from '../../contract/ids.ts';
import type { SignedIn } from '../accounts/session.ts';
import type { GrantClaims } from '../auth/claims.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { EndGrants, DecisionDeps } from '../consent/write-decision.ts';
import type { Egress } from '../egress/egress.ts';
import type { Routes } from '../http/serve.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { authorizeRoutes } from './requests/authorize.route.ts';
import { clientDirectory } from './clients/client-directory.ts';
import { endGrantsOf, grantIsUsable } from './grants/grants.sql.ts';
import { interactionRoutes } from './requests/interaction.route.ts';
import { allTogether, both, perMinute } from './limits.ts';
import { metadataRoutes } from './metadata.route.ts';
import { sayOAuth } from './oauth-dialect.ts';
import type { RecordSources } from './requests/record-sources.ts';
import { refreshTokenKeys } from './grants/refresh-token-keys.ts';
import { registerRoute } from './clients/register.route.ts';
import { denyGranted, projectById } from './requests/requests.sql.ts';
import { tokenRoutes } from './grants/token.route.ts';

export interface AuthorizationServerDeps extends DecisionDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  tokens: AccessTokens;
  egress: Egress;
  sources: RecordSources;
  signedIn(session: string | null): Promise<SignedIn | null>;
  settings: {
    baseUrl: string;
    consentAppUrl: string;
    oauthProjectId: ProjectId | null;
    oauthRefreshRetrySeconds: number;
    oauthRateLimit: number;
    clientMetadataDocuments: boolean;
  };
  /** The hash of the built consent page. */
  uiHash: string;
}

/** The authorization server: public clients, authorization code with PKCE, rotating refresh tokens. */
export function authorizationServer(routes: Routes, deps: AuthorizationServerDeps): void {
  const { db, settings } = deps;
  const { baseUrl, oauthRateLimit: rate } = settings;
  const quarter = Math.ceil(rate / 4);
  const clients = clientDirectory(deps, { enabled: settings.clientMetadataDocuments, fetches: quarter });
  metadataRoutes(routes, {
    ...settings,
    projectExists: async (projectId) => (await maybeOne(db, projectById(projectId))) !== null,
  });
  void routes.app.register(async (app) => {
    sayOAuth(app);
    registerRoute(
      { ...routes, app },
      { ...deps, limit: both(perMinute(quarter), allTogether(20 * quarter)) },
    );
  });
  authorizeRoutes(routes, {
    ...deps,
    ...settings,
    defaultProjectId: settings.oauthProjectId,
    findClient: clients.find,
    clientUsed: clients.used,
    limit: perMinute(rate),
  });
  interactionRoutes(routes, deps);
  tokenRoutes(routes, {
    ...deps,
    baseUrl,
    refreshTokenKeys: refreshTokenKeys(deps),
    refreshRetrySeconds: settings.oauthRefreshRetrySeconds,
    clientExists: clients.exists,
    limit: perMinute(10 * rate),
  });
}

/** For `auth`, which comes before this room: asked on every use of an access token. */
export const grantLookup =
  (db: Db) =>
  async ({ sub, gid }: GrantClaims): Promise<boolean> =>
    (await maybeOne(db, grantIsUsable(sub, gid)))?.usable === true;

/** For `consent`, which comes before this room. */
export const endGrants: EndGrants = async (tx, { patientId, projectId, now }) => {
  await tx.query(endGrantsOf(patientId, projectId, now));
  await tx.query(denyGranted(patientId, projectId));
};
