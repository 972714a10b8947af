import { createHmac } from 'node:crypto';
import { fingerprintSecret } from '../../server/surfaces/webhooks/signing.ts';

interface SignedContent {
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

/** Explains why no signature matches: tries what is usually got wrong, one mistake at a time. */
export function explainMismatch(signed: SignedContent, header: string, secrets: readonly string[]): string {
  const signatures = header.split(' ').flatMap((text) => (text.startsWith('v1,') ? [text.slice(3)] : []));
  for (const guess of generateGuesses(signed, secrets)) {
    const mac = createHmac('sha256', guess.key).update(guess.content).digest();
    const encoding = listEncodings(mac).find(([text]) => signatures.includes(text));
    if (encoding !== undefined && (guess.reason !== '' || encoding[1] !== ''))
      return [guess.reason, encoding[1]].filter(Boolean).join(' ');
  }
  const [first] = secrets;
  const known =
    secrets.length === 1
      ? `the secret ${fingerprintSecret(first ?? '')}`
      : `one of the secrets ${secrets.map(fingerprintSecret).join(', ')}`;
  return `No signature was made with ${known} over this body. Usually it is another secret (that of another webhook, or from before a rotation: compare these digits with the fingerprints that the webhook tells), or a body that something on the way parsed and wrote anew.`;
}

function* generateGuesses(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): Generator<Guess> {
  const buildContent = (bytes: Buffer | string): Buffer =>
    Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(bytes)]);
  for (const secret of secrets) {
    const encoded = secret.replace(/^whsec_/, '');
    const key = Buffer.from(encoded, 'base64');
    yield { secret, key, content: buildContent(body), reason: '' };
    const reason =
      'The sender takes the text of the secret for the key: after whsec_ it is base64 and must be decoded.';
    yield { secret, key: secret, content: buildContent(body), reason };
    yield { secret, key: encoded, content: buildContent(body), reason };
    for (const [text, reason] of generateBodyVariants(body))
      yield { secret, key, content: buildContent(text), reason };
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

/** The same content in other bytes, with what usually produces them. */
function* generateBodyVariants(body: Buffer): Generator<[text: string, reason: string]> {
  const text = body.toString();
  const reserialized =
    'The same JSON in other bytes is what was signed: something on the way parses the body and writes it anew. What was received must be passed on and verified as it is.';
  const lineEndings =
    'Other line ends, or white space around the body, are what was signed: pass it on as it is.';
  for (const other of [text.trim(), `${text}\n`, text.replaceAll('\r\n', '\n')]) yield [other, lineEndings];
  try {
    const value: unknown = JSON.parse(text);
    yield [JSON.stringify(value), reserialized];
    yield [JSON.stringify(value, null, 2), reserialized];
    yield [JSON.stringify(value).replace(/[\u0080-\uffff]/g, escapeUnit), reserialized];
  } catch {
    yield ['', 'An empty body is what was signed: it was read before it could be verified.'];
  }
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Ways to write a signature, the right one first, each with what is wrong with it. */
const listEncodings = (mac: Buffer): [text: string, reason: string][] => [
  [mac.toString('base64'), ''],
  [mac.toString('hex'), 'The signature is written in hex; it must be base64.'],
  [mac.toString('base64url'), 'The signature is written in base64url; it must be base64 with + / and =.'],
  [mac.toString('base64').replace(/=+$/, ''), 'The signature lacks the = at its end.'],
];
