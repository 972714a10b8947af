import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as client from 'openid-client';
import { callMcp, REDIRECT_URI, createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization } from '../harness/follow-authorization.ts';
import { newTestPatient, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** Discovery and registration in one, as the client does them. */
const registerClient = (metadata: Partial<client.ClientMetadata> = {}): Promise<client.Configuration> =>
  client.dynamicClientRegistration(
    new URL(service.baseUrl),
    {
      client_name: 'Test agent',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    client.None(),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  );

interface StartedAuthorization {
  authorizationUrl: URL;
  checks: { pkceCodeVerifier: string; expectedState: string };
}

async function startAuthorization(
  config: client.Configuration,
  more: Record<string, string> = {},
): Promise<StartedAuthorization> {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
  };
  const authorizationUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'patient/*.read offline_access',
    state: checks.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    resource: `${service.baseUrl}/mcp`,
    ...more,
  });
  return { authorizationUrl, checks };
}

async function decideAuthorization(
  authorizationUrl: URL,
  decision: 'grant' | 'deny' = 'grant',
): Promise<URL> {
  const patient = await newTestPatient(service, { consent: false });
  return followAuthorization(await createSignedInBrowser(service, patient), authorizationUrl, { decision });
}

/** RFC 6749 §5.2, as the client reads it. */
const isRefusedWith =
  (error: string, status = 400) =>
  (fault: unknown): boolean =>
    fault instanceof client.ResponseBodyError &&
    fault.error === error &&
    fault.status === status &&
    (fault.error_description ?? '') !== '';

const isCausedBy =
  (pattern: RegExp) =>
  ({ cause }: Error): boolean =>
    cause instanceof Error && pattern.test(cause.message);

describe('openid-client', () => {
  it('discovers, registers, exchanges the code, refreshes, revokes, and receives invalid_grant afterwards', async () => {
    const config = await registerClient();
    assert.equal(config.serverMetadata().supportsPKCE(), true);
    const { authorizationUrl, checks } = await startAuthorization(config);
    // It checks state, and iss because the metadata promise it.
    const resource = `${service.baseUrl}/mcp`;
    const tokens = await client.authorizationCodeGrant(
      config,
      await decideAuthorization(authorizationUrl),
      checks,
      {
        resource,
      },
    );
    assert.equal(tokens.expires_in, 3600);
    assert.equal((await callMcp(service, tokens.access_token, 'tools/call')).status, 200);

    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource });
    assert.notEqual(next.refresh_token, tokens.refresh_token);
    const narrower = await client.refreshTokenGrant(config, next.refresh_token ?? '', {
      scope: 'patient/*.read',
    });
    assert.equal(narrower.scope, 'patient/*.read');
    const answer = await client.fetchProtectedResource(
      config,
      narrower.access_token,
      new URL(resource),
      'POST',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      new Headers({ 'content-type': 'application/json' }),
    );
    assert.equal(answer.status, 200);

    await client.tokenRevocation(config, narrower.access_token);
    await assert.rejects(
      client.refreshTokenGrant(config, narrower.refresh_token ?? ''),
      isRefusedWith('invalid_grant'),
    );
    assert.equal((await callMcp(service, narrower.access_token)).status, 401);
    // RFC 7009 §2.2: an invalid token is no error.
    await client.tokenRevocation(config, narrower.access_token);
    await client.tokenRevocation(config, 'unknown', { token_type_hint: 'access_token' });
  });

  it('reads the challenge of a refused access token', async () => {
    const config = await registerClient();
    await assert.rejects(
      client.fetchProtectedResource(config, 'garbage', new URL(`${service.baseUrl}/mcp`), 'POST', '{}'),
      (fault: unknown) => {
        if (!(fault instanceof client.WWWAuthenticateChallengeError)) return false;
        const [challenge] = fault.cause;
        assert.deepEqual(challenge, {
          scheme: 'bearer',
          parameters: {
            resource_metadata: `${service.baseUrl}/.well-known/oauth-protected-resource/mcp`,
            scope: 'patient/*.read',
            error: 'invalid_token',
            error_description: 'The access token is expired, revoked, malformed, or for another resource.',
          },
        });
        return true;
      },
    );
  });

  it("is redirected with the patient's refusal and with errors of its request", async () => {
    const config = await registerClient();
    const denied = await startAuthorization(config);
    const answer = await decideAuthorization(denied.authorizationUrl, 'deny');
    const wrong = await startAuthorization(config, { resource: 'https://elsewhere.example/mcp' });
    for (const [location, checks, error] of [
      [answer, denied.checks, 'access_denied'],
      [await decideAuthorization(wrong.authorizationUrl), wrong.checks, 'invalid_target'],
    ] as const) {
      await assert.rejects(
        client.authorizationCodeGrant(config, location, checks),
        (fault: unknown) => fault instanceof client.AuthorizationResponseError && fault.error === error,
      );
    }
  });

  it('refuses a response of another server or to another request', async () => {
    const config = await registerClient();
    const { authorizationUrl, checks } = await startAuthorization(config);
    const answer = await decideAuthorization(authorizationUrl);
    const mixedUp = new URL(answer);
    mixedUp.searchParams.set('iss', 'https://elsewhere.example');
    await assert.rejects(client.authorizationCodeGrant(config, mixedUp, checks), isCausedBy(/"iss"/));
    const other = { ...checks, expectedState: client.randomState() };
    await assert.rejects(client.authorizationCodeGrant(config, answer, other), isCausedBy(/"state"/));
    // The client sent neither request, so the code is still valid.
    await client.authorizationCodeGrant(config, answer, checks);
  });

  it('receives invalid_grant for a wrong verifier, a used code and a rotated token, and invalid_client when unknown', async () => {
    const config = await registerClient();
    const { authorizationUrl, checks } = await startAuthorization(config);
    const answer = await decideAuthorization(authorizationUrl);
    const guessed = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await assert.rejects(
      client.authorizationCodeGrant(config, answer, guessed),
      isRefusedWith('invalid_grant'),
    );
    const tokens = await client.authorizationCodeGrant(config, answer, checks);
    const stranger = new client.Configuration(
      config.serverMetadata(),
      crypto.randomUUID(),
      {},
      client.None(),
    );
    client.allowInsecureRequests(stranger);
    await assert.rejects(
      client.refreshTokenGrant(stranger, tokens.refresh_token ?? ''),
      isRefusedWith('invalid_client', 401),
    );
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    for (const token of [tokens, next])
      await assert.rejects(
        client.refreshTokenGrant(config, token.refresh_token ?? ''),
        isRefusedWith('invalid_grant'),
      );
    await assert.rejects(
      client.authorizationCodeGrant(config, answer, checks),
      isRefusedWith('invalid_grant'),
    );
    await assert.rejects(client.clientCredentialsGrant(config), isRefusedWith('unsupported_grant_type'));
  });

  it('receives the reason for a refused registration', async () => {
    for (const [metadata, error] of [
      [{ redirect_uris: ['http://agent.example/callback'] }, 'invalid_redirect_uri'],
      [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [{ grant_types: ['password'] }, 'invalid_client_metadata'],
    ] as const) {
      await assert.rejects(registerClient(metadata as Partial<client.ClientMetadata>), isRefusedWith(error));
    }
  });
});
