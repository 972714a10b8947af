import net from 'node:net';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import { OutboundFailedError, OutboundRefusedError } from '../../../platform/outbound/outbound-error.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { OutboundResponse } from '../../../platform/outbound/request.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createCoalescer } from '../../../platform/kernel/coalesce.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { validateClientMetadata, GRANT_TYPES } from './client-metadata.ts';
import type { Client } from './client.ts';

/** Clients that are the https URL of a document about them (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * null: no URL of a document, or no acceptable document at it. `spend` is asked before each fetch, and only then; it
   * throws when whoever asks has had enough of them, which is remembered of nobody.
   */
  find(url: string, consumeQuota: () => Promise<void> | void): Promise<Client | null>;
}

interface Deps {
  outbound: OutboundClient;
  clock: Clock;
  enabled: boolean;
}

/** Bytes; the draft advises 5 kB. */
const MAX_DOCUMENT_BYTES = 5120;
/** Milliseconds: a browser waits. */
const FETCH_TIMEOUT_MS = 2500;
const MAX_CACHED = 1000;
/** Seconds for which a document is believed, whatever its server says, and when it says nothing. */
const TTL_SECONDS = { min: 30, max: 24 * 60 * 60, fallback: 5 * 60 };
const FAILURE_TTL_SECONDS = 30;

interface FetchResult {
  client: Client | null;
  seconds: number;
}

export function createClientDocuments({ outbound, clock, enabled }: Deps): ClientDocuments {
  const cache = new LRUCache<string, { client: Client | null; until: number }>({ max: MAX_CACHED });
  const fetches = createCoalescer(async (url) => {
    const { client, seconds } = await fetchDocument(outbound, url);
    cache.set(url, { client, until: clock.now().getTime() + seconds * 1000 });
    return client;
  });

  return {
    async find(url, consumeQuota) {
      if (!enabled || !isDocumentUrl(url)) return null;
      const cached = cache.get(url);
      if (cached && cached.until > clock.now().getTime()) return cached.client;
      if (!fetches.isRunning(url)) await consumeQuota();
      return fetches.run(url);
    },
  };
}

/**
 * The draft's §3, and what `new URL` would change is refused, so that there is one spelling of each client: among it
 * dot segments, upper-case hosts, default ports. A query would make any number of clients of one document.
 */
export function isDocumentUrl(text: string): boolean {
  const url = text.length <= 2000 ? URL.parse(text) : null;
  if (url === null || url.href !== text || url.protocol !== 'https:' || /[@?#]/.test(text)) return false;
  const { hostname, port, pathname } = url;
  const isName = /[^.]\.[^.]+$/.test(hostname) && net.isIP(hostname) === 0;
  return isName && port === '' && pathname !== '/';
}

async function fetchDocument(outbound: OutboundClient, url: string): Promise<FetchResult> {
  try {
    const response = await outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: MAX_DOCUMENT_BYTES,
    });
    const client = parseClientDocument(url, response);
    return { client, seconds: client ? resolveTtl(response.headers['cache-control']) : FAILURE_TTL_SECONDS };
  } catch (error) {
    if (
      error instanceof OutboundRefusedError ||
      error instanceof OutboundFailedError ||
      error instanceof Refusal
    ) {
      return { client: null, seconds: FAILURE_TTL_SECONDS };
    }
    throw error;
  }
}

/** A shared secret in a document that everybody can read is none. */
const ClientDocument = ClientRegistrationRequest.extend({
  client_id: z.string(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});

/** Throws a `Refusal` for metadata that a registration could not have either. */
function parseClientDocument(url: string, { status, headers, body }: OutboundResponse): Client | null {
  if (status !== 200 || !/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    return null;
  const document = ClientDocument.safeParse(tryParseJson(body));
  if (!document.success || document.data.client_id !== url) return null;
  const { clientName, ...metadata } = validateClientMetadata(dropUnsupported(document.data));
  return { clientId: url, name: clientName, host: new URL(url).hostname, ...metadata };
}

/** A registration is addressed to us, a document to every server: what it wants of others besides is not held against it. */
function dropUnsupported(
  document: z.infer<typeof ClientDocument>,
): z.infer<typeof ClientRegistrationRequest> {
  const { grant_types: grants, response_types: responses, ...rest } = document;
  return {
    ...rest,
    ...(grants && { grant_types: grants.filter((type) => GRANT_TYPES.includes(type)) }),
    ...(responses && { response_types: responses.filter((type) => type === 'code') }),
  };
}

function tryParseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

/** RFC 9111 §5.2.2.1. No answer is kept shorter than `least`, or one client could make us fetch at every request. */
function resolveTtl(cacheControl = ''): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl) ?? [];
  const maxAge = /\bno-(store|cache)\b/i.test(cacheControl) ? 0 : Number(seconds ?? TTL_SECONDS.fallback);
  return Math.min(TTL_SECONDS.max, Math.max(TTL_SECONDS.min, maxAge));
}
