import { MAX_EXCERPT_BYTES } from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { OutboundResponse } from '../../../platform/outbound/request.ts';

/** Headers that help to find a fault; never cookies, challenges or other details of the server. */
const LOGGED_HEADERS = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'via',
  'x-request-id',
];

const REDACTED = '[redacted]';

/** What an answer may hold that the log must not store: e-mail addresses, phone and social security numbers, tokens, secrets. */
const SECRET_PATTERNS = [
  /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}/gu,
  /\beyJ[\w-]{5,1000}\.[\w-]{1,2000}(?:\.[\w-]{0,2000}){0,3}/g,
  /\bwhsec_[\w+/=-]+/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|xox[abprs]|gh[opsu]|AKIA)[_-]?\w{16,}/g,
  /\b\d{3}-\d{2}-\d{4}\b/g,
  /(?<![\w.])\+?\d[\d ().-]{7,24}\d(?![\w.])/g,
  /\b[a-f\d]{32,}\b/gi,
];

export interface ResponseExcerpt {
  status: number;
  headers: Record<string, string>;
  body: string;
  truncated: boolean;
}

/** Returns the part of an answer that the log stores for finding a fault. */
export function buildExcerpt({
  status,
  headers,
  body,
  truncated = false,
}: OutboundResponse): ResponseExcerpt {
  const text = redact(body.subarray(0, MAX_EXCERPT_BYTES).toString('utf8'));
  return {
    status,
    headers: pickHeaders(headers),
    body: text.slice(0, MAX_EXCERPT_BYTES),
    truncated: truncated || body.length > MAX_EXCERPT_BYTES,
  };
}

const pickHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    LOGGED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, redact(String(value)).slice(0, 500)]];
    }),
  );

/** Also replaces characters that the database rejects or that a terminal would interpret. */
function redact(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is replaced
  const plain = text.toWellFormed().replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
  return SECRET_PATTERNS.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), plain);
}
