import type { z } from 'zod';
import type { RevocationRequest } from '../../../../contract/oauth/oauth.ts';
import type { GrantId, PatientId } from '../../../../contract/brands.ts';
import { revokeGrant } from '../../../consent/grants/revoke-grant.ts';
import { invalidClient } from '../oauth-refusal.ts';
import { decodeRefreshToken } from './refresh-token.ts';
import type { TokenEndpointDeps } from './token-endpoint.ts';

/**
 * RFC 7009: either kind of token revokes the grant, hence the other kind too. A token that is unknown or belongs to
 * another client gets the answer of a revoked one (§2.2). The endpoint ignores `token_type_hint`.
 */
export async function revokeToken(
  deps: Omit<TokenEndpointDeps, 'issuer'>,
  { token, client_id: clientId }: z.infer<typeof RevocationRequest>,
): Promise<void> {
  if (!(await deps.clientExists(clientId))) throw invalidClient();
  const grant = await findGrant(deps, token, clientId);
  if (grant) await deps.db.tx((tx) => revokeGrant(tx, deps, { ...grant, clientId, reason: 'client' }));
}

/** Returns the grant that the token names; null when it is no token of ours, or an access token of another client. */
async function findGrant(
  { refreshTokenKeys, tokens }: Pick<TokenEndpointDeps, 'refreshTokenKeys' | 'tokens'>,
  token: string,
  clientId: string,
): Promise<{ patientId: PatientId; grantId: GrantId } | null> {
  const refresh = await decodeRefreshToken(refreshTokenKeys, token);
  if (refresh) return { patientId: refresh.patientId, grantId: refresh.grantId };
  const access = await tokens.readGrantClaims(token);
  return access?.client_id === clientId ? { patientId: access.sub, grantId: access.gid } : null;
}
