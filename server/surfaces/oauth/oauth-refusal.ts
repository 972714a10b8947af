import { Refusal } from '../../platform/kernel/refusal.ts';

/** RFC 6749 §4.1.2.1 and §5.2, RFC 7591 §3.2.2, RFC 8707 §2, OpenID Connect Core §3.1.2.6. */
export const OAUTH_ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'invalid_target',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'request_not_supported',
  'request_uri_not_supported',
]);

export const invalidRequest = (detail: string): Refusal => new Refusal(400, 'invalid_request', { detail });

/** One description for every reason, so that the caller does not learn which check failed; `reason` is for the log. */
export const invalidGrant = (reason: string): Refusal =>
  new Refusal(400, 'invalid_grant', {
    reason,
    detail:
      'The code or refresh token is unknown, expired, used or revoked, or does not belong to this request.',
  });

const UNKNOWN_CLIENT =
  'The client does not exist; one that registered and then asked nobody is deleted after 30 days. Register again.';

/**
 * Clients register anew after this 401, so it must never answer a bad token. Without a challenge, against RFC 9110 §11.6.1:
 * RFC 6749 §5.2 asks for the scheme that the client used, of whoever sends `client_id` alone there is none, and clients such as
 * openid-client report a challenge in place of `invalid_client`, and would not learn that they are to register.
 */
export const invalidClient = (): Refusal => new Refusal(401, 'invalid_client', { detail: UNKNOWN_CLIENT });

/** The same where a browser is: 400, without a redirect. `detail`: what is wrong with the document that names the client. */
export const unknownClient = (detail = UNKNOWN_CLIENT): Refusal =>
  new Refusal(400, 'invalid_client', { detail });

export const invalidTarget = (detail = 'The resource is not a protected resource of this server.'): Refusal =>
  new Refusal(400, 'invalid_target', { detail });

export const invalidScope = (detail: string): Refusal => new Refusal(400, 'invalid_scope', { detail });
