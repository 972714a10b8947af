import { z } from 'zod';
import { SessionList } from '../account/sessions.ts';
import { SessionId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';

const signedIn = { tag: 'Console', page: 'console', audience: ['member'] } as const;

export const listConsoleSessions = defineEndpoint({
  ...signedIn,
  method: 'GET',
  path: '/console/sessions',
  name: 'listConsoleSessions',
  summary: 'Where the member is signed in',
  response: SessionList,
});

export const endConsoleSession = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/sessions/end',
  name: 'endConsoleSession',
  summary: 'Signs the member out in one browser',
  body: z.object({ id: SessionId }),
  status: 204,
  response: z.undefined(),
  refusals: { 404: 'The member has no such session' },
});

export const endOtherConsoleSessions = defineEndpoint({
  ...signedIn,
  method: 'POST',
  path: '/console/sessions/end-others',
  name: 'endOtherConsoleSessions',
  summary: 'Signs the member out in every other browser',
  status: 204,
  response: z.undefined(),
});
