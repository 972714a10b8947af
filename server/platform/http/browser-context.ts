import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createBaseUrlResolver, moveToBaseUrl } from './base-url.ts';
import { createHiddenProperty } from '../kernel/hidden-property.ts';
import { forbidden, type Refusal } from '../kernel/refusal.ts';
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

/** Whose session a cookie holds: a patient's, or that of a member of an organization, who may be a patient too. */
export type SessionKind = 'account' | 'console';

export interface BrowserCookies {
  /** Returns the browser of a request, the same at every call; sets its cookie when it has none. */
  getContext(request: FastifyRequest, reply: FastifyReply, kind: SessionKind): BrowserContext;
  /** Whether the request has the cookie of a session, in force or not. */
  hasSession(request: FastifyRequest, kind: SessionKind): boolean;
  /** Throws `csrf` for a request that a page of another origin sent, as far as the browser says so. */
  requireOwnOrigin(request: FastifyRequest): void;
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
  const browserName = `${prefix}chartgate-browser`;
  const sessionNames = { account: `${prefix}chartgate-session`, console: `${prefix}chartgate-console` };
  const cookie = { path: '/', httpOnly: true, secure } as const;

  const seen = createHiddenProperty<FastifyRequest, BrowserContext>('browser');

  const createContext = (request: FastifyRequest, reply: FastifyReply, kind: SessionKind): BrowserContext => {
    const sessionName = sessionNames[kind];
    const known = request.cookies[browserName];
    const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : generateSecret('');
    if (browser !== known) reply.setCookie(browserName, browser, { ...cookie, sameSite: 'lax' });
    return {
      browser,
      get csrfToken() {
        return deriveCsrfToken(browser);
      },
      userAgent: request.headers['user-agent'],
      session: request.cookies[sessionName] ?? null,
      setSession(value) {
        if (value === null) reply.clearCookie(sessionName, { ...cookie, sameSite: 'strict' });
        else reply.setCookie(sessionName, value, { ...cookie, sameSite: 'strict' });
      },
    };
  };

  return {
    getContext(request, reply, kind) {
      const context = seen.get(request) ?? createContext(request, reply, kind);
      seen.set(request, context);
      return context;
    },
    hasSession: (request, kind) => request.cookies[sessionNames[kind]] !== undefined,
    ...createProofChecks(createOriginCheck(baseUrl, consentAppUrl)),
  };
}

/** Creates the checks that a request was sent by a page of ours, in the browser that holds the cookies. */
function createProofChecks(
  isOurOrigin: (request: FastifyRequest, origin: string) => boolean,
): Pick<BrowserCookies, 'requireOwnOrigin' | 'requireCsrfToken'> {
  return {
    requireOwnOrigin(request) {
      // `none`: the person typed the address, or followed a bookmark.
      const { origin, 'sec-fetch-site': site } = request.headers;
      const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
      if (isForeign || (origin !== undefined && !isOurOrigin(request, origin))) throw foreignPage();
    },
    requireCsrfToken(request, { csrfToken }) {
      const { origin, 'sec-fetch-site': site, 'x-csrf-token': actual } = request.headers;
      const isCrossOrigin =
        (origin !== undefined && !isOurOrigin(request, origin)) ||
        (site !== undefined && site !== 'same-origin');
      if (isCrossOrigin || typeof actual !== 'string' || !isSameToken(actual, csrfToken)) throw foreignPage();
    },
  };
}

const foreignPage = (): Refusal =>
  forbidden('Only our own page may send this request; reload the page.', 'csrf');

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
