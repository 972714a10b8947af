import { Webhook } from 'standardwebhooks';
import { EventId } from '../../contract/ids.ts';
import { mismatchReason } from './explain-mismatch.ts';
import { span } from './time-words.ts';
import { brief } from './visible-text.ts';

export const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
type SignedHeader = (typeof SIGNED_HEADERS)[number];

export interface Received {
  /** Every value that a header came with. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  body: Buffer;
  receivedAt: Date;
}

export type Step = 'headers' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature' | 'signature';

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

/** Is the delivery genuine? The official library says so; why it is not is found out here. */
export function verifyDelivery(received: Received, secrets: readonly string[]): Verdict {
  const headers = joined(received.headers);
  const findings = [...doubled(received.headers), ...oddId(headers['webhook-id'])];
  for (const secret of secrets) {
    const refusal = refusalOf(() => new Webhook(secret).verify(received.body, headers, { jsonParse: false }));
    if (refusal === null)
      return { secret, fault: null, notes: [...findings, ...looseEnds(received, headers, secret)] };
  }
  const [fault, ...others] = [
    ...missing(headers),
    ...findings.filter(({ step }) => step === 'headers'),
    ...badTimestamp(headers['webhook-timestamp'], received.receivedAt),
    ...noSignature(headers['webhook-signature']),
    mismatch(received, headers, secrets),
  ];
  const notes = [...findings.filter(({ step }) => step === 'webhook-id'), ...others];
  // That no secret matches says nothing more once something before it is wrong.
  return { secret: null, fault: fault ?? null, notes: notes.filter(({ step }) => step !== 'signature') };
}

type Headers = Record<SignedHeader, string>;

/** As Node and most servers hand doubled headers over. */
const joined = (headers: Received['headers']): Headers =>
  Object.fromEntries(SIGNED_HEADERS.map((name) => [name, headers[name]?.join(', ') ?? ''])) as Headers;

function refusalOf(verify: () => void): Error | null {
  try {
    verify();
    return null;
  } catch (error) {
    return error as Error;
  }
}

const missing = (headers: Headers): Finding[] =>
  SIGNED_HEADERS.filter((name) => headers[name] === '').map((name) => ({
    step: 'headers',
    message: `The header ${name} is missing or empty: this was not sent as a Standard Webhook, or a proxy on the way drops what it does not know.`,
  }));

const doubled = (headers: Received['headers']): Finding[] =>
  SIGNED_HEADERS.filter((name) => (headers[name]?.length ?? 0) > 1).map((name) => ({
    step: 'headers',
    message: `The header ${name} came ${headers[name]?.length} times: something on the way doubles it.`,
  }));

const oddId = (id: string): Finding[] =>
  id === '' || EventId.safeParse(id).success
    ? []
    : [
        {
          step: 'webhook-id',
          message: `webhook-id is not evt_ and the 26 characters of a ULID: "${brief(id)}" was changed on the way, or is not from Chartgate.`,
        },
      ];

function badTimestamp(text: string, now: Date): Finding[] {
  if (text === '') return [];
  const found = (message: string): Finding[] => [{ step: 'webhook-timestamp', message }];
  // As the library reads it.
  const seconds = Number.parseInt(text, 10);
  if (Number.isNaN(seconds)) return found(`webhook-timestamp is no number of seconds: "${brief(text)}".`);
  const age = Math.floor(now.getTime() / 1000) - seconds;
  if (Math.abs(age) <= TOLERANCE_SECONDS) return [];
  if (Math.abs(now.getTime() - seconds) <= 1000 * TOLERANCE_SECONDS)
    return found('webhook-timestamp is in milliseconds; it must be in seconds.');
  const limit = 'more than five minutes are refused';
  if (age > 0)
    return found(
      `webhook-timestamp is ${span(age)} old; ${limit}, so that a recorded delivery cannot be sent again. Each attempt has its own: this one was kept on the way or replayed, or a clock is wrong.`,
    );
  return found(
    `webhook-timestamp is ${span(age)} in the future; ${limit}. The clock here or there is wrong.`,
  );
}

function noSignature(text: string): Finding[] {
  if (text === '') return [];
  const signatures = text.split(' ');
  const found = (message: string): Finding[] => [{ step: 'webhook-signature', message }];
  const ours = signatures.filter((signature) => signature.startsWith('v1,'));
  if (ours.length > 0) return [];
  if (signatures.some((signature) => signature.startsWith('v1a,')))
    return found(
      'webhook-signature has only v1a signatures, which a public key verifies and no whsec_ secret.',
    );
  return found('webhook-signature has no signature that begins with "v1,".');
}

const mismatch = ({ body }: Received, headers: Headers, secrets: readonly string[]): Finding => ({
  step: 'signature',
  message: mismatchReason(
    { id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], body },
    headers['webhook-signature'],
    secrets,
  ),
});

/** Of a delivery that is genuine: what other receivers would stumble over, and rotation. */
function looseEnds({ headers: all, body }: Received, headers: Headers, secret: string): Finding[] {
  const notes: Finding[] = [];
  const { 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (!/^\d+$/.test(timestamp))
    notes.push({
      step: 'webhook-timestamp',
      message: 'webhook-timestamp holds more than digits: other libraries refuse it.',
    });
  const mine = new Webhook(secret).sign(
    headers['webhook-id'],
    new Date(Number.parseInt(timestamp, 10) * 1000),
    body,
  );
  if (signature.split(' ').indexOf(mine) > 0)
    notes.push({
      step: 'signature',
      message: 'The secret was rotated: a newer one signs too, and this one ends with the overlap.',
    });
  const [type] = all['content-type'] ?? [];
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    notes.push({ step: 'headers', message: 'content-type is not application/json.' });
  return notes;
}
