import { createHmac } from 'node:crypto';
import { fingerprint } from '../../server/webhooks/registration/secret.ts';

interface Signed {
  id: string;
  timestamp: string;
  body: Buffer;
}

interface Guess {
  secret: string;
  key: Buffer | string;
  content: Buffer;
  reason: string;
}

/** Why no signature fits: what is usually got wrong is tried, one mistake at a time. */
export function mismatchReason(signed: Signed, header: string, secrets: readonly string[]): string {
  const signatures = header.split(' ').flatMap((text) => (text.startsWith('v1,') ? [text.slice(3)] : []));
  for (const guess of guesses(signed, secrets)) {
    const mac = createHmac('sha256', guess.key).update(guess.content).digest();
    const written = writings(mac).find(([text]) => signatures.includes(text));
    if (written !== undefined && (guess.reason !== '' || written[1] !== ''))
      return [guess.reason, written[1]].filter(Boolean).join(' ');
  }
  const [first] = secrets;
  const known =
    secrets.length === 1
      ? `the secret ${fingerprint(first ?? '')}`
      : `one of the secrets ${secrets.map(fingerprint).join(', ')}`;
  return `No signature was made with ${known} over this body. Usually it is another secret (that of another webhook, or from before a rotation: compare these digits with the fingerprints that the webhook tells), or a body that something on the way parsed and wrote anew.`;
}

function* guesses({ id, timestamp, body }: Signed, secrets: readonly string[]): Generator<Guess> {
  const content = (bytes: Buffer | string): Buffer =>
    Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(bytes)]);
  for (const secret of secrets) {
    const encoded = secret.replace(/^whsec_/, '');
    const key = Buffer.from(encoded, 'base64');
    yield { secret, key, content: content(body), reason: '' };
    const reason =
      'The sender takes the text of the secret for the key: after whsec_ it is base64 and must be decoded.';
    yield { secret, key: secret, content: content(body), reason };
    yield { secret, key: encoded, content: content(body), reason };
    for (const [text, reason] of otherBodies(body)) yield { secret, key, content: content(text), reason };
    yield {
      secret,
      key,
      content: body,
      reason: 'Only the body is signed: it must be "webhook-id.webhook-timestamp.body".',
    };
    yield {
      secret,
      key,
      content: Buffer.concat([Buffer.from(`${timestamp}.`), body]),
      reason: 'webhook-id is not signed: it must be "webhook-id.webhook-timestamp.body".',
    };
  }
}

/** The same content in other bytes, and what makes such of it. */
function* otherBodies(body: Buffer): Generator<[text: string, reason: string]> {
  const text = body.toString();
  const anew =
    'The same JSON in other bytes is what was signed: something on the way parses the body and writes it anew. What was received must be passed on and verified as it is.';
  const ends = 'Other line ends, or white space around the body, are what was signed: pass it on as it is.';
  for (const other of [text.trim(), `${text}\n`, text.replaceAll('\r\n', '\n')]) yield [other, ends];
  try {
    const value: unknown = JSON.parse(text);
    yield [JSON.stringify(value), anew];
    yield [JSON.stringify(value, null, 2), anew];
    yield [JSON.stringify(value).replace(/[\u0080-\uffff]/g, escapedUnit), anew];
  } catch {
    yield ['', 'An empty body is what was signed: it was read before it could be verified.'];
  }
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How a signature is written, and what is wrong with that; the right way first. */
const writings = (mac: Buffer): [text: string, reason: string][] => [
  [mac.toString('base64'), ''],
  [mac.toString('hex'), 'The signature is written in hex; it must be base64.'],
  [mac.toString('base64url'), 'The signature is written in base64url; it must be base64 with + / and =.'],
  [mac.toString('base64').replace(/=+$/, ''), 'The signature lacks the = at its end.'],
];
