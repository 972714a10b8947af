import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';

/** Takes JSON bodies in place of what the framework takes. */
export function acceptJson(app: App): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  acceptJsonAs(app, 'application/json');
}

/** Parses bodies of a type as JSON; an empty one becomes `undefined`, so that an optional body may be empty under any client. */
export function acceptJsonAs(app: App, contentType: string): void {
  app.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const text = decodeBody(request.headers['content-type'], body as Buffer);
      return done(null, text.trim() === '' ? undefined : parseJson(text));
    } catch (error) {
      return done(error as Error);
    }
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The parameter of RFC 9110 §8.3.2; of JSON it has no meaning, but says how whoever sent it has written. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * Decodes a body of JSON, which is UTF-8 (RFC 8259 §8.1): of other bytes U+FFFD would be stored, in place of a letter of somebody's
 * name. Throws `malformed_json`, and 415 where the header names another charset.
 */
export function decodeBody(contentType: string | undefined, body: Buffer): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw new Refusal(415, 'unsupported_media_type', { detail: 'JSON is taken in UTF-8 alone.' });
  try {
    return UTF8.decode(body);
  } catch {
    throw new Refusal(400, 'malformed_json', { detail: 'The body is not UTF-8.' });
  }
}

/** Far above what any endpoint takes. Whoever walks through a body recursively would overflow the stack: 500, without a sign-in. */
const MAX_DEPTH = 100;

/** Whether a value of JSON is nested deeper than is taken, and in which words that is refused. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_DEPTH, value);
export const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;

function parseJson(text: string): unknown {
  const value = tryParse(text);
  if (isTooDeep(value)) throw new Refusal(400, 'malformed_json', { detail: `The body is ${TOO_DEEP}.` });
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'malformed_json', { detail: 'The body is not well-formed JSON.' });
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));
