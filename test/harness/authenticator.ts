import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>;

/** RFC 8949 §3, as far as keys and attestations need it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

/** What an attacker's page, or a broken authenticator, would say instead. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userVerified?: boolean;
  counter?: number;
  userHandle?: Buffer;
  /** Of the attestation: its format and statement. */
  attestation?: [format: string, statement: Map<string, Cbor>];
}

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

export interface Authenticator {
  readonly credentialId: Buffer;
  /** `navigator.credentials.create` on a page of `origin`, as JSON. */
  create(options: Options, lies?: Lies): object;
  /** `navigator.credentials.get`, likewise. */
  get(options: Options, lies?: Lies): object;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const CREDENTIAL_ATTACHED = 64;

/** A passkey in software (WebAuthn §6): ES256, no attestation, a signature counter that rises by one. */
export function authenticator(origin: string, { counts = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle: Buffer = Buffer.alloc(0);

  const clientData = (type: string, options: Options, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? options.challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const data = (rpId: string, lies: Lies, attached: Buffer = Buffer.alloc(0)): Buffer => {
    const flags =
      USER_PRESENT |
      (lies.userVerified === false ? 0 : USER_VERIFIED) |
      (attached.length > 0 ? CREDENTIAL_ATTACHED : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? (counts ? ++counter : 0));
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, attached]);
  };
  const credential = (response: Record<string, Buffer | string[]>): object => ({
    id: credentialId.toString('base64url'),
    rawId: credentialId.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? value.toString('base64url') : value,
      ]),
    ),
  });

  return {
    credentialId,
    create(options, lies = {}) {
      userHandle = Buffer.from(options.user?.id ?? '', 'base64url');
      const length = Buffer.from([0, credentialId.length]);
      const attached = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const [format, statement] = lies.attestation ?? ['none', new Map<string, Cbor>()];
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', data(options.rp?.id ?? '', lies, attached)],
        ]),
      );
      return credential({
        clientDataJSON: clientData('webauthn.create', options, lies),
        attestationObject,
        transports: ['internal'],
      });
    },
    get(options, lies = {}) {
      const clientDataJSON = clientData('webauthn.get', options, lies);
      const authenticatorData = data(options.rpId ?? '', lies);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return credential({
        clientDataJSON,
        authenticatorData,
        signature,
        userHandle: lies.userHandle ?? userHandle,
      });
    },
  };
}

/** RFC 9053 §7.1.1. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}
