import net from 'node:net';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import {
  OutboundFailedError,
  OutboundRefusedError,
  type OutboundResponse,
} from '../../../platform/outbound/request.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { createCoalescer } from '../../../platform/kernel/coalesce.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { validateClientMetadata, type Client } from './client-metadata.ts';

/** Finds clients whose id is the https URL of their metadata document (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * Returns null for a text that is no URL of a document, or has no acceptable document. `consumeQuota` runs before each
   * fetch and only then; it throws when the requester has used up its quota, and that result is not cached.
   */
  find(url: string, consumeQuota: () => Promise<void> | void): Promise<Client | null>;
}

interface Deps {
  outbound: OutboundClient;
  clock: Clock;
  enabled: boolean;
}

/** The draft advises 5 kB. */
const MAX_DOCUMENT_BYTES = 5120;
/** Short, since a browser waits. */
const FETCH_TIMEOUT_MS = 2500;
const MAX_CACHED = 1000;
/** Limits of the seconds that a document is cached, and the default. */
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

/** A shared secret in a public document is none. */
const ClientDocument = ClientRegistrationRequest.extend({
  client_id: z.string(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});

/** Parses a document; throws a `Refusal` for metadata that a registration would refuse too. */
function parseClientDocument(url: string, { status, headers, body }: OutboundResponse): Client | null {
  if (status !== 200 || !/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    return null;
  const document = ClientDocument.safeParse(tryParseJson(body));
  if (!document.success || document.data.client_id !== url) return null;
  const { clientName, ...metadata } = validateClientMetadata(document.data);
  return { clientId: url, name: clientName, host: new URL(url).hostname, ...metadata };
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
