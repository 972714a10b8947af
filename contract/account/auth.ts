import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { EmailInput, PatientId, ProjectId } from '../brands.ts';

const ApiKeyLogin = z.object({ apiKey: z.string().min(1).max(200), apiSecret: z.string().min(1).max(200) });

export const PatientLogin = z.object({
  email: EmailInput,
  password: z.string().min(1).max(1000),
  projectId: ProjectId,
});

export type PatientLogin = z.infer<typeof PatientLogin>;

/** Names what says that the login of the other shape is meant, where the body has names of both. */
function refuseBoth(body: unknown, { addIssue }: z.core.$RefinementCtx): unknown {
  const has = (name: string): boolean =>
    typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  if (!has('apiKey') && !has('apiSecret')) return body;
  for (const name of ['email', 'password'].filter(has)) {
    const message = 'belongs to the login of a patient; the body has that of an API key too';
    addIssue({ code: 'custom', path: [name], message });
  }
  return body;
}

/** Two shapes that their first field distinguishes, so that a fault is reported for the intended one. */
export const AuthTokenRequest = z
  .preprocess(refuseBoth, z.union([ApiKeyLogin, PatientLogin]))
  .meta({ id: 'AuthTokenRequest' });
export type AuthTokenRequest = z.infer<typeof AuthTokenRequest>;

export const AuthTokenResponse = z
  .object({
    token: z.string(),
    expiration: z.int().describe('Unix seconds'),
    user: z
      .object({
        type: z.literal('PATIENT'),
        id: PatientId,
        firstName: z.string(),
        lastName: z.string(),
        isTestPatient: z.boolean(),
      })
      .optional(),
  })
  .meta({ id: 'AuthTokenResponse' });
export type AuthTokenResponse = z.infer<typeof AuthTokenResponse>;

export const createAuthToken = defineEndpoint({
  method: 'POST',
  path: '/v1/auth/token',
  name: 'createAuthToken',
  summary: 'Issues a bearer token for an API key, or for a patient who has a password',
  tag: 'Tokens',
  audience: ['anyone'],
  body: AuthTokenRequest,
  response: AuthTokenResponse,
  refusals: {
    401: 'The credentials are wrong',
    403: 'The patient is not enrolled in the project',
    429: 'Too many failed attempts',
    503: 'Too many sign in at once',
  },
});

/** RFC 7517 §5. */
export const getJwks = defineEndpoint({
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'getJwks',
  summary: 'The public keys that verify the tokens of this service',
  tag: 'Tokens',
  audience: ['anyone'],
  cors: true,
  response: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  }),
});
