import type { z } from 'zod';
import type { TokenRequest, TokenResponse } from '../../../../contract/oauth/oauth.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { revokeGrantInTx } from './revoke-grant.ts';
import { lockGrant, rotateGrant, type GrantStateRow, type UsableGrantRow } from './grants.sql.ts';
import { invalidRequest, invalidScope, invalidTarget } from '../oauth-refusal.ts';
import { decodeRefreshToken, type RefreshTokenContent } from './refresh-token.ts';
import { resolveResource } from '../resources.ts';
import { buildTokenResponse } from './token-response.ts';
import { resolveGrantRefusal, type GrantDeps } from './token-deps.ts';

type Body = z.infer<typeof TokenRequest>;

/** Unused for as long, a refresh token is over. */
const MAX_IDLE_MS = 30 * 24 * 3600 * 1000;

/** RFC 6749 §6 with rotation (RFC 9700 §4.14.2): one statement where all is well. */
export async function rotateRefreshToken(deps: GrantDeps, body: Body): Promise<TokenResponse> {
  if (!body.refresh_token) throw invalidRequest('refresh_token is missing.');
  const content = await decodeRefreshToken(deps.refreshTokenKeys, body.refresh_token);
  if (!content) throw await resolveGrantRefusal(deps, body.client_id);
  const resource = resolveRequestedResource(deps, body);
  const requestedScope = await resolveRequestedScope(deps, content, body);
  const rotation = { ...content, clientId: body.client_id, resource, ...getRotationTimes(deps) };
  const grant =
    (await maybeOne(deps.db, rotateGrant(rotation))) ?? (await retryOrRefuse(deps, content, body));
  return buildTokenResponse(deps, grant, requestedScope ?? grant.scope);
}

function getRotationTimes({ clock }: GrantDeps): { now: Date; idleSince: Date } {
  const now = clock.now();
  return { now, idleSince: new Date(now.getTime() - MAX_IDLE_MS) };
}

/** RFC 8707 §2.2; null when the client names none. */
function resolveRequestedResource({ baseUrl }: GrantDeps, { resource }: Body): string | null {
  if (resource === undefined) return null;
  const known = resolveResource(baseUrl, resource);
  if (!known) throw invalidTarget();
  return known.uri;
}

/** A narrower scope is checked before the token is replaced, so that asking for too much costs nothing. */
async function resolveRequestedScope(
  deps: GrantDeps,
  content: RefreshTokenContent,
  body: Body,
): Promise<string | null> {
  if (body.scope === undefined) return null;
  const state = await deps.db.tx((tx) => lockGrantState(tx, deps, content));
  if (!state || state.client_id !== body.client_id) throw await resolveGrantRefusal(deps, body.client_id);
  const granted = state.scope.split(' ');
  const requested = body.scope.split(' ').filter(Boolean);
  if (!requested.includes('patient/*.read') || !requested.every((scope) => granted.includes(scope)))
    throw invalidScope('scope must hold patient/*.read, and nothing that was not granted.');
  return granted.filter((scope) => requested.includes(scope)).join(' ');
}

const lockGrantState = (
  tx: Tx,
  { clock }: GrantDeps,
  { patientId, grantId }: RefreshTokenContent,
): Promise<GrantStateRow | null> => maybeOne(tx, lockGrant(patientId, grantId, clock.now()));

/** An authentic token that is not the current one: replaced before. Its grant ends, unless it may be sent again. */
async function retryOrRefuse(
  deps: GrantDeps,
  content: RefreshTokenContent,
  body: Body,
): Promise<UsableGrantRow> {
  const { patientId, grantId } = content;
  const clientId = body.client_id;
  const retried = await deps.db.tx(async (tx) => {
    const state = await lockGrantState(tx, deps, content);
    if (!state || state.client_id !== clientId || state.revoked_at) return null;
    if (state.resource !== (resolveRequestedResource(deps, body) ?? state.resource)) throw invalidTarget();
    if (content.generation >= state.generation) return null;
    if (canRetry(deps, state, content)) return state;
    await revokeGrantInTx(tx, deps, { patientId, grantId, clientId, reason: 'refresh_token_reused' });
    return null;
  });
  if (retried) return retried;
  throw await resolveGrantRefusal(deps, clientId);
}

/**
 * The immediate predecessor, shortly after it was replaced, by a successor that nobody used yet, gets that same
 * successor (FAPI 2.0 §5.3.2.1 note 1). A thief who came first shares the chain with its owner and collides at the
 * next step. The age can be negative: whoever lost a race looked at the clock before the winner did.
 */
function canRetry(
  { clock, refreshRetrySeconds }: GrantDeps,
  state: GrantStateRow,
  { generation }: RefreshTokenContent,
): boolean {
  if (refreshRetrySeconds === 0 || generation !== state.generation - 1) return false;
  const now = clock.now();
  const age = now.getTime() - state.rotated_at.getTime();
  return age <= refreshRetrySeconds * 1000 && state.expires_at > now && state.consented;
}
