import { Webhook } from 'standardwebhooks';
import { EventId } from '../../contract/brands.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { formatDuration } from './format-duration.ts';
import { revealAndTruncate } from './reveal-invisible.ts';

export const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
type SignedHeader = (typeof SIGNED_HEADERS)[number];

export interface ReceivedDelivery {
  /** All values that a header came with. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  body: Buffer;
  receivedAt: Date;
}

export type Step =
  | 'secret'
  | 'headers'
  | 'webhook-id'
  | 'webhook-timestamp'
  | 'webhook-signature'
  | 'signature';

export interface Finding {
  step: Step | 'envelope' | 'duplicate';
  message: string;
}

export interface Verdict {
  /** The secret that a signature was made with. */
  secret: string | null;
  /** The step that failed. */
  fault: Finding | null;
  notes: Finding[];
}

const TOLERANCE_SECONDS = 300;

const NO_SECRET: Finding = {
  step: 'secret',
  message:
    'There is no secret to verify with yet: paste the one that creating the webhook answered, and press Enter.',
};

/** Verifies a delivery with the official library; where that refuses it, finds out why. */
export function verifyDelivery(delivery: ReceivedDelivery, secrets: readonly string[]): Verdict {
  const headers = joinHeaders(delivery.headers);
  const findings = [...findDuplicateHeaders(delivery.headers), ...checkId(headers['webhook-id'])];
  for (const secret of secrets) {
    const error = catchError(() => new Webhook(secret).verify(delivery.body, headers, { jsonParse: false }));
    if (error === null)
      return { secret, fault: null, notes: [...findings, ...findWarnings(delivery, headers, secret)] };
  }
  const [fault, ...others] = [
    ...(secrets.length === 0 ? [NO_SECRET] : []),
    ...findMissingHeaders(headers),
    ...findings.filter(({ step }) => step === 'headers'),
    ...checkTimestamp(headers['webhook-timestamp'], delivery.receivedAt),
    ...checkSignatureHeader(headers['webhook-signature']),
    buildMismatchFinding(delivery, headers, secrets),
  ];
  const notes = [...findings.filter(({ step }) => step === 'webhook-id'), ...others];
  // That no secret matches says nothing more once something before it is wrong.
  return { secret: null, fault: fault ?? null, notes: notes.filter(({ step }) => step !== 'signature') };
}

type Headers = Record<SignedHeader, string>;

/** Joins repeated headers as Node and most servers do. */
const joinHeaders = (headers: ReceivedDelivery['headers']): Headers =>
  Object.fromEntries(SIGNED_HEADERS.map((name) => [name, headers[name]?.join(', ') ?? ''])) as Headers;

function catchError(verify: () => void): Error | null {
  try {
    verify();
    return null;
  } catch (error) {
    return error as Error;
  }
}

const findMissingHeaders = (headers: Headers): Finding[] =>
  SIGNED_HEADERS.filter((name) => headers[name] === '').map((name) => ({
    step: 'headers',
    message: `The header ${name} is missing or empty: this was not sent as a Standard Webhook, or a proxy on the way drops what it does not know.`,
  }));

const findDuplicateHeaders = (headers: ReceivedDelivery['headers']): Finding[] =>
  SIGNED_HEADERS.filter((name) => (headers[name]?.length ?? 0) > 1).map((name) => ({
    step: 'headers',
    message: `The header ${name} came ${headers[name]?.length} times: something on the way doubles it.`,
  }));

const checkId = (id: string): Finding[] =>
  id === '' || EventId.safeParse(id).success
    ? []
    : [
        {
          step: 'webhook-id',
          message: `webhook-id is not evt_ and the 26 characters of a ULID: "${revealAndTruncate(id)}" was changed on the way, or is not from Chartgate.`,
        },
      ];

function checkTimestamp(text: string, now: Date): Finding[] {
  if (text === '') return [];
  const toFindings = (message: string): Finding[] => [{ step: 'webhook-timestamp', message }];
  // The way the library reads it.
  const seconds = Number.parseInt(text, 10);
  if (Number.isNaN(seconds))
    return toFindings(`webhook-timestamp is no number of seconds: "${revealAndTruncate(text)}".`);
  const age = Math.floor(now.getTime() / 1000) - seconds;
  if (Math.abs(age) <= TOLERANCE_SECONDS) return [];
  if (Math.abs(now.getTime() - seconds) <= 1000 * TOLERANCE_SECONDS)
    return toFindings('webhook-timestamp is in milliseconds; it must be in seconds.');
  const limit = 'more than five minutes are refused';
  if (age > 0)
    return toFindings(
      `webhook-timestamp is ${formatDuration(age)} old; ${limit}, so that a recorded delivery cannot be sent again. Each attempt has its own: this one was kept on the way or replayed, or a clock is wrong.`,
    );
  return toFindings(
    `webhook-timestamp is ${formatDuration(age)} in the future; ${limit}. The clock here or there is wrong.`,
  );
}

function checkSignatureHeader(text: string): Finding[] {
  if (text === '') return [];
  const signatures = text.split(' ');
  const toFindings = (message: string): Finding[] => [{ step: 'webhook-signature', message }];
  const supported = signatures.filter((signature) => signature.startsWith('v1,'));
  if (supported.length > 0) return [];
  if (signatures.some((signature) => signature.startsWith('v1a,')))
    return toFindings(
      'webhook-signature has only v1a signatures, which a public key verifies and no whsec_ secret.',
    );
  return toFindings('webhook-signature has no signature that begins with "v1,".');
}

const buildMismatchFinding = (
  { body }: ReceivedDelivery,
  headers: Headers,
  secrets: readonly string[],
): Finding => ({
  step: 'signature',
  message: explainMismatch(
    { id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], body },
    headers['webhook-signature'],
    secrets,
  ),
});

/** Lists what other receivers would stumble over in a genuine delivery, and a rotation of secrets. */
function findWarnings(
  { headers: rawHeaders, body }: ReceivedDelivery,
  headers: Headers,
  secret: string,
): Finding[] {
  const notes: Finding[] = [];
  const { 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (!/^\d+$/.test(timestamp))
    notes.push({
      step: 'webhook-timestamp',
      message: 'webhook-timestamp holds more than digits: other libraries refuse it.',
    });
  const expected = new Webhook(secret).sign(
    headers['webhook-id'],
    new Date(Number.parseInt(timestamp, 10) * 1000),
    body,
  );
  if (signature.split(' ').indexOf(expected) > 0)
    notes.push({
      step: 'signature',
      message: 'The secret was rotated: a newer one signs too, and this one ends with the overlap.',
    });
  const [type] = rawHeaders['content-type'] ?? [];
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    notes.push({ step: 'headers', message: 'content-type is not application/json.' });
  return notes;
}
