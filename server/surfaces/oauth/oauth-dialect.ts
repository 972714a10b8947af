import type { App } from '../../platform/http/app.ts';
import { logRefusal, toRefusal } from '../../platform/http/problem-dialect.ts';
import type { Refusal } from '../../platform/kernel/refusal.ts';
import { OAUTH_ERRORS } from './oauth-refusal.ts';

/** Renders refusals of the token, revocation and registration endpoints (RFC 6749 §5.2). */
export function registerOAuthErrors(app: App): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error as Error, request);
    logRefusal(request, refusal, error);
    const { status, code } = toOAuthError(refusal, request.url);
    return reply
      .code(status)
      .headers(refusal.headers)
      .type('application/json')
      .send({ error: code, error_description: describe(refusal) });
  });
}

/** Names the parameters at fault as a sentence does: "client_id is missing". */
const describe = ({ errors, message }: Refusal): string =>
  errors.length === 0
    ? message
    : `${errors.map(({ path, message: fault }) => `${path || 'the body'} ${fault}`).join('; ')}.`;

/** Maps other refusals, including those of the framework, to OAuth error codes. */
function toOAuthError(refusal: Refusal, url: string): { status: number; code: string } {
  const { status, code } = refusal;
  if (OAUTH_ERRORS.has(code)) return { status, code };
  if (status === 429 || status === 503) return { status, code: 'temporarily_unavailable' };
  // Of HTTP, not of OAuth: before a parameter is read.
  if (status === 413 || code === 'unsupported_content_coding') return { status, code: 'invalid_request' };
  if (status >= 500) return { status, code: 'server_error' };
  if (!url.startsWith('/oauth/register')) return { status: 400, code: 'invalid_request' };
  const isRedirectUriError = refusal.errors.some(({ path }) => path.startsWith('redirect_uris'));
  return { status: 400, code: isRedirectUriError ? 'invalid_redirect_uri' : 'invalid_client_metadata' };
}
