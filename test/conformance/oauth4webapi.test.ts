import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { createPkce, REDIRECT_URI, createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization } from '../harness/follow-authorization.ts';
import { newProject, newTestPatient, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let server: oauth.AuthorizationServer;
/** The test uses no TLS. */
const loopback = { [oauth.allowInsecureRequests]: true };
before(async () => {
  service = await startTestService();
  server = await discoverServer();
});
after(() => service.stop());

async function discoverServer(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(service.baseUrl);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...loopback });
  return oauth.processDiscoveryResponse(issuer, answer);
}

async function registerClient(): Promise<oauth.Client> {
  const answer = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Test agent',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    loopback,
  );
  return oauth.processDynamicClientRegistrationResponse(answer);
}

interface Attempt {
  client: oauth.Client;
  verifier: string;
  resource: string;
  state: string;
}

const newAttempt = async (resource = `${service.baseUrl}/mcp`): Promise<Attempt> => ({
  client: await registerClient(),
  verifier: oauth.generateRandomCodeVerifier(),
  resource,
  state: oauth.generateRandomState(),
});

/** Returns the URL to which a consenting patient is redirected. */
async function authorize({ client, verifier, resource, state }: Attempt): Promise<URL> {
  const authorizationUrl = new URL(server.authorization_endpoint ?? '');
  authorizationUrl.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'patient/*.read offline_access',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
  }).toString();
  const patient = await newTestPatient(service, { consent: false });
  return followAuthorization(await createSignedInBrowser(service, patient), authorizationUrl);
}

async function exchangeCode(
  { client, verifier, resource, state }: Attempt,
  answer: URL,
): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(server, client, answer, state);
  const options = { ...loopback, additionalParameters: { resource } };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    REDIRECT_URI,
    verifier,
    options,
  );
  return oauth.processAuthorizationCodeResponse(server, client, response);
}

async function refreshTokens({ client }: Attempt, token = ''): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, loopback);
  return oauth.processRefreshTokenResponse(server, client, response);
}

const isOAuthError =
  (error: string, status = 400) =>
  (fault: unknown): boolean =>
    fault instanceof oauth.ResponseBodyError && fault.error === error && fault.status === status;

/** A resource server that knows the authorization server only by its metadata and JWKS. */
const validateToken = (token: string, audience: string): Promise<oauth.JWTAccessTokenClaims> =>
  oauth.validateJwtAccessToken(
    server,
    new Request(audience, { headers: { authorization: `Bearer ${token}` } }),
    audience,
    loopback,
  );

describe('oauth4webapi', () => {
  it('discovers, registers, checks the answer, exchanges, refreshes and revokes', async () => {
    const attempt = await newAttempt();
    const tokens = await exchangeCode(attempt, await authorize(attempt));
    const next = await refreshTokens(attempt, tokens.refresh_token);
    const revoked = await oauth.revocationRequest(
      server,
      attempt.client,
      oauth.None(),
      next.refresh_token ?? '',
      { ...loopback, additionalParameters: { token_type_hint: 'refresh_token' } },
    );
    await oauth.processRevocationResponse(revoked);
    await assert.rejects(refreshTokens(attempt, next.refresh_token), isOAuthError('invalid_grant'));
  });

  it('finds the metadata of each protected resource at the URL of RFC 9728', async () => {
    const projectId = await newProject(service);
    for (const path of ['/mcp', `/projects/${projectId}/mcp`]) {
      const resource = new URL(service.baseUrl + path);
      const found = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, loopback),
      );
      assert.deepEqual(found.authorization_servers, [server.issuer]);
    }
  });

  it('exchanges a code with a verifier of 171 characters, as in its documentation', async () => {
    const attempt = { ...(await newAttempt()), verifier: createPkce().verifier };
    assert.equal(attempt.verifier.length, 171);
    assert.equal((await exchangeCode(attempt, await authorize(attempt))).token_type, 'bearer');
  });

  it('refuses an authorization response, also an error, whose iss or state is missing, repeated or wrong', async () => {
    const attempt = await newAttempt();
    const good = await authorize(attempt);
    const changes: Record<string, (parameters: URLSearchParams) => void> = {
      'no iss': (parameters) => parameters.delete('iss'),
      'two iss': (parameters) => parameters.append('iss', service.baseUrl),
      'another iss': (parameters) => parameters.set('iss', `${service.baseUrl}/`),
      'no state': (parameters) => parameters.delete('state'),
      'another state': (parameters) => parameters.set('state', 'x'),
      'an error without iss': (parameters) => {
        parameters.set('error', 'access_denied');
        parameters.delete('iss');
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const parameters = new URLSearchParams(good.searchParams);
      change(parameters);
      assert.throws(
        () => oauth.validateAuthResponse(server, attempt.client, parameters, attempt.state),
        oauth.OperationProcessingError,
        name,
      );
    }
    assert.equal((await exchangeCode(attempt, good)).scope, 'patient/*.read offline_access');
  });

  it('receives the errors of the token endpoint', async () => {
    const attempt = await newAttempt();
    const answer = await authorize(attempt);
    const { client } = await newAttempt();
    const projectId = await newProject(service, 'Third study');
    for (const [change, error] of [
      [{ client }, 'invalid_grant'],
      [{ client: { client_id: crypto.randomUUID() } }, 'invalid_client'],
      [{ verifier: oauth.generateRandomCodeVerifier() }, 'invalid_grant'],
      [{ resource: `${service.baseUrl}/projects/${projectId}/mcp` }, 'invalid_target'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ] as const) {
      const status = error === 'invalid_client' ? 401 : 400;
      await assert.rejects(
        exchangeCode({ ...attempt, ...change }, answer),
        isOAuthError(error, status),
        error,
      );
    }
    const tokens = await exchangeCode(attempt, answer);
    await assert.rejects(exchangeCode(attempt, answer), isOAuthError('invalid_grant'));
    // A reused code revokes its tokens.
    await assert.rejects(refreshTokens(attempt, tokens.refresh_token), isOAuthError('invalid_grant'));
  });

  it('receives invalid_client in the authentication scheme that it used', async () => {
    const { client } = await newAttempt();
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic('secret'),
      'token',
      loopback,
    );
    await assert.rejects(
      oauth.processRefreshTokenResponse(server, client, response),
      (fault: unknown) =>
        fault instanceof oauth.WWWAuthenticateChallengeError &&
        fault.status === 401 &&
        fault.cause[0]?.scheme === 'basic',
    );
  });
});

describe('a resource server of RFC 9068, with our metadata and our JWKS alone', () => {
  it('accepts an OAuth access token at its audience and nowhere else', async () => {
    const attempt = await newAttempt();
    const { access_token: token } = await exchangeCode(attempt, await authorize(attempt));
    const claims = await validateToken(token, attempt.resource);
    assert.equal(claims.client_id, attempt.client.client_id);
    assert.equal(claims.scope, 'patient/*.read offline_access');
    assert.equal(claims.exp - claims.iat, 3600);
    for (const audience of [service.baseUrl, `${service.baseUrl}/FHIR/R4`, `${attempt.resource}/`])
      await assert.rejects(validateToken(token, audience), /"aud"/);
  });

  it("accepts another project's token only at that project's endpoint", async () => {
    const resource = `${service.baseUrl}/projects/${await newProject(service, 'Fourth study')}/mcp`;
    const attempt = await newAttempt(resource);
    const { access_token: token } = await exchangeCode(attempt, await authorize(attempt));
    assert.equal((await validateToken(token, resource)).aud, resource);
    await assert.rejects(validateToken(token, `${service.baseUrl}/mcp`), /"aud"/);
  });

  it('accepts no token of POST /v1/auth/token at any audience', async () => {
    const { token } = await newTestPatient(service);
    for (const audience of [service.baseUrl, `${service.baseUrl}/mcp`])
      await assert.rejects(validateToken(token, audience), /"typ"/);
  });

  it('refuses one whose claims or signature were changed', async () => {
    const attempt = await newAttempt();
    const { access_token: token } = await exchangeCode(attempt, await authorize(attempt));
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, sub: crypto.randomUUID() })).toString('base64url');
    for (const forged of [`${header}.${other}.${signature}`, `${header}.${payload}.${'A'.repeat(86)}`])
      await assert.rejects(validateToken(forged, attempt.resource), /signature verification failed/);
  });
});
