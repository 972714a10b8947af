import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../kernel/refusal.ts';
import { newSecret } from '../kernel/secret.ts';

/** A browser on our pages. */
export interface Visitor {
  /** The secret that this browser alone holds; made at its first visit. */
  readonly browser: string;
  /** What the page sends back to prove that a request comes from it. */
  readonly csrfToken: string;
  /** The session's cookie, as `setSession` was given it. */
  readonly session: string | null;
  /** null ends it. */
  setSession(value: string | null): void;
}

export interface Visitors {
  /** The browser of a request, the same whenever it is asked; gives it its cookie when it has none. */
  of(request: FastifyRequest, reply: FastifyReply): Visitor;
  /** Refuses (`csrf`) what our own page did not send. */
  demandOwnPage(request: FastifyRequest, visitor: Visitor): void;
}

/**
 * The browser's cookie is Lax, since a client's site leads it here; the session's is Strict, since only our page uses
 * it. Under https both carry the `__Host-` prefix, so that no neighbour domain can plant one.
 */
export function visitors({ baseUrl, consentAppUrl }: { baseUrl: string; consentAppUrl: string }): Visitors {
  const secure = baseUrl.startsWith('https:');
  const prefix = secure ? '__Host-' : '';
  const names = { browser: `${prefix}chartgate-browser`, session: `${prefix}chartgate-session` };
  const cookie = { path: '/', httpOnly: true, secure } as const;
  const origins = new Set([baseUrl, consentAppUrl].map((url) => new URL(url).origin));

  const seen = new WeakMap<FastifyRequest, Visitor>();

  const visitorOf = (request: FastifyRequest, reply: FastifyReply): Visitor => {
    const known = request.cookies[names.browser];
    const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : newSecret('');
    if (browser !== known) reply.setCookie(names.browser, browser, { ...cookie, sameSite: 'lax' });
    return {
      browser,
      get csrfToken() {
        return csrfTokenOf(browser);
      },
      session: request.cookies[names.session] ?? null,
      setSession(value) {
        if (value === null) reply.clearCookie(names.session, { ...cookie, sameSite: 'strict' });
        else reply.setCookie(names.session, value, { ...cookie, sameSite: 'strict' });
      },
    };
  };

  return {
    of(request, reply) {
      const visitor = seen.get(request) ?? visitorOf(request, reply);
      seen.set(request, visitor);
      return visitor;
    },
    demandOwnPage({ headers }, { csrfToken }) {
      const { origin, 'sec-fetch-site': site, 'x-csrf-token': given } = headers;
      const foreign =
        (origin !== undefined && !origins.has(origin)) || (site !== undefined && site !== 'same-origin');
      if (foreign || typeof given !== 'string' || !same(given, csrfToken)) {
        throw forbidden('This must be sent by our own page; load it anew.', 'csrf');
      }
    },
  };
}

/** Bound to the browser's secret, so nothing needs to be stored and no other browser's token fits. */
const csrfTokenOf = (browser: string): string =>
  createHmac('sha256', browser).update('csrf').digest('base64url');

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
