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

/** What names a secret, in JSON, in a form, in a header or in a URL; `code` is one in a URL alone, elsewhere it is that of the fault. */
const SECRET_NAME =
  '[\\w-]{0,40}(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|credential|session[_-]?id)s?';

/** Values of secrets, of which the name stays. */
const NAMED_SECRETS: readonly [RegExp, string][] = [
  [/\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'<>]{1,256}@/gi, `$1${REDACTED}@`],
  [
    new RegExp(
      `\\b(${SECRET_NAME}["']?\\s{0,5}[:=]\\s{0,5})("[^"]*"?|'[^']*'?|[^\\s&;,"'<>{}\\[\\]]+)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [/([?&;](?:code|state|sig|signature)=)[^\s&;"'<>]+/gi, `$1${REDACTED}`],
];

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
  const unnamed = NAMED_SECRETS.reduce((rest, [secret, kept]) => rest.replaceAll(secret, kept), plain);
  return SECRET_PATTERNS.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), unnamed);
}
