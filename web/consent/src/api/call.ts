import type { z } from 'zod';
import type { EndpointDefinition } from '../../../../contract/endpoint.ts';
import type { Session } from '../../../../contract/account.ts';
import { Refusal } from './refusal.ts';

/** Method and path as the contract has them: what is misspelt here does not compile. */
type Target<E extends EndpointDefinition> = `${E['method']} ${E['path']}`;

interface Sent<E extends EndpointDefinition> {
  requestId?: string;
  body?: E['body'] extends z.ZodType ? z.input<E['body']> : never;
}

export type Call = <E extends EndpointDefinition>(
  target: Target<E>,
  sent?: Sent<E>,
) => Promise<z.infer<E['response']>>;

/** Calls the service below `root`; keeps the proof that a request comes from this page and renews it once if refused. */
export function caller(root: string): Call {
  let csrfToken: string | null = null;

  const renewedToken = async (): Promise<string> => {
    const session = (await send(`${root}/account/session`, { method: 'GET' })) as z.infer<typeof Session>;
    return (csrfToken = session.csrfToken);
  };

  return async (target, { requestId = '', body } = {}) => {
    const [method = 'GET', path = ''] = target.split(' ');
    const url = root + path.replace('{requestId}', encodeURIComponent(requestId));
    if (method === 'GET') return send(url, { method }) as never;
    const post = async (token: string) =>
      send(url, {
        method,
        headers: { 'x-csrf-token': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }) as never;
    try {
      return await post(csrfToken ?? (await renewedToken()));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'csrf')) throw error;
      return await post(await renewedToken());
    }
  };
}

interface Sending {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

async function send(url: string, init: Sending): Promise<unknown> {
  const response = await fetch(url, {
    ...init,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { accept: 'application/json', ...init.headers },
  }).catch(() => {
    throw new Refusal(0, 'unreachable');
  });
  if (response.status === 204) return undefined;
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw new Refusal(response.status, codeIn(answer), retryTime(response.headers.get('retry-after')));
}

const codeIn = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

/** RFC 9110 §10.2.3, in seconds. */
const retryTime = (seconds: string | null): Date | null =>
  seconds !== null && /^\d{1,6}$/.test(seconds) ? new Date(Date.now() + Number(seconds) * 1000) : null;
