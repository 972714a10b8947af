import type { ProjectId } from '../../../contract/brands.ts';
import type { AccessTokens } from '../../identity/tokens/access-token.ts';
import type { DenyRequests } from '../../consent/decisions/apply-to-grants.ts';
import type { DecisionDeps } from '../../consent/decisions/decide.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { Routes } from '../../platform/http/serve.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { Objects } from '../../platform/objects/objects.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { registerClientsRoutes } from './apps/clients.route.ts';
import { registerAuthorizeRoutes } from './requests/authorize.route.ts';
import { createClientDirectory } from './clients/client-directory.ts';
import { registerInteractionRoutes } from './requests/interaction.route.ts';
import { limitTotalPerMinute, combineLimits, limitPerMinute } from './rate-limits.ts';
import { registerMetadataRoutes } from './metadata.route.ts';
import { registerOAuthErrors } from './oauth-dialect.ts';
import type { RecordSources } from './requests/prepare-records.ts';
import { createRefreshTokenKeys } from './tokens/refresh-token-keys.ts';
import { registerClientRoute } from './clients/register.route.ts';
import { denyGrantedRequests, selectOAuthProject } from './requests/requests.sql.ts';
import { registerTestGrantRoute } from './tokens/test-grant.route.ts';
import { registerTokenRoutes } from './tokens/token.route.ts';

export interface AuthorizationServerDeps extends DecisionDeps {
  db: Db;
  clock: Clock;
  objects: Objects;
  jobs: Jobs;
  tokens: AccessTokens;
  outbound: OutboundClient;
  sources: RecordSources;
  baseUrl: string;
  consentAppUrl: string;
  oauth: {
    projectId: ProjectId | null;
    refreshRetrySeconds: number;
    rateLimit: number;
    clientMetadataDocuments: boolean;
  };
  /** The hash of the built consent page. */
  uiHash: string;
}

/** Registers the authorization server: public clients, authorization code with PKCE, rotating refresh tokens. */
export function registerAuthorizationServer(routes: Routes, deps: AuthorizationServerDeps): void {
  const { db, oauth } = deps;
  const { rateLimit: rate, clientMetadataDocuments } = oauth;
  const quarter = Math.ceil(rate / 4);
  const clients = createClientDirectory(deps, {
    enabled: clientMetadataDocuments,
    fetchesPerMinute: quarter,
  });
  registerMetadataRoutes(routes, {
    clientMetadataDocuments,
    projectExists: async (projectId) => (await maybeOne(db, selectOAuthProject(projectId))) !== null,
  });
  void routes.app.register(async (app) => {
    registerOAuthErrors(app);
    registerClientRoute(
      { ...routes, app },
      {
        ...deps,
        limit: combineLimits(
          limitPerMinute('registration', quarter),
          limitTotalPerMinute('registration_total', 20 * quarter),
        ),
      },
    );
  });
  registerAuthorizeRoutes(routes, {
    ...deps,
    defaultProjectId: oauth.projectId,
    findClient: clients.find,
    markClientUsed: clients.markUsed,
    limit: limitPerMinute('authorization', rate),
  });
  registerInteractionRoutes(routes, deps);
  registerClientsRoutes(routes, deps);
  registerTestGrantRoute(routes, deps);
  registerTokenRoutes(routes, {
    ...deps,
    refreshTokenKeys: createRefreshTokenKeys(deps),
    refreshRetrySeconds: oauth.refreshRetrySeconds,
    clientExists: clients.exists,
    limit: limitPerMinute('token', 10 * rate),
  });
}

/** Denies requests that rest on a withdrawn consent, or are of a disconnected client; the decisions call it. */
export const denyRequests: DenyRequests = async (tx, { patientId, projectId, clientId = null }) => {
  await tx.query(denyGrantedRequests(patientId, projectId, clientId));
};
