import type { AuthorizationRequestId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { hashSecret, generateSecret, verifySecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { buildClientRedirect } from './redirect.ts';
import { closeDenied, closeWithCode, selectRequestById, type RequestRow } from './requests.sql.ts';

export interface CompleteDeps {
  db: Db;
  clock: Clock;
  baseUrl: string;
}

/** A code is used within moments of being minted; RFC 6749 §4.1.2 allows ten minutes, FAPI 2.0 one. */
const CODE_LIFETIME_MS = 60_000;

/**
 * Where the browser is to go when all is done. The code is minted at this moment and not before, in the browser that
 * began: a link to somebody else's request leads nowhere.
 */
export async function completeAuthorization(
  deps: CompleteDeps,
  { requestId, browser }: { requestId: AuthorizationRequestId; browser: string },
): Promise<string> {
  const now = deps.clock.now();
  const code = generateSecret('cgc_');
  const closed = await maybeOne(
    deps.db,
    closeWithCode({
      requestId,
      browserHash: hashSecret(browser),
      codeHash: hashSecret(code),
      codeExpiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
      now,
    }),
  );
  return closed ? redirectToClient(deps, closed, { code }) : completeDenied(deps, requestId, browser);
}

/** Denied by the patient, or granted and taken back while the record was being made ready. */
async function completeDenied(
  deps: CompleteDeps,
  requestId: AuthorizationRequestId,
  browser: string,
): Promise<string> {
  const request = await maybeOne(deps.db, selectRequestById(requestId));
  if (!request || !verifySecret(browser, request.browser_hash)) throw cannotComplete();
  if (request.expires_at <= deps.clock.now()) throw cannotComplete();
  if (!(await maybeOne(deps.db, closeDenied(requestId)))) throw cannotComplete();
  return redirectToClient(deps, request, {
    error: 'access_denied',
    error_description: 'The patient did not allow it, or took it back.',
  });
}

const redirectToClient = (
  { baseUrl }: CompleteDeps,
  { redirect_uri: redirectUri, state }: RequestRow,
  response: Record<string, string>,
): string => buildClientRedirect(redirectUri, { ...response, state, iss: baseUrl });

/** One answer for all, so that nobody learns of requests that are not theirs. */
const cannotComplete = (): Refusal =>
  new Refusal(400, 'cannot_complete', {
    detail: 'This request is not ready, is done already or has expired, or it was begun in another browser.',
  });
