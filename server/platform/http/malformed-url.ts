import type { IncomingMessage } from 'node:http';
import type { onRequestAsyncHookHandler } from 'fastify';
import { decodeUri } from '../kernel/decode-uri.ts';
import { Refusal } from '../kernel/refusal.ts';

type RewriteUrl = (request: { method?: string | undefined; url?: string | undefined }) => string;

/** `http://host/path`, as proxies are asked (RFC 9112 §3.2.2): the path alone says what is meant. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * Creates what refuses URLs whose path is not well-formed. The router would answer them by itself, before any hook and in no
 * dialect: so their percent signs are encoded, which brings them to the route or to the 404 of their surface, and the hook refuses them
 * there.
 */
export function createMalformedUrlCheck(rewrite: RewriteUrl): {
  rewriteUrl(request: IncomingMessage): string;
  refuseMalformed: onRequestAsyncHookHandler;
} {
  const malformed = new WeakSet<IncomingMessage>();
  return {
    rewriteUrl(request) {
      const target = (request.url ?? '').replace(ABSOLUTE_FORM, '');
      const url = rewrite({ method: request.method, url: target.startsWith('/') ? target : `/${target}` });
      const [path = ''] = /^[^?#]*/.exec(url) ?? [];
      if (decodeUri(path) !== null) return url;
      malformed.add(request);
      return path.replaceAll('%', '%25');
    },
    refuseMalformed: async ({ raw }) => {
      if (malformed.has(raw))
        throw new Refusal(400, 'invalid_url', { detail: 'The path of the URL is not well-formed.' });
    },
  };
}
