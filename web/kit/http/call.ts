import type { z } from 'zod';
import type { EndpointDefinition, PathParameters } from '../../../contract/endpoint.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Completer } from './complete-answer.ts';
import { Refusal } from './refusal.ts';
import { sendFile } from './send-file.ts';
import { send } from './send.ts';

/** Method and path as in the contract, so that a misspelling does not compile. */
export type Target<E extends EndpointDefinition> = `${E['method']} ${E['path']}`;

export interface CallOptions<E extends EndpointDefinition> {
  /** The values for the braces of the path. */
  params?: Record<keyof PathParameters<E['path']>, string>;
  query?: E['query'] extends z.ZodType ? z.input<E['query']> : never;
  body?: E['body'] extends z.ZodType ? z.input<E['body']> : never;
  /** It is sent though the page is left; for small bodies. */
  keepalive?: boolean;
  /** Sent instead of a body where the endpoint takes `multipart/form-data`. */
  file?: { blob: Blob; name: string; onProgress(fraction: number): void };
}

export type Call = <E extends EndpointDefinition>(
  target: Target<E>,
  options?: CallOptions<E>,
) => Promise<z.infer<E['response']>>;

/**
 * Returns a function that calls the service at `baseUrl`; it keeps the CSRF token, which `fetchCsrfToken` asks the app's
 * session for, and renews it once when it is refused. With `answers`, what has not changed is not sent again; with `complete`,
 * what is read has every field that the page knows.
 */
export function createCall(
  baseUrl: string,
  fetchCsrfToken: () => Promise<string>,
  { answers, complete }: { answers?: AnswerCache; complete?: Completer } = {},
): Call {
  let csrfToken: string | null = null;
  const refreshCsrfToken = async (): Promise<string> => (csrfToken = await fetchCsrfToken());

  return async (target, { params = {}, query = {}, body, keepalive = false, file } = {}) => {
    const [method = 'GET', path = ''] = target.split(' ');
    const url = baseUrl + buildUrl(path, params, query as object);
    if (method === 'GET') {
      const answer = await send(url, { method, answers });
      return (complete ? await complete(target, answer) : answer) as never;
    }
    const post = async (token: string) => {
      const headers = { 'x-csrf-token': token };
      if (file)
        return sendFile(url, { headers, form: buildForm(file), onProgress: file.onProgress }) as never;
      if (body === undefined) return send(url, { method, headers }) as never;
      const json = { 'content-type': 'application/json', ...headers };
      return send(url, { method, headers: json, keepalive, body: JSON.stringify(body) }) as never;
    };
    try {
      return await post(csrfToken ?? (await refreshCsrfToken()));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'csrf')) throw error;
      return await post(await refreshCsrfToken());
    }
  };
}

/** Returns the path with its braces filled in, and the query behind it. */
export const buildUrl = (path: string, params: Readonly<Record<string, string>>, query: object): string =>
  fillPath(path, params) + buildQuery(query);

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function buildQuery(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function buildForm({ blob, name }: { blob: Blob; name: string }): FormData {
  const form = new FormData();
  form.append('file', blob, name);
  return form;
}
