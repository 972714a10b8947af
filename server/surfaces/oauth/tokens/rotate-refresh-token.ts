import type { z } from 'zod';
import type { TokenRequest, TokenResponse } from '../../../../contract/oauth/oauth.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { MAX_IDLE_MS } from '../../../consent/grants/can-read.sql.ts';
import { revokeGrant } from '../../../consent/grants/revoke-grant.ts';
import {
  CONSENT_WITHDRAWN,
  lockGrant,
  rotateGrant,
  type GrantStateRow,
  type UsableGrantRow,
} from '../../../consent/grants/grants.sql.ts';
import { invalidRequest, invalidScope, invalidTarget } from '../oauth-refusal.ts';
import { decodeRefreshToken, type RefreshTokenContent } from './refresh-token.ts';
import { resolveResource } from '../resources.ts';
import { buildTokenResponse, resolveGrantRefusal, type TokenEndpointDeps } from './token-endpoint.ts';

type Body = z.infer<typeof TokenRequest>;

/** RFC 6749 §6 with rotation (RFC 9700 §4.14.2); a good token costs one statement. */
export async function rotateRefreshToken(deps: TokenEndpointDeps, body: Body): Promise<TokenResponse> {
  if (!body.refresh_token) throw invalidRequest('refresh_token is missing.');
  const content = await decodeRefreshToken(deps.refreshTokenKeys, body.refresh_token);
  if (!content) throw await resolveGrantRefusal(deps, body.client_id, 'not a refresh token of this server');
  const resource = resolveRequestedResource(deps, body);
  const requestedScope = await resolveRequestedScope(deps, content, body);
  const rotation = { ...content, clientId: body.client_id, resource, ...getRotationTimes(deps) };
  const grant =
    (await maybeOne(deps.db, rotateGrant(rotation))) ?? (await handleStaleToken(deps, content, body));
  return buildTokenResponse(deps, grant, requestedScope ?? grant.scope);
}

function getRotationTimes({ clock }: TokenEndpointDeps): { now: Date; idleSince: Date } {
  const now = clock.now();
  return { now, idleSince: new Date(now.getTime() - MAX_IDLE_MS) };
}

/** Returns the resource that the client names (RFC 8707 §2.2), or null; throws `invalid_target`. */
function resolveRequestedResource({ baseUrl }: TokenEndpointDeps, { resource }: Body): string | null {
  if (resource === undefined) return null;
  const known = resolveResource(baseUrl, resource);
  if (!known) throw invalidTarget();
  return known.uri;
}

/** Checks a narrower scope before the token is replaced, so that a scope that is too wide does not use the token up. */
async function resolveRequestedScope(
  deps: TokenEndpointDeps,
  content: RefreshTokenContent,
  body: Body,
): Promise<string | null> {
  if (body.scope === undefined) return null;
  const state = checkOwner(await deps.db.tx((tx) => lockGrantState(tx, deps, content)), body.client_id);
  if (typeof state === 'string') throw await resolveGrantRefusal(deps, body.client_id, state);
  const granted = state.scope.split(' ');
  const requested = body.scope.split(' ').filter(Boolean);
  if (!requested.includes('patient/*.read') || !requested.every((scope) => granted.includes(scope)))
    throw invalidScope('scope must hold patient/*.read, and nothing that was not granted.');
  return granted.filter((scope) => requested.includes(scope)).join(' ');
}

const lockGrantState = (
  tx: Tx,
  { clock }: TokenEndpointDeps,
  { patientId, grantId }: RefreshTokenContent,
): Promise<GrantStateRow | null> => maybeOne(tx, lockGrant(patientId, grantId, clock.now()));

/**
 * Detects reuse of a refresh token (RFC 9700 §4.14.2): a token that was replaced before revokes its grant, unless it may
 * be sent again; then this returns the grant as it is.
 */
async function handleStaleToken(
  deps: TokenEndpointDeps,
  content: RefreshTokenContent,
  body: Body,
): Promise<UsableGrantRow> {
  const { patientId, grantId } = content;
  const clientId = body.client_id;
  const outcome = await deps.db.tx(async (tx): Promise<UsableGrantRow | string> => {
    const state = checkOwner(await lockGrantState(tx, deps, content), clientId);
    if (typeof state === 'string') return state;
    if (state.revoked_at && state.revoked_because !== CONSENT_WITHDRAWN) return 'grant revoked';
    if (state.resource !== (resolveRequestedResource(deps, body) ?? state.resource)) throw invalidTarget();
    const isWithdrawn = state.revoked_at !== null;
    if (content.generation >= state.generation)
      return state.consented && !isWithdrawn
        ? 'grant expired or idle for too long'
        : 'consent is no longer in force';
    const isRetry = isResentAtOnce(deps, state, content);
    if (isRetry && isWithdrawn) return 'consent withdrawn';
    if (isRetry && state.lasts && state.consented) return state;
    await revokeGrant(tx, deps, { patientId, grantId, clientId, reason: 'refresh_token_reused' });
    return 'refresh token used again: grant revoked';
  });
  if (typeof outcome === 'string') throw await resolveGrantRefusal(deps, clientId, outcome);
  return outcome;
}

/** Returns the grant if it is the client's, or the reason to refuse. */
function checkOwner(state: GrantStateRow | null, clientId: string): GrantStateRow | string {
  if (!state) return 'unknown grant';
  return state.client_id === clientId ? state : 'refresh token of another client';
}

/**
 * True when the token is the immediate predecessor of one that nobody has used yet, and was replaced only just now: the
 * client gets that same successor (FAPI 2.0 §5.3.2.1 note 1). A thief who used the token first shares the chain with its
 * owner, and the two collide at the next rotation. The age can be negative: the loser of a race read the clock before the
 * winner did.
 */
function isResentAtOnce(
  { clock, refreshRetrySeconds }: TokenEndpointDeps,
  state: GrantStateRow,
  { generation }: RefreshTokenContent,
): boolean {
  if (refreshRetrySeconds === 0 || generation !== state.generation - 1) return false;
  return clock.now().getTime() - state.rotated_at.getTime() <= refreshRetrySeconds * 1000;
}
