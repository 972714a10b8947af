import type { FastifyRequest } from 'fastify';

/**
 * Builds the `WWW-Authenticate` of a 401 (RFC 6750 §3). With `error="invalid_token"` a client knows that its token
 * was refused and refreshes it; without, it signs in. No value may hold a quotation mark.
 */
export function buildChallenge(
  { headers }: Pick<FastifyRequest, 'headers'>,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const hasToken = /^bearer\b/i.test(headers.authorization ?? '');
  const error = hasToken && {
    error: 'invalid_token',
    error_description: 'The access token is expired, revoked, malformed, or for another resource.',
  };
  const written = Object.entries({ ...parameters, ...error }).map(([name, value]) => `${name}="${value}"`);
  return ['Bearer', ...(written.length > 0 ? [written.join(', ')] : [])].join(' ');
}
