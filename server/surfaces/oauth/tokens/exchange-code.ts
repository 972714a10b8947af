import { createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { GrantId, PatientId } from '../../../../contract/brands.ts';
import type { TokenRequest, TokenResponse } from '../../../../contract/oauth/oauth.ts';
import type { UsableGrantRow } from '../../../consent/grants/grants.sql.ts';
import { revokeGrant } from '../../../consent/grants/revoke-grant.ts';
import { maybeOne, one } from '../../../platform/db/db.ts';
import { hashSecret } from '../../../platform/kernel/secret.ts';
import { invalidGrant, invalidRequest, invalidTarget } from '../oauth-refusal.ts';
import { selectRequestByCode, selectRequestById, type RequestRow } from '../requests/requests.sql.ts';
import { resolveResource } from '../resources.ts';
import * as statements from './exchange-code.sql.ts';
import { buildTokenResponse, resolveGrantRefusal, type TokenEndpointDeps } from './token-endpoint.ts';

type Body = z.infer<typeof TokenRequest>;

/** A request whose code was minted, hence one that a patient granted. */
type GrantedRequest = RequestRow & { patient_id: PatientId; grant_id: GrantId };

/** RFC 6749 §4.1.3 with RFC 7636 §4.6. Every check precedes the use of the code, so that a wrong guess does not burn it. */
export async function exchangeCode(deps: TokenEndpointDeps, body: Body): Promise<TokenResponse> {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = body;
  if (!code) throw invalidRequest('code is missing.');
  if (!redirectUri) throw invalidRequest('redirect_uri is missing.');
  if (!verifier) throw invalidRequest('code_verifier is missing.');
  const request = await maybeOne(deps.db, selectRequestByCode(hashSecret(code)));
  if (!request) throw await resolveGrantRefusal(deps, body.client_id, 'unknown code');
  if (request.client_id !== body.client_id)
    throw await resolveGrantRefusal(deps, body.client_id, 'code of another client');
  if (request.redirect_uri !== redirectUri) throw invalidGrant('redirect_uri differs from the request');
  if (!verifierMatches(verifier, request.code_challenge))
    throw invalidGrant('code_verifier does not match the challenge');
  if (body.resource !== undefined && resolveResource(deps.baseUrl, body.resource)?.uri !== request.resource)
    throw invalidTarget();
  return buildTokenResponse(deps, await activateGrant(deps, request as GrantedRequest));
}

/** A new grant cannot have been idle for too long: its code expires after a minute. */
const NO_IDLE_LIMIT = new Date(0);

async function activateGrant(deps: TokenEndpointDeps, request: GrantedRequest): Promise<UsableGrantRow> {
  const { request_id: requestId, patient_id: patientId, grant_id: grantId, client_id: clientId } = request;
  const auditEntry = deps.audit.toRow({
    organizationId: request.organization_id,
    action: 'oauth.code_exchanged',
    actor: { kind: 'patient', id: patientId },
    client: clientId,
    projectId: request.project_id,
    patientId,
  });
  const now = deps.clock.now();
  const rotation = {
    patientId,
    grantId,
    clientId,
    generation: 0,
    resource: null,
    now,
    idleSince: NO_IDLE_LIMIT,
  };
  const exchanged = await one(deps.db, statements.exchangeCode({ requestId, rotation, auditEntry }));
  if (exchanged.grant_id !== null) return exchanged;
  if (exchanged.used) throw invalidGrant('grant revoked, or its consent is no longer in force');
  const stored = await maybeOne(deps.db, selectRequestById(requestId));
  if (!stored?.code_used_at) throw invalidGrant('code expired');
  // The code was redeemed before with the right verifier, so one of the two clients is an attacker: neither may go on
  // (RFC 6749 §4.1.2). A code that merely expired is no sign of theft.
  await deps.db.tx((tx) => revokeGrant(tx, deps, { patientId, grantId, clientId, reason: 'code_reused' }));
  throw invalidGrant('code used again: grant revoked');
}

/** 43 to 256 unreserved characters (RFC 7636 §4.1); the documented procedure generates 171. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,256}$/;

function verifierMatches(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}
