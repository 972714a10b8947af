import type { z } from 'zod';
import type { RevocationRequest } from '../../../contract/oauth.ts';
import { endGrantNow } from './end-grant.ts';
import { invalidClient } from '../oauth-refusal.ts';
import { openRefreshToken } from './refresh-token.ts';
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
  const refresh = await openRefreshToken(deps.refreshTokenKeys, token);
  if (refresh) return endGrantNow(deps, { ...refresh, clientId, because: 'client' });
  const access = await deps.tokens.grantOf(token);
  if (access?.client_id !== clientId) return;
  await endGrantNow(deps, { patientId: access.sub, grantId: access.gid, clientId, because: 'client' });
}
