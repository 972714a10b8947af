import net from 'node:net';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import type { OutboundResponse } from '../../../platform/outbound/request.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createCoalescer } from '../../../platform/kernel/coalesce.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { unknownClient } from '../oauth-refusal.ts';
import {
  describeFault,
  MAX_DOCUMENT_BYTES,
  requireDocument,
  toDocumentRefusal,
  unacceptable,
} from './document-fault.ts';
import { validateClientMetadata, type Client } from './client-metadata.ts';
import { findRedirectUriError } from './redirect-uri.ts';

/** Finds clients whose id is the https URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * Returns null for a text that is no URL; throws a `Refusal` that says what is wrong with a URL or its document. `consumeQuota`
   * runs before each fetch and only then; it throws when the requester has used up its quota, and that result is not cached.
   */
  find(url: string, consumeQuota: () => Promise<void> | void): Promise<Client | null>;
}

interface Deps {
  outbound: OutboundClient;
  clock: Clock;
  enabled: boolean;
}

/** Short, since a browser waits. */
const FETCH_TIMEOUT_MS = 2500;
const MAX_CACHED = 1000;
/** Limits of the seconds that a document is cached, and the default. */
const TTL_SECONDS = { min: 30, max: 24 * 60 * 60, fallback: 5 * 60 };
const FAILURE_TTL_SECONDS = 30;

type Outcome = Client | Refusal;

export function createClientDocuments({ outbound, clock, enabled }: Deps): ClientDocuments {
  const cache = new LRUCache<string, { outcome: Outcome; until: number }>({ max: MAX_CACHED });
  const fetches = createCoalescer(async (url) => {
    const { outcome, seconds } = await fetchDocument(outbound, url);
    cache.set(url, { outcome, until: clock.now().getTime() + seconds * 1000 });
    return outcome;
  });

  return {
    async find(url, consumeQuota) {
      if (!/^https?:/i.test(url)) return null;
      if (!enabled)
        throw unknownClient('Metadata documents are not taken here; register the client instead.');
      if (!isDocumentUrl(url)) throw unknownClient(`client_id ${URL_RULE}.`);
      const cached = cache.get(url);
      if (cached && cached.until > clock.now().getTime()) return requireClient(cached.outcome);
      if (!fetches.isRunning(url)) await consumeQuota();
      return requireClient(await fetches.run(url));
    },
  };
}

/** A refusal is made anew for each who gets it, so that none has the stack of another. */
function requireClient(outcome: Outcome): Client {
  if (!(outcome instanceof Refusal)) return outcome;
  const { status, code, message, reason } = outcome;
  throw new Refusal(status, code, { detail: message, ...(reason !== null && { reason }) });
}

const URL_RULE =
  'must be the https URL of a metadata document as `new URL` spells it: a host name and a path, without port, query, fragment, user and dot segments';

/**
 * True for a URL as the draft's §3 wants it, in the spelling of `new URL`, so that each client has one spelling: no dot
 * segments, upper-case hosts or default ports. A query is refused, since it would make any number of clients of one document.
 */
export function isDocumentUrl(text: string): boolean {
  const url = text.length <= 2000 ? URL.parse(text) : null;
  if (url === null || url.href !== text || url.protocol !== 'https:' || /[@?#]/.test(text)) return false;
  const { hostname, port, pathname } = url;
  const isName = /[^.]\.[^.]+$/.test(hostname) && net.isIP(hostname) === 0;
  return isName && port === '' && pathname !== '/';
}

async function fetchDocument(
  outbound: OutboundClient,
  url: string,
): Promise<{ outcome: Outcome; seconds: number }> {
  try {
    const response = await outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_DOCUMENT_BYTES,
    });
    const client = parseClientDocument(url, response);
    return { outcome: client, seconds: resolveTtl(response.headers['cache-control']) };
  } catch (error) {
    const refusal = toDocumentRefusal(error, new URL(url).hostname);
    if (refusal === null) throw error;
    return { outcome: refusal, seconds: FAILURE_TTL_SECONDS };
  }
}

/** A shared secret in a public document is none. */
const ClientDocument = ClientRegistrationRequest.extend({
  client_id: z.string(),
  client_secret: z.undefined().nullish(),
  client_secret_expires_at: z.undefined().nullish(),
});

/** Parses a document; throws a `Refusal` that quotes nothing of it. */
function parseClientDocument(url: string, { status, headers, body }: OutboundResponse): Client {
  requireDocument({ status, headers });
  const json = tryParseJson(body);
  if (json === null) throw unacceptable('is no JSON in UTF-8');
  const document = ClientDocument.safeParse(json);
  if (!document.success) throw unacceptable(describeFault(document.error));
  if (document.data.client_id !== url) throw unacceptable('has a client_id that is not its own URL');
  const { clientName, ...metadata } = validateClientMetadata(withUsableRedirectUris(document.data));
  return { clientId: url, name: clientName, host: new URL(url).hostname, ...metadata };
}

/** Leaves out redirect URIs that are not taken here: a document addresses all servers. With none left, the first says why. */
function withUsableRedirectUris<T extends { redirect_uris: string[] }>(document: T): T {
  const usable = document.redirect_uris.filter((uri) => findRedirectUriError(uri) === null);
  return usable.length > 0 ? { ...document, redirect_uris: usable } : document;
}

function tryParseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

/** RFC 9111 §5.2.2.1. No document is cached for less than the minimum, or a client could cause a fetch at every request. */
function resolveTtl(cacheControl = ''): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl) ?? [];
  const maxAge = /\bno-(store|cache)\b/i.test(cacheControl) ? 0 : Number(seconds ?? TTL_SECONDS.fallback);
  return Math.min(TTL_SECONDS.max, Math.max(TTL_SECONDS.min, maxAge));
}
