import type { FetchLike } from '@modelcontextprotocol/client';

const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const SIMPLE_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/;
const SIMPLE_HEADERS = new Set(['accept', 'accept-language', 'content-language']);
const SAFELISTED_HEADERS = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires'];

/**
 * `fetch` as a page of this origin has it (https://fetch.spec.whatwg.org/#http-cors-protocol, without credentials): it
 * asks beforehand where a browser asks, fails where a browser fails, and shows no header that a browser hides.
 */
export function createPageFetch(origin: string): FetchLike {
  return async (url, init = {}) => {
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const unsafe = [...headers].filter(([name, value]) => !isSimple(name, value)).map(([name]) => name);
    if (unsafe.length > 0 || !SIMPLE_METHODS.has(method))
      await sendPreflight(url, { origin, method, unsafe });
    headers.set('origin', origin);
    const answer = await fetch(url, { ...init, headers });
    if (!isOriginAllowed(answer, origin))
      throw new TypeError(`CORS: ${method} ${String(url)} may not be read`);
    return filterHeaders(answer);
  };
}

const isSimple = (name: string, value: string): boolean =>
  SIMPLE_HEADERS.has(name) || (name === 'content-type' && SIMPLE_TYPES.test(value));

const isOriginAllowed = ({ headers }: Response, origin: string): boolean =>
  ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');

async function sendPreflight(
  url: string | URL,
  { origin, method, unsafe }: { origin: string; method: string; unsafe: string[] },
): Promise<void> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': unsafe.toSorted().join(','),
    },
  });
  const getAllowed = (kind: string): string[] =>
    (answer.headers.get(`access-control-allow-${kind}`) ?? '').toLowerCase().split(/ *, */);
  // `*` is for no `authorization` header.
  const refused = unsafe.filter((name) => !getAllowed('headers').includes(name));
  const methodRefused = !SIMPLE_METHODS.has(method) && !getAllowed('methods').includes(method.toLowerCase());
  if (!answer.ok || !isOriginAllowed(answer, origin) || methodRefused || refused.length > 0) {
    const what = [answer.status, methodRefused && method, ...refused].filter(Boolean).join(' ');
    throw new TypeError(`CORS: the preflight of ${method} ${String(url)} is refused: ${what}`);
  }
}

function filterHeaders(answer: Response): Response {
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/ *, */);
  const shown = [...answer.headers].filter(
    ([name]) => SAFELISTED_HEADERS.includes(name) || exposed.includes(name),
  );
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers: shown });
}
