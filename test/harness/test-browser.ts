import type { Clock } from '../../server/platform/kernel/clock.ts';
import { call, type HttpResponse } from './service.ts';

/** Headers to send besides, or instead of, those of our own page; undefined leaves one out. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** A browser on our page: keeps cookies, and proves with each POST that the page sent it. */
export interface TestBrowser {
  get(url: string, headers?: RequestHeaders): Promise<HttpResponse>;
  /** With `x-csrf-token` and `origin` as the page sends them; `headers` can say otherwise. */
  post(url: string, json?: unknown, headers?: RequestHeaders): Promise<HttpResponse>;
  /** By name; a test may read, plant and take away. */
  readonly cookies: Map<string, string>;
  /** From `GET /account/session`, asked for once. */
  csrfToken(): Promise<string>;
  /** The time where the browser is: the service's. */
  now(): Date;
}

/** `always`: headers of every request, such as the origin of a page behind a proxy. */
export function createTestBrowser(
  service: { baseUrl: string; clock?: Clock },
  defaultHeaders: RequestHeaders = {},
): TestBrowser {
  const cookies = new Map<string, string>();
  let token: Promise<string> | undefined;

  const request = async (
    method: string,
    url: string,
    options: { json?: unknown; headers: RequestHeaders },
  ) => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...defaultHeaders, ...options.headers };
    const answer = await call(service, url, { method, json: options.json, headers: dropUndefined(headers) });
    storeCookies(cookies, answer.headers.getSetCookie());
    return answer;
  };
  const csrfToken = (): Promise<string> =>
    (token ??= request('GET', '/account/session', { headers: {} }).then(
      ({ body }) => body.csrfToken as string,
    ));

  return {
    cookies,
    csrfToken,
    now: () => service.clock?.now() ?? new Date(),
    get: (url, headers = {}) => request('GET', url, { headers }),
    async post(url, json, headers = {}) {
      const own = { 'x-csrf-token': await csrfToken(), origin: new URL(service.baseUrl).origin };
      return request('POST', url, { json, headers: { ...own, ...defaultHeaders, ...headers } });
    },
  };
}

const dropUndefined = (headers: RequestHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** RFC 6265 §5.2, as far as one host's cookies on the path / need it. */
function storeCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = '', attributes = ''] = /^([^=;]+)=([^;]*)(.*)$/.exec(line) ?? [];
    const expires = /;\s*expires=([^;]+)/i.exec(attributes)?.[1];
    const isExpired =
      /;\s*max-age=0\b/i.test(attributes) || (expires !== undefined && Date.parse(expires) <= Date.now());
    if (isExpired) cookies.delete(name);
    else cookies.set(name, value);
  }
}
