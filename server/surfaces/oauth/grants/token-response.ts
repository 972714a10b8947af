import { randomUUID } from 'node:crypto';
import type { TokenResponse } from '../../../../contract/oauth/oauth.ts';
import { TOKEN_LIFETIME_SECONDS, type AccessTokens } from '../../../identity/tokens/access-token.ts';
import type { UsableGrantRow } from './grants.sql.ts';
import { encodeRefreshToken } from './refresh-token.ts';
import type { RefreshTokenKeys } from './refresh-token-keys.ts';

export interface TokenDeps {
  tokens: AccessTokens;
  refreshTokenKeys: RefreshTokenKeys;
}

/** RFC 6749 §5.1, for a grant as it is now; `scope` may be less than what was granted. */
export async function buildTokenResponse(
  { tokens, refreshTokenKeys }: TokenDeps,
  grant: UsableGrantRow,
  scope = grant.scope,
): Promise<TokenResponse> {
  const { patient_id: patientId, grant_id: grantId, generation, client_id } = grant;
  const accessToken = await tokens.issueForGrant(grant.resource, {
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
  });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    ...(grant.refreshable && {
      refresh_token: await encodeRefreshToken(refreshTokenKeys, { patientId, grantId, generation }),
    }),
    scope,
  };
}
