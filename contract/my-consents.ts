import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { ProjectId } from './ids.ts';

const shared = { tag: 'Consent page', audience: ['anyone'], page: true } as const;

export const MyConsent = z
  .object({
    organization: z.object({ name: z.string() }),
    project: z.object({ id: z.string(), name: z.string() }),
    since: z.iso.datetime(),
    until: z.iso.datetime(),
    apps: z.array(
      z.object({
        name: z.string().nullable().describe('As the client calls itself'),
        verifiedHost: z.string().nullable(),
        since: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'MyConsent' });
export type MyConsent = z.infer<typeof MyConsent>;

export const listMyConsents = endpoint({
  ...shared,
  method: 'GET',
  path: '/account/consents',
  name: 'listMyConsents',
  summary: 'What the signed-in person consents to now, and the apps that read under it',
  response: z.object({ consents: z.array(MyConsent) }),
  refusals: { 401: 'not_signed_in' },
});

export const withdrawMyConsent = endpoint({
  ...shared,
  method: 'POST',
  path: '/account/consents/withdraw',
  name: 'withdrawMyConsent',
  summary: 'Takes a consent back; every app that reads under it is stopped at once',
  body: z.object({ projectId: ProjectId }),
  status: 204,
  response: z.undefined(),
  refusals: { 401: 'not_signed_in', 403: 'csrf, or not enrolled in the project' },
});
