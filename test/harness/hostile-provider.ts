import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { base64url, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { findFreePort } from './postgres.ts';

/** How an ID token is signed: by the key that is published, the one before it, another, the client's secret, or not at all. */
type Signing = 'published' | 'former' | 'other' | 'secret' | 'none';

/** A provider that says whatever the test has it say, in ID tokens and at its UserInfo endpoint. */
export interface HostileProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the next ID token holds besides what every one does. */
  claims: Record<string, unknown>;
  /** What the UserInfo endpoint answers; null: there is none. */
  userInfo: Record<string, unknown> | null;
  signing: Signing;
  /** Publishes another key in the place of the one before, under another id or the same. */
  rotate(keyId?: string): Promise<void>;
  /** Answers an authorization request; returns the query with which the browser is sent back. */
  answer(url: string): Record<string, string>;
  stop(): Promise<void>;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const nonces = new Map<string, string>();
  let key = await newKey('first');
  const keys = { former: key, other: await newKey('first') };
  const server = createServer((request, response) => void respond(request, response));
  const started: HostileProvider = {
    issuer,
    clientId: 'chartgate',
    clientSecret: 'a secret that only the two know, long enough',
    claims: {},
    userInfo: null,
    signing: 'published',
    async rotate(keyId = randomUUID()) {
      keys.former = key;
      key = await newKey(keyId);
    },
    answer(url) {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      nonces.set(code, searchParams.get('nonce') ?? '');
      return { code, state: searchParams.get('state') ?? '', iss: issuer };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (path === '/.well-known/openid-configuration') sendJson(response, buildMetadata(started));
    else if (path === '/keys') sendJson(response, { keys: [key.published] });
    else if (path === '/userinfo') sendJson(response, started.userInfo ?? {});
    else sendJson(response, await exchange(request));
  };
  const exchange = async (request: IncomingMessage): Promise<object> => {
    const code = new URLSearchParams(await readText(request)).get('code') ?? '';
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: started.clientId,
      nonce: nonces.get(code),
      iat: now,
      exp: now + 60,
      auth_time: now,
      ...started.claims,
    };
    const { signing } = started;
    const signer = signing === 'former' || signing === 'other' ? keys[signing] : key;
    const token = await sign(started, claims, signer);
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: token };
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return started;
}

interface Key {
  privateKey: CryptoKey;
  published: JWK;
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

const buildMetadata = ({ issuer, userInfo, signing }: HostileProvider): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  ...(userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [
    signing === 'secret' ? 'HS256' : signing === 'none' ? 'none' : 'ES256',
  ],
  authorization_response_iss_parameter_supported: true,
});

async function sign(
  { signing, clientSecret }: HostileProvider,
  claims: Record<string, unknown>,
  { privateKey, published: { kid = '' } }: Key,
): Promise<string> {
  if (signing === 'none')
    return `${base64url.encode(JSON.stringify({ alg: 'none' }))}.${base64url.encode(JSON.stringify(claims))}.`;
  const token = new SignJWT(claims);
  return signing === 'secret'
    ? token.setProtectedHeader({ alg: 'HS256', kid }).sign(new TextEncoder().encode(clientSecret))
    : token.setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
