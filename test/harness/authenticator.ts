import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>;

/** RFC 8949 §3, as far as keys and attestations need it. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([encodeHead(4, value.length), ...value.map(encodeCbor)]);
  return Buffer.concat([encodeHead(5, value.size), ...[...value].flat().map(encodeCbor)]);
}

function encodeHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

/** What an attacker's page, or a broken authenticator, would say instead. */
export interface Overrides {
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
  create(options: Options, overrides?: Overrides): object;
  /** `navigator.credentials.get`, likewise. */
  get(options: Options, overrides?: Overrides): object;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const CREDENTIAL_ATTACHED = 64;

/** A passkey in software (WebAuthn §6): ES256, no attestation, a signature counter that rises by one. */
export function createAuthenticator(origin: string, { counts: hasCounter = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle: Buffer = Buffer.alloc(0);

  const buildClientData = (type: string, options: Options, overrides: Overrides): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? options.challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const buildAuthenticatorData = (
    rpId: string,
    overrides: Overrides,
    attached: Buffer = Buffer.alloc(0),
  ): Buffer => {
    const flags =
      USER_PRESENT |
      (overrides.userVerified === false ? 0 : USER_VERIFIED) |
      (attached.length > 0 ? CREDENTIAL_ATTACHED : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(overrides.counter ?? (hasCounter ? ++counter : 0));
    return Buffer.concat([sha256(overrides.rpId ?? rpId), Buffer.from([flags]), count, attached]);
  };
  const buildCredential = (response: Record<string, Buffer | string[]>): object => ({
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
    create(options, overrides = {}) {
      userHandle = Buffer.from(options.user?.id ?? '', 'base64url');
      const length = Buffer.from([0, credentialId.length]);
      const attached = Buffer.concat([Buffer.alloc(16), length, credentialId, encodeCoseKey(publicKey)]);
      const [format, statement] = overrides.attestation ?? ['none', new Map<string, Cbor>()];
      const attestationObject = encodeCbor(
        new Map<string, Cbor>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', buildAuthenticatorData(options.rp?.id ?? '', overrides, attached)],
        ]),
      );
      return buildCredential({
        clientDataJSON: buildClientData('webauthn.create', options, overrides),
        attestationObject,
        transports: ['internal'],
      });
    },
    get(options, overrides = {}) {
      const clientDataJSON = buildClientData('webauthn.get', options, overrides);
      const authenticatorData = buildAuthenticatorData(options.rpId ?? '', overrides);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return buildCredential({
        clientDataJSON,
        authenticatorData,
        signature,
        userHandle: overrides.userHandle ?? userHandle,
      });
    },
  };
}

/** RFC 9053 §7.1.1. */
function encodeCoseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return encodeCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}
