import type { AuthorizationRequestId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { hashSecret, generateSecret, verifySecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { buildClientRedirect } from '../clients/redirect-uri.ts';
import { closeDenied, closeWithCode, selectRequestById, type RequestRow } from './requests.sql.ts';

export interface CompleteDeps {
  db: Db;
  clock: Clock;
}

interface CompleteInput {
  requestId: AuthorizationRequestId;
  /** The secret cookie of the browser. */
  browser: string;
  /** Our base URL, under the name that the browser called: the `iss` of RFC 9207. */
  baseUrl: string;
}

/** Clients redeem a code within moments; RFC 6749 §4.1.2 allows ten minutes, FAPI 2.0 one. */
const CODE_LIFETIME_MS = 60_000;

/**
 * Returns the URL to redirect the browser to when the request is ready. The code is minted only at this moment, in the
 * browser that began the request: a link to somebody else's request has no effect.
 */
export async function completeAuthorization(deps: CompleteDeps, input: CompleteInput): Promise<string> {
  const { requestId, browser, baseUrl } = input;
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
  return closed ? redirectToClient(baseUrl, closed, { code }) : completeDenied(deps, input);
}

/** Completes a request that the patient denied, or whose consent was withdrawn during preparation. */
async function completeDenied(
  deps: CompleteDeps,
  { requestId, browser, baseUrl }: CompleteInput,
): Promise<string> {
  const request = await maybeOne(deps.db, selectRequestById(requestId));
  if (!request || !verifySecret(browser, request.browser_hash)) throw cannotComplete();
  if (request.expires_at <= deps.clock.now()) throw cannotComplete();
  if (!(await maybeOne(deps.db, closeDenied(requestId)))) throw cannotComplete();
  return redirectToClient(baseUrl, request, {
    error: 'access_denied',
    error_description: 'The patient denied the request or withdrew the consent.',
  });
}

const redirectToClient = (
  baseUrl: string,
  { redirect_uri: redirectUri, state }: RequestRow,
  response: Record<string, string>,
): string => buildClientRedirect(redirectUri, { ...response, state, iss: baseUrl });

/** One answer for every reason, so that the caller learns nothing of other requests. */
const cannotComplete = (): Refusal =>
  new Refusal(400, 'cannot_complete', {
    detail: 'This request is not ready, was completed before or has expired, or another browser began it.',
  });
