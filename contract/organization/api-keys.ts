import { z } from 'zod';
import { ApiKeyId, OrganizationId, ProjectId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PageQuery } from '../page-query.ts';
import { PlainName } from './projects.ts';
import { Instant } from '../instant.ts';

/** The most keys of an organization that are neither revoked nor expired. */
export const MAX_API_KEYS = 100;

/** The most projects that a key may be limited to: every token of the key names them. */
export const MAX_KEY_PROJECTS = 50;

/** How long a new key is valid, in days, where nothing is said. */
export const DEFAULT_KEY_DAYS = 365;

/** How long it is remembered that a secret was used from an address. */
export const KEY_ADDRESS_DAYS = 30;

/** How many addresses are counted: so many stands for that and more. */
export const MAX_KEY_ADDRESSES = 1000;

export const ApiKeyRole = z
  .enum(['admin', 'researcher', 'developer'])
  .describe('What a program may do with the key: what a member of this role may');
export type ApiKeyRole = z.infer<typeof ApiKeyRole>;

const lastUsedAt = z.iso
  .datetime()
  .nullable()
  .describe(
    'The hour in which a token was last obtained with it, or when it was made, where that is later; a token is valid for an hour. null: never',
  );

export const ApiKey = z
  .object({
    id: ApiKeyId,
    organizationId: OrganizationId,
    apiKey: z.string().describe('What a program presents, with the secret, at POST /v1/auth/token'),
    name: z.string(),
    role: ApiKeyRole,
    projectIds: z
      .array(ProjectId)
      .nullable()
      .describe('The projects that it is limited to; null: every project, those that are created later too'),
    state: z
      .enum(['active', 'expired', 'revoked'])
      .describe('Neither the secrets nor the tokens of an expired or revoked key are accepted'),
    createdAt: z.iso.datetime(),
    createdBy: z
      .object({ kind: z.string(), id: z.string() })
      .nullable()
      .describe('As the audit log names actors; null: it was created with the organization'),
    expiresAt: z.iso.datetime().nullable().describe('null: it does not expire'),
    revokedAt: z.iso.datetime().nullable(),
    isLastAdminKey: z
      .boolean()
      .describe('It is the only admin key in force, which is not revoked before there is another'),
    lastUsedAt,
    secrets: z
      .array(
        z.object({
          createdAt: z.iso.datetime(),
          expiresAt: z.iso
            .datetime()
            .nullable()
            .describe(
              'When the secret before a rotation ends, with its tokens; null: with the next rotation',
            ),
          lastUsedAt,
          addresses: z
            .int()
            .describe(
              `From how many addresses tokens were obtained with it within ${KEY_ADDRESS_DAYS} days, an IPv6 network as one; ${MAX_KEY_ADDRESSES} stands for that and more. No address is stored`,
            ),
        }),
      )
      .describe('Those that are accepted now; newest first, two at most'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

const apiSecret = z.string().describe('Shown once; the service stores its hash alone');

const tag = 'API keys';
const collectionPath = '/v1/organizations/{orgId}/api-keys';
const itemPath = '/v1/organizations/{orgId}/api-keys/{apiKeyId}';
const notFound = { 404: 'The organization has no such key' } as const;
const beyondRole =
  'admin_required: a key of this role may do what the caller may not; a developer gets developer keys, and ends those of researchers';

export const NewApiKey = z
  .object({
    name: PlainName.describe('What uses it, in words'),
    role: ApiKeyRole,
    projectIds: z
      .array(ProjectId)
      .min(1)
      .max(MAX_KEY_PROJECTS)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each project once')
      .nullable()
      .default(null)
      .describe('Limits a researcher key to these projects; null: every project'),
    expiresAt: Instant.nullable().optional().describe(`Absent: after ${DEFAULT_KEY_DAYS} days; null: never`),
  })
  .refine(({ role, projectIds }) => role === 'researcher' || projectIds === null, {
    path: ['projectIds'],
    message: 'must be null: only a researcher key is limited to projects',
  });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const createApiKey = defineEndpoint({
  method: 'POST',
  path: collectionPath,
  name: 'createApiKey',
  summary: 'Creates an API key',
  tag,
  audience: ['organization'],
  permission: 'keys.manage',
  presence: true,
  closedBody: true,
  body: NewApiKey,
  status: 201,
  response: ApiKey.extend({ apiSecret }),
  refusals: {
    403: beyondRole,
    409: `too_many_api_keys: an organization has at most ${MAX_API_KEYS} that are in force`,
  },
});

export const listApiKeys = defineEndpoint({
  method: 'GET',
  path: collectionPath,
  name: 'listApiKeys',
  summary: "The organization's API keys, newest first, those that have ended too",
  tag,
  audience: ['organization'],
  permission: 'keys.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(ApiKey) }),
});

export const rotateApiKey = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/rotate`,
  name: 'rotateApiKey',
  summary:
    'Creates a new secret; the one before and its tokens are accepted for `graceSeconds` more, or end at once with 0',
  tag,
  audience: ['organization'],
  permission: 'keys.manage',
  presence: true,
  closedBody: true,
  body: z.object({
    graceSeconds: z
      .int()
      .min(0)
      .max(30 * 24 * 3600)
      .default(24 * 3600)
      .describe('0: the old secret has leaked, and ends now'),
  }),
  bodyOptional: true,
  response: z.object({
    apiSecret,
    previousExpiresAt: z.iso.datetime().describe('When the secret before ends, with its tokens'),
    apiKey: ApiKey,
  }),
  refusals: {
    ...notFound,
    403: beyondRole,
    409: 'api_key_ended: it was revoked or has expired; too_many_secrets: the rotation before is not over, wait or rotate with graceSeconds 0',
  },
});

export const endFormerKeySecrets = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/end-former-secrets`,
  name: 'endFormerKeySecrets',
  summary: 'Ends the secret from before the last rotation now, and its tokens with it; the newest one stays',
  tag,
  audience: ['organization'],
  permission: 'keys.manage',
  presence: true,
  response: ApiKey,
  refusals: { ...notFound, 403: beyondRole },
});

export const revokeApiKey = defineEndpoint({
  method: 'DELETE',
  path: itemPath,
  name: 'revokeApiKey',
  summary:
    'Revokes a key: its secrets and its tokens end at once. It stays listed; a second time changes nothing',
  tag,
  audience: ['organization'],
  permission: 'keys.manage',
  presence: true,
  status: 204,
  response: z.undefined(),
  refusals: {
    ...notFound,
    403: beyondRole,
    409: 'last_admin_key: nobody could manage the organization by API any more; create another first, or end a leaked secret by a rotation with graceSeconds 0',
  },
});
