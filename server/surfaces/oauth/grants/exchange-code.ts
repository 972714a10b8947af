import { createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { TokenRequest, TokenResponse } from '../../../../contract/oauth/oauth.ts';
import type { GrantId, PatientId } from '../../../../contract/brands.ts';
import { hashSecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, one } from '../../../platform/db/db.ts';
import { revokeGrant } from './revoke-grant.ts';
import * as statements from './grants.sql.ts';
import type { UsableGrantRow } from './grants.sql.ts';
import { invalidGrant, invalidRequest, invalidTarget } from '../oauth-refusal.ts';
import { selectRequestByCode, selectRequestById, type RequestRow } from '../requests/requests.sql.ts';
import { resolveResource } from '../resources.ts';
import { buildTokenResponse } from './token-response.ts';
import { resolveGrantRefusal, type GrantDeps } from './token-deps.ts';

type Body = z.infer<typeof TokenRequest>;

/** A request whose code was minted: the patient has decided. */
type DecidedRequest = RequestRow & { patient_id: PatientId; grant_id: GrantId };

/** RFC 6749 §4.1.3 with RFC 7636 §4.6. Everything is checked before the code is used up, so a wrong guess does not burn it. */
export async function exchangeCode(deps: GrantDeps, body: Body): Promise<TokenResponse> {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = body;
  if (!code) throw invalidRequest('code is missing.');
  if (!redirectUri) throw invalidRequest('redirect_uri is missing.');
  if (!verifier) throw invalidRequest('code_verifier is missing.');
  const request = await maybeOne(deps.db, selectRequestByCode(hashSecret(code)));
  if (!request || request.client_id !== body.client_id) {
    throw await resolveGrantRefusal(deps, body.client_id);
  }
  if (request.redirect_uri !== redirectUri || !verifierMatches(verifier, request.code_challenge))
    throw invalidGrant();
  if (body.resource !== undefined && resolveResource(deps.baseUrl, body.resource)?.uri !== request.resource)
    throw invalidTarget();
  return buildTokenResponse(deps, await activateGrant(deps, request as DecidedRequest));
}

/** The code's own minute bounds how long a grant waits for its first token. */
const NEVER = new Date(0);

async function activateGrant(deps: GrantDeps, request: DecidedRequest): Promise<UsableGrantRow> {
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
  const rotation = { patientId, grantId, clientId, generation: 0, resource: null, now, idleSince: NEVER };
  const exchanged = await one(deps.db, statements.exchangeCode({ requestId, rotation, auditEntry }));
  if (exchanged.grant_id !== null) return exchanged;
  // Used before, by whoever has the code and the verifier: neither of the two may go on (RFC 6749 §4.1.2). A code that
  // merely grew old is no sign of theft.
  const stored = exchanged.used ? null : await maybeOne(deps.db, selectRequestById(requestId));
  if (stored?.code_used_at) await revokeGrant(deps, { patientId, grantId, clientId, reason: 'code_reused' });
  throw invalidGrant();
}

/** Unreserved characters (RFC 7636 §4.1), 43 to 256 of them: the documented procedure makes 171. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,256}$/;

function verifierMatches(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}
