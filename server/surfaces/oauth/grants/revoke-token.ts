import type { z } from 'zod';
import type { RevocationRequest } from '../../../../contract/oauth/oauth.ts';
import { revokeGrant } from './revoke-grant.ts';
import { invalidClient } from '../oauth-refusal.ts';
import { decodeRefreshToken } from './refresh-token.ts';
import type { GrantDeps } from './token-deps.ts';

/**
 * RFC 7009: either kind of token ends the grant, and so the other kind too. Tokens that are unknown, or another
 * client's, are answered like those that were revoked (§2.2); the hint is not needed.
 */
export async function revokeToken(
  deps: GrantDeps,
  { token, client_id: clientId }: z.infer<typeof RevocationRequest>,
): Promise<void> {
  if (!(await deps.clientExists(clientId))) throw invalidClient();
  const refresh = await decodeRefreshToken(deps.refreshTokenKeys, token);
  if (refresh) return revokeGrant(deps, { ...refresh, clientId, reason: 'client' });
  const access = await deps.tokens.readGrantClaims(token);
  if (access?.client_id !== clientId) return;
  await revokeGrant(deps, { patientId: access.sub, grantId: access.gid, clientId, reason: 'client' });
}
