import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../kernel/refusal.ts';
import { generateSecret } from '../kernel/secret.ts';

/** A browser on our pages. */
export interface BrowserContext {
  /** The secret that this browser alone holds; made at its first visit. */
  readonly browser: string;
  /** What the page sends back to prove that a request comes from it. */
  readonly csrfToken: string;
  /** The session's cookie, as `setSession` was given it. */
  readonly session: string | null;
  /** null ends it. */
  setSession(value: string | null): void;
}

export interface BrowserCookies {
  /** The browser of a request, the same whenever it is asked; gives it its cookie when it has none. */
  getContext(request: FastifyRequest, reply: FastifyReply): BrowserContext;
  /** Refuses (`csrf`) what our own page did not send. */
  requireCsrfToken(request: FastifyRequest, context: BrowserContext): void;
}

/**
 * The browser's cookie is Lax, since a client's site leads it here; the session's is Strict, since only our page uses
 * it. Under https both carry the `__Host-` prefix, so that no neighbour domain can plant one.
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
  const origins = new Set([baseUrl, consentAppUrl].map((url) => new URL(url).origin));

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
    requireCsrfToken({ headers }, { csrfToken }) {
      const { origin, 'sec-fetch-site': site, 'x-csrf-token': actual } = headers;
      const isCrossOrigin =
        (origin !== undefined && !origins.has(origin)) || (site !== undefined && site !== 'same-origin');
      if (isCrossOrigin || typeof actual !== 'string' || !isSameToken(actual, csrfToken)) {
        throw forbidden('This must be sent by our own page; load it anew.', 'csrf');
      }
    },
  };
}

/** Bound to the browser's secret, so nothing needs to be stored and no other browser's token fits. */
const deriveCsrfToken = (browser: string): string =>
  createHmac('sha256', browser).update('csrf').digest('base64url');

function isSameToken(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
