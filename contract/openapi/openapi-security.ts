import { takesMember, takesSession, type EndpointDefinition } from '../endpoint.ts';

type SecurityRequirement = Partial<Record<keyof typeof SECURITY_SCHEMES, readonly []>>;

const BROWSER = 'Under https the name of the cookie begins with `__Host-`.';

/** How callers say who they are: OpenAPI 3.1 §4.8.27. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that the operator configured as `CHARTGATE_METRICS_TOKEN`',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'chartgate-session',
    description: `The session of a person who is signed in on our own pages (SameSite=Strict, HttpOnly). ${BROWSER}`,
  },
  console: {
    type: 'apiKey',
    in: 'cookie',
    name: 'chartgate-console',
    description: `The session of a member who is signed in on the console (SameSite=Strict, HttpOnly), instead of a bearer token. ${BROWSER}`,
  },
  browser: {
    type: 'apiKey',
    in: 'cookie',
    name: 'chartgate-browser',
    description: `The secret of the browser, set at its first request, that its CSRF token is bound to. ${BROWSER}`,
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'x-csrf-token',
    description:
      'The `csrfToken` of `GET /account/session` or `GET /console/session`; a page of another origin is refused even with it.',
  },
} as const;

/** Whether the request must prove that our own page sent it. */
export const needsCsrfToken = ({ page, method }: EndpointDefinition): boolean =>
  page !== undefined && method !== 'GET';

/** The `security` of an operation; empty where neither a token nor a cookie is needed. */
export function buildSecurity(endpoint: EndpointDefinition): { security: SecurityRequirement[] } {
  const { audience } = endpoint;
  const proof: SecurityRequirement = needsCsrfToken(endpoint) ? { browser: [], csrf: [] } : {};
  if (endpoint.operatorToken) return { security: [{ operator: [] }] };
  const isOpen = audience.includes('anyone');
  if (takesSession(endpoint)) {
    const session: SecurityRequirement = endpoint.page === 'console' ? { console: [] } : { session: [] };
    return { security: [...(isOpen ? [proof] : []), { ...session, ...proof }] };
  }
  if (isOpen) return { security: needsCsrfToken(endpoint) ? [proof] : [] };
  if (!takesMember(endpoint)) return { security: [{ bearer: [] }] };
  const page: SecurityRequirement = endpoint.method === 'GET' ? {} : { browser: [], csrf: [] };
  return { security: [{ bearer: [] }, { console: [], ...page }] };
}

/** The refusals that follow from the audience, and from the method of an endpoint of our own pages. */
export function listAccessRefusals(endpoint: EndpointDefinition): Record<number, string> {
  const isOpen = endpoint.audience.includes('anyone');
  if (endpoint.page)
    return {
      ...(takesSession(endpoint) && !isOpen && { 401: 'not_signed_in' }),
      ...(needsCsrfToken(endpoint) && { 403: 'csrf: our own page did not send this' }),
    };
  if (isOpen) return {};
  return {
    ...(takesMember(endpoint) && { 400: 'two_credentials: a bearer token and a session of the console' }),
    401: 'The token is missing, invalid or expired',
    403:
      takesMember(endpoint) && endpoint.presence
        ? 'The token or the role does not permit this; of a session also csrf, setup_required or confirmation_required'
        : 'The token does not permit this',
  };
}
