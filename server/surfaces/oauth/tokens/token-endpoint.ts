import { randomUUID } from 'node:crypto';
import type { TokenResponse } from '../../../../contract/oauth/oauth.ts';
import type { UsableGrantRow } from '../../../consent/grants/grants.sql.ts';
import { TOKEN_LIFETIME_SECONDS, type AccessTokens } from '../../../identity/tokens/access-token.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Refusal } from '../../../platform/kernel/refusal.ts';
import { invalidClient, invalidGrant } from '../oauth-refusal.ts';
import { encodeRefreshToken } from './refresh-token.ts';
import type { RefreshTokenKeys } from './refresh-token-keys.ts';

/** What the token endpoint and the revocation endpoint need. */
export interface TokenEndpointDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  tokens: AccessTokens;
  refreshTokenKeys: RefreshTokenKeys;
  /** As configured. */
  baseUrl: string;
  /** The same, under the name that the client called. */
  issuer: string;
  /** For how long a client may resend a token that was just replaced; 0: never. */
  refreshRetrySeconds: number;
  /** Distinguishes a bad client from a bad token. */
  clientExists(clientId: string): Promise<boolean>;
}

/** Builds the response of RFC 6749 §5.1 for a grant as it is now; `scope` may be narrower than what was granted. */
export async function buildTokenResponse(
  { tokens, refreshTokenKeys, clock, issuer }: TokenEndpointDeps,
  grant: UsableGrantRow,
  scope = grant.scope,
): Promise<TokenResponse> {
  const { patient_id: patientId, grant_id: grantId, generation, client_id } = grant;
  const claims = {
    sub: patientId,
    scope,
    organizationId: grant.organization_id,
    projectId: grant.project_id,
    firstName: grant.first_name,
    lastName: grant.last_name,
    ...(grant.is_test_patient && { isTestPatient: true as const }),
    client_id,
    jti: randomUUID(),
    gid: grantId,
  };
  const accessToken = await tokens.issueForGrant(grant.resource, claims, issuer);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: getSecondsLeft(grant, clock),
    ...(grant.refreshable && {
      refresh_token: await encodeRefreshToken(refreshTokenKeys, { patientId, grantId, generation }),
    }),
    scope,
  };
}

/** The token ends with its grant, whatever it says: the gate then refuses it with the reason. */
function getSecondsLeft({ expires_at: expiresAt }: UsableGrantRow, clock: Clock): number {
  const seconds = Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000);
  return Math.max(0, Math.min(TOKEN_LIFETIME_SECONDS, seconds));
}

/** Returns `invalid_grant` for a bad code or refresh token, or `invalid_client` when there is no such client. */
export const resolveGrantRefusal = async (
  { clientExists }: TokenEndpointDeps,
  clientId: string,
  reason: string,
): Promise<Refusal> => ((await clientExists(clientId)) ? invalidGrant(reason) : invalidClient());
