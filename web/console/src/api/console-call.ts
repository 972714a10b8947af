import type { z } from 'zod';
import type { getConsoleSession } from '../../../../contract/console/console.ts';
import type { EndpointDefinition, PathParameters } from '../../../../contract/endpoint.ts';
import { createAnswerCache } from '../../../kit/http/answer-cache.ts';
import { createCompleter } from '../../../kit/http/complete-answer.ts';
import { buildUrl, type Call, type CallOptions, createCall, type Target } from '../../../kit/http/call.ts';
import { fetchFile, send } from '../../../kit/http/send.ts';
import { type Prompts, sendGuarded } from './guard-call.ts';
import { explainMissing } from './older-node.ts';

export type Session = z.infer<(typeof getConsoleSession)['response']>;

/** The values of a path but the organization, which is that of the member. */
type Params<E extends EndpointDefinition> = Record<
  Exclude<keyof PathParameters<E['path']> & string, 'orgId'>,
  string
>;

export interface ConsoleRequest<E extends EndpointDefinition> extends Pick<CallOptions<E>, 'query' | 'body'> {
  params?: Params<E>;
}

/**
 * Calls an endpoint: `call<typeof listApiKeys>('GET /v1/organizations/{orgId}/api-keys', { query })`. Throws a `Refusal`; a
 * proof of presence and a session that is over are asked for over the page before.
 */
export type ConsoleCall = <E extends EndpointDefinition>(
  target: Target<E>,
  request?: ConsoleRequest<E>,
) => Promise<z.infer<E['response']>>;

/** Fetches what a GET serves as a file. */
export type Download = <E extends EndpointDefinition>(
  target: Target<E>,
  request?: ConsoleRequest<E>,
) => Promise<Blob>;

/** The service's address: this file stands below `{baseUrl}/console/assets/`. */
export const getBaseUrl = (): string =>
  new URL(/* @vite-ignore */ '../..', import.meta.url).href.replace(/\/$/, '');

/** Returns the call without any question to the member, for signing in and for the questions themselves. */
export const createPlainCall = (baseUrl: string): Call =>
  createCall(
    baseUrl,
    async () => {
      const session = await send(`${baseUrl}/console/session`, { method: 'GET' });
      return (session as Session).csrfToken;
    },
    {
      answers: createAnswerCache(),
      complete: createCompleter(async () => import('virtual:answer-shapes')),
    },
  );

interface CallDeps {
  baseUrl: string;
  plainCall: Call;
  prompts: Prompts;
  organizationId: string;
}

export function createConsoleCall({ baseUrl, plainCall, prompts, organizationId }: CallDeps): {
  call: ConsoleCall;
  download: Download;
} {
  return {
    call: (target, { params, ...rest } = {}) =>
      sendGuarded(
        () => plainCall(target, { ...rest, params: { ...params, orgId: organizationId } } as never),
        prompts,
      ).catch((error: unknown) => {
        throw explainMissing(error, params);
      }),
    download: (target, { params, query } = {}) => {
      const path = target.replace(/^GET /, '');
      const url = baseUrl + buildUrl(path, { ...params, orgId: organizationId }, query ?? {});
      return sendGuarded(() => fetchFile(url), prompts);
    },
  };
}
