import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createBaseUrlResolver, moveToBaseUrl } from './base-url.ts';
import { forbidden } from '../kernel/refusal.ts';
import { generateSecret } from '../kernel/secret.ts';

/** A browser that visits our pages. */
export interface BrowserContext {
  /** The secret that this browser alone holds; generated at its first visit. */
  readonly browser: string;
  /** The token that the page sends with a request to prove that the request comes from it. */
  readonly csrfToken: string;
  /** What the browser says of itself: anything may stand there. */
  readonly userAgent: string | undefined;
  /** The value of the session cookie, as it was passed to `setSession`. */
  readonly session: string | null;
  /** Sets the session cookie; null clears it. */
  setSession(value: string | null): void;
}

export interface BrowserCookies {
  /** Returns the browser of a request, the same at every call; sets its cookie when it has none. */
  getContext(request: FastifyRequest, reply: FastifyReply): BrowserContext;
  /** Throws `csrf` for a request that our own page did not send. */
  requireCsrfToken(request: FastifyRequest, context: BrowserContext): void;
}

/**
 * Creates the cookies of our pages. The browser's cookie is Lax, since the site of a client redirects here; the
 * session's is Strict, since only our page uses it. Under https both carry the `__Host-` prefix, so that no sibling
 * domain can plant one.
 */
export function createBrowserCookies({
  baseUrl,
  consentAppUrl,
}: {
  baseUrl: string;
  consentAppUrl: string;
}): BrowserCookies {
  const secure = baseUrl.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const names = { browser: `${prefix}chartgate-browser`, session: `${prefix}chartgate-session` };
  const cookie = { path: '/', httpOnly: true, secure } as const;
  const isOurOrigin = createOriginCheck(baseUrl, consentAppUrl);

  const seen = new WeakMap<FastifyRequest, BrowserContext>();

  const createContext = (request: FastifyRequest, reply: FastifyReply): BrowserContext => {
    const known = request.cookies[names.browser];
    const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : generateSecret('');
    if (browser !== known) reply.setCookie(names.browser, browser, { ...cookie, sameSite: 'lax' });
    return {
      browser,
      get csrfToken() {
        return deriveCsrfToken(browser);
      },
      userAgent: request.headers['user-agent'],
      session: request.cookies[names.session] ?? null,
      setSession(value) {
        if (value === null) reply.clearCookie(names.session, { ...cookie, sameSite: 'strict' });
        else reply.setCookie(names.session, value, { ...cookie, sameSite: 'strict' });
      },
    };
  };

  return {
    getContext(request, reply) {
      const context = seen.get(request) ?? createContext(request, reply);
      seen.set(request, context);
      return context;
    },
    requireCsrfToken(request, { csrfToken }) {
      const { origin, 'sec-fetch-site': site, 'x-csrf-token': actual } = request.headers;
      const isCrossOrigin =
        (origin !== undefined && !isOurOrigin(request, origin)) ||
        (site !== undefined && site !== 'same-origin');
      if (isCrossOrigin || typeof actual !== 'string' || !isSameToken(actual, csrfToken)) {
        throw forbidden('Only our own page may send this request; reload the page.', 'csrf');
      }
    },
  };
}

/** Creates the check that an origin is that of our pages, under the name that the browser called. */
function createOriginCheck(baseUrl: string, consentAppUrl: string) {
  const resolveBaseUrl = createBaseUrlResolver(baseUrl);
  return (request: FastifyRequest, origin: string): boolean => {
    const called = resolveBaseUrl(request);
    const pages = [called, moveToBaseUrl(consentAppUrl, { from: baseUrl, to: called })];
    return pages.some((url) => new URL(url).origin === origin);
  };
}

/**
 * Derives the token from the browser's secret, so that nothing is stored and another browser's token does not match.
 */
const deriveCsrfToken = (browser: string): string =>
  createHmac('sha256', browser).update('csrf').digest('base64url');

function isSameToken(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
