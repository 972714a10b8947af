import net from 'node:net';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ClientRegistrationRequest } from '../../../contract/oauth.ts';
import { EgressFailed, EgressRefused } from '../../egress/egress-error.ts';
import type { Egress } from '../../egress/egress.ts';
import type { EgressAnswer } from '../../egress/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { checkClientMetadata, GRANT_TYPES } from './client-metadata.ts';
import type { Client } from './client.ts';

/** Clients that are the https URL of a document about them (draft-ietf-oauth-client-id-metadata-document). */
export interface ClientDocuments {
  /**
   * null: no URL of a document, or no acceptable document at it. `spend` is asked before each fetch, and only then; it
   * throws when whoever asks has had enough of them, which is remembered of nobody.
   */
  find(url: string, spend: () => Promise<void> | void): Promise<Client | null>;
}

interface Deps {
  egress: Egress;
  clock: Clock;
  enabled: boolean;
}

/** Bytes; the draft advises 5 kB. */
const LARGEST_DOCUMENT = 5120;
/** Milliseconds: a browser waits. */
const PATIENCE = 2500;
const REMEMBERED = 1000;
/** Seconds for which a document is believed, whatever its server says, and when it says nothing. */
const BELIEVED = { least: 30, most: 24 * 60 * 60, usually: 5 * 60 };
const FAILURE_REMEMBERED = 30;

interface Found {
  client: Client | null;
  seconds: number;
}

export function clientDocuments({ egress, clock, enabled }: Deps): ClientDocuments {
  const remembered = new LRUCache<string, { client: Client | null; until: number }>({ max: REMEMBERED });
  const underWay = new Map<string, Promise<Client | null>>();

  async function fetchOnce(url: string): Promise<Client | null> {
    try {
      const { client, seconds } = await fetchDocument(egress, url);
      remembered.set(url, { client, until: clock.now().getTime() + seconds * 1000 });
      return client;
    } finally {
      underWay.delete(url);
    }
  }

  return {
    async find(url, spend) {
      if (!enabled || !isDocumentUrl(url)) return null;
      const known = remembered.get(url);
      if (known && known.until > clock.now().getTime()) return known.client;
      if (!underWay.has(url)) await spend();
      const fetching = underWay.get(url) ?? fetchOnce(url);
      underWay.set(url, fetching);
      return fetching;
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

async function fetchDocument(egress: Egress, url: string): Promise<Found> {
  try {
    const answer = await egress.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: PATIENCE,
      maxBytes: LARGEST_DOCUMENT,
    });
    const client = clientOf(url, answer);
    return { client, seconds: client ? believedFor(answer.headers['cache-control']) : FAILURE_REMEMBERED };
  } catch (error) {
    if (error instanceof EgressRefused || error instanceof EgressFailed || error instanceof Refusal) {
      return { client: null, seconds: FAILURE_REMEMBERED };
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
function clientOf(url: string, { status, headers, body }: EgressAnswer): Client | null {
  if (status !== 200 || !/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers['content-type'] ?? ''))
    return null;
  const document = ClientDocument.safeParse(parsed(body));
  if (!document.success || document.data.client_id !== url) return null;
  const { clientName, ...metadata } = checkClientMetadata(forUs(document.data));
  return { clientId: url, name: clientName, host: new URL(url).hostname, ...metadata };
}

/** A registration is addressed to us, a document to every server: what it wants of others besides is not held against it. */
function forUs(document: z.infer<typeof ClientDocument>): z.infer<typeof ClientRegistrationRequest> {
  const { grant_types: grants, response_types: responses, ...rest } = document;
  return {
    ...rest,
    ...(grants && { grant_types: grants.filter((type) => GRANT_TYPES.includes(type)) }),
    ...(responses && { response_types: responses.filter((type) => type === 'code') }),
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

/** RFC 9111 §5.2.2.1. No answer is kept shorter than `least`, or one client could make us fetch at every request. */
function believedFor(cacheControl = ''): number {
  const [, seconds] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl) ?? [];
  const asked = /\bno-(store|cache)\b/i.test(cacheControl) ? 0 : Number(seconds ?? BELIEVED.usually);
  return Math.min(BELIEVED.most, Math.max(BELIEVED.least, asked));
}
