import { takesSession, type EndpointDefinition } from '../endpoint.ts';

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
      'The `csrfToken` of `GET /account/session`; a page of another origin is refused even with it.',
  },
} as const;

/** Whether the request must prove that our own page sent it. */
export const needsCsrfToken = ({ page, method }: EndpointDefinition): boolean =>
  page === true && method !== 'GET';

/** The `security` of an operation; empty where neither a token nor a cookie is needed. */
export function buildSecurity(endpoint: EndpointDefinition): { security: SecurityRequirement[] } {
  const { audience } = endpoint;
  const proof: SecurityRequirement = needsCsrfToken(endpoint) ? { browser: [], csrf: [] } : {};
  if (endpoint.operatorToken) return { security: [{ operator: [] }] };
  const isOpen = audience.includes('anyone');
  if (takesSession(endpoint)) return { security: [...(isOpen ? [proof] : []), { session: [], ...proof }] };
  if (isOpen) return { security: needsCsrfToken(endpoint) ? [proof] : [] };
  return { security: [{ bearer: [] }] };
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
  return { 401: 'The token is missing, invalid or expired', 403: 'The token does not permit this' };
}
