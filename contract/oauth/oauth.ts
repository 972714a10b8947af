import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** The length limit of `client_name`, in characters. */
export const MAX_CLIENT_NAME_LENGTH = 200;

const MAX_REGISTRATION_KIB = 64;

const tag = 'OAuth';

/** The scopes that a client may request; `offline_access` requests refresh tokens. */
export const SCOPES = ['patient/*.read', 'offline_access'] as const;

/** RFC 8414 §2. */
export const AuthorizationServerMetadata = z
  .object({
    issuer: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    revocation_endpoint: z.url(),
    registration_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.literal('code')),
    grant_types_supported: z.array(z.enum(['authorization_code', 'refresh_token'])),
    token_endpoint_auth_methods_supported: z.array(z.literal('none')),
    revocation_endpoint_auth_methods_supported: z.array(z.literal('none')),
    code_challenge_methods_supported: z.array(z.literal('S256')),
    authorization_response_iss_parameter_supported: z.literal(true),
    client_id_metadata_document_supported: z.boolean(),
  })
  .meta({ id: 'AuthorizationServerMetadata' });

export const getAuthorizationServerMetadata = defineEndpoint({
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  name: 'getAuthorizationServerMetadata',
  summary: 'The metadata of this authorization server (RFC 8414)',
  tag,
  audience: ['anyone'],
  cors: true,
  response: AuthorizationServerMetadata,
});

/** RFC 9728 §2. */
export const ProtectedResourceMetadata = z
  .object({
    resource: z.url(),
    authorization_servers: z.array(z.url()),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
    resource_name: z.string(),
  })
  .meta({ id: 'ProtectedResourceMetadata' });

const protectedResource = {
  method: 'GET',
  tag,
  audience: ['anyone'],
  cors: true,
  response: ProtectedResourceMetadata,
} as const;

export const getRootResourceMetadata = defineEndpoint({
  ...protectedResource,
  path: '/.well-known/oauth-protected-resource',
  aliases: ['/.well-known/oauth-protected-resource/'],
  name: 'getRootResourceMetadata',
  summary:
    'The same of the base address, another name of the MCP endpoint of the default project, for clients that were given that alone',
});

export const getMcpResourceMetadata = defineEndpoint({
  ...protectedResource,
  path: '/.well-known/oauth-protected-resource/mcp',
  aliases: ['/.well-known/oauth-protected-resource/mcp/'],
  name: 'getMcpResourceMetadata',
  summary: 'The authorization server that protects the MCP endpoint (RFC 9728)',
});

export const getProjectResourceMetadata = defineEndpoint({
  ...protectedResource,
  path: '/.well-known/oauth-protected-resource/projects/{projectId}/mcp',
  aliases: ['/.well-known/oauth-protected-resource/projects/{projectId}/mcp/'],
  name: 'getProjectResourceMetadata',
  summary: "The authorization server that protects a project's MCP endpoint (RFC 9728)",
  refusals: { 404: 'There is no such project' },
});

const ABOUT = {
  client_uri: z.string().optional().describe('Shown as a link when it is https; as are the next two'),
  policy_uri: z.string().optional(),
  tos_uri: z.string().optional(),
  contacts: z.array(z.string()).optional().describe('E-mail addresses; the first three are shown'),
};

/** RFC 7591 §2. Unknown fields are ignored, null is a field that is absent; unsupported values are refused. */
export const ClientRegistrationRequest = z
  .object({
    client_name: z.string().nullish().describe(`At most ${MAX_CLIENT_NAME_LENGTH} characters`),
    client_uri: ABOUT.client_uri.nullable(),
    policy_uri: ABOUT.policy_uri.nullable(),
    tos_uri: ABOUT.tos_uri.nullable(),
    contacts: ABOUT.contacts.nullable(),
    redirect_uris: z
      .array(z.string())
      .describe('https, http on a loopback address, or a private-use scheme (RFC 8252 §7)'),
    token_endpoint_auth_method: z.string().nullish().describe('none'),
    grant_types: z.array(z.string()).nullish(),
    response_types: z.array(z.string()).nullish(),
    scope: z.string().nullish().describe('patient/*.read is registered always'),
  })
  .meta({ id: 'ClientRegistrationRequest' });

/** RFC 7591 §3.2.1. */
export const ClientRegistration = z
  .object({
    client_id: z.uuid(),
    client_id_issued_at: z.int().describe('Unix seconds'),
    client_secret_expires_at: z.literal(0),
    client_name: z.string().optional(),
    ...ABOUT,
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    scope: z.string(),
  })
  .meta({ id: 'ClientRegistration' });
export type ClientRegistration = z.infer<typeof ClientRegistration>;

export const registerClient = defineEndpoint({
  method: 'POST',
  path: '/oauth/register',
  name: 'registerClient',
  summary: 'Registers a public client (RFC 7591)',
  tag,
  audience: ['anyone'],
  dialect: 'oauth',
  cors: true,
  body: ClientRegistrationRequest,
  bodyLimit: MAX_REGISTRATION_KIB * 1024,
  storeUse: 'reads',
  status: 201,
  response: ClientRegistration,
  refusals: {
    400: 'invalid_redirect_uri or invalid_client_metadata',
    403: 'access_denied: no organization takes new registrations (`noNewRegistrations`)',
    413: `The body is larger than ${MAX_REGISTRATION_KIB} KiB`,
    429: 'Too many requests from one address',
  },
});

/** RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2; unknown parameters are ignored. */
const AuthorizationRequest = z.object({
  response_type: z.string().describe('code'),
  client_id: z.string().describe('From registration, or the https URL of a client metadata document'),
  redirect_uri: z.string(),
  scope: z.string().describe('patient/*.read, and offline_access for refresh tokens; separated by spaces'),
  state: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.string().describe('S256'),
  resource: z.string().optional().describe('The MCP endpoint that the token is for; it selects the project'),
});

export const authorize = defineEndpoint({
  method: 'GET',
  path: '/oauth/authorize',
  name: 'authorize',
  summary:
    'Begins an authorization: redirects the browser to the consent page, or to the client with an error',
  tag,
  audience: ['anyone'],
  query: AuthorizationRequest,
  storeUse: 'reads',
  dialect: 'page',
  status: 303,
  responseHeaders: {
    Location:
      "The consent page, with `oauth_state` (base64url of JSON with the `id` of the interaction); or the client's redirect URI with `error`, `error_description`, `state` and `iss` (RFC 9207)",
  },
  response: z.undefined(),
  refusals: {
    400: 'The client or its redirect URI is unknown: an error page without redirect',
    403: 'access_denied: the organization has stopped the app, lets in only apps that it vouches for, or takes no new ones: an error page without redirect, whatever else is wrong with the request',
    429: 'Too many requests from one address',
  },
});

export const completeAuthorization = defineEndpoint({
  method: 'GET',
  path: '/oauth/complete/{requestId}',
  name: 'completeAuthorization',
  summary: 'Redirects the browser that began an authorization to the client, with a code or access_denied',
  tag,
  audience: ['anyone'],
  dialect: 'page',
  status: 303,
  responseHeaders: {
    Location: "The client's redirect URI with `code` or `error=access_denied`, `state` and `iss` (RFC 9207)",
  },
  response: z.undefined(),
  refusals: { 400: 'Undecided, not ready, already completed, expired, or begun in another browser' },
});

/** RFC 6749 §4.1.3 and §6; validated by grant type. */
export const TokenRequest = z
  .object({
    grant_type: z.string().describe('authorization_code or refresh_token'),
    client_id: z.string(),
    code: z.string().optional(),
    redirect_uri: z.string().optional(),
    code_verifier: z.string().optional().describe('43 to 256 characters (RFC 7636 §4.1 allows 128)'),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
    resource: z.string().optional(),
  })
  .meta({ id: 'TokenRequest' });

/** RFC 6749 §5.1. */
export const TokenResponse = z
  .object({
    access_token: z
      .string()
      .describe(
        'A JWT (RFC 9068, `typ` at+jwt) with the claims `iss`, `sub` (the patient), `aud`, `exp`, `iat`, `scope`, `client_id`, `jti`, `gid` (the grant), `organizationId`, `projectId`, `firstName`, `lastName`, and `isTestPatient` of a test patient',
      ),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    refresh_token: z.string().optional(),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' });
export type TokenResponse = z.infer<typeof TokenResponse>;

const form = { consumes: 'application/x-www-form-urlencoded', dialect: 'oauth', cors: true } as const;

export const createToken = defineEndpoint({
  ...form,
  method: 'POST',
  path: '/oauth/token',
  name: 'createToken',
  summary: 'Exchanges an authorization code, or a refresh token for its successor (RFC 6749 §3.2)',
  tag,
  audience: ['anyone'],
  body: TokenRequest,
  response: TokenResponse,
  refusals: {
    400: 'invalid_request, invalid_grant, invalid_scope, invalid_target or unsupported_grant_type',
    401: 'invalid_client',
    429: 'Too many requests from one address',
  },
});

/** RFC 7009 §2.1. */
export const RevocationRequest = z
  .object({ token: z.string(), token_type_hint: z.string().optional(), client_id: z.string() })
  .meta({ id: 'RevocationRequest' });

export const revokeToken = defineEndpoint({
  ...form,
  method: 'POST',
  path: '/oauth/revoke',
  name: 'revokeToken',
  summary: 'Revokes the grant of an access or refresh token (RFC 7009); an unknown token is a success too',
  tag,
  audience: ['anyone'],
  body: RevocationRequest,
  response: z.object({ success: z.literal(true) }),
  refusals: {
    400: 'invalid_request',
    401: 'invalid_client',
    429: 'Too many requests from one address',
  },
});
