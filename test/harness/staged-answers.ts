import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Of a request that is answered as if nothing were staged. */
const UNCHANGED = 'x-staged-answer-unchanged';

/** What the service answers in the place of what it would, of what cannot be brought about in passing. */
export interface StagedAnswers {
  /** `url` is a pattern as Playwright has them; of several that fit, the last counts. */
  answer(url: string, status: number, body: object): void;
  /** What the service itself answers to a GET, all of it, with a change. */
  change(url: string, change: (body: never) => object): void;
  /** Never answered, as while the service is slow. */
  holdBack(url: string | RegExp): void;
  /** Another script than the page's own of that path, for as long as the service runs. */
  serveScript(path: RegExp, text: string): void;
  /** The service answers for itself again, but for scripts. */
  clear(): void;
}

interface Staged {
  url: RegExp;
  /** Only requests of this method. */
  method?: string;
  reply(response: ServerResponse, request: IncomingMessage): unknown;
}

/**
 * Answers before the service does. Playwright's own `route` does so in the browser, which then takes every script anew and
 * compiles it: half of what coming to a page costs.
 */
export function stageAnswers(server: Server): StagedAnswers {
  let staged: Staged[] = [];
  const scripts: Staged[] = [];
  const serve = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const address = `http://${request.headers.host}${request.url}`;
    const found = [...staged, ...scripts].find(
      ({ url, method = request.method }) => method === request.method && url.test(address),
    );
    if (found && !(UNCHANGED in request.headers)) found.reply(response, request);
    else for (const listener of serve) listener.call(server, request, response);
  });
  return {
    answer(url, status, body) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      const reply = (response: ServerResponse): void =>
        void response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body));
      staged.unshift({ url: toExpression(url), reply });
    },
    change(url, change) {
      const reply = async (response: ServerResponse, request: IncomingMessage): Promise<unknown> => {
        const answer = await askUnchanged(request);
        const body: unknown = await answer.json();
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        const text = JSON.stringify(answer.ok ? change(body as never) : body);
        return response.writeHead(answer.status, headers).end(text);
      };
      staged.unshift({ url: toExpression(url), method: 'GET', reply });
    },
    holdBack: (url) => void staged.unshift({ url: toExpression(url), reply: () => undefined }),
    serveScript(path, text) {
      const headers = { 'content-type': 'text/javascript', 'cache-control': 'no-store' };
      scripts.push({ url: path, reply: (response) => void response.writeHead(200, headers).end(text) });
    },
    clear: () => void (staged = []),
  };
}

/** Asks the service the same again, of the same person. */
const askUnchanged = ({ headers, url }: IncomingMessage): Promise<Response> =>
  fetch(`http://${headers.host}${url}`, {
    headers: { [UNCHANGED]: '1', cookie: headers.cookie ?? '', authorization: headers.authorization ?? '' },
  });

/** `**` is anything, `*` anything within a segment; all else is itself. */
function toExpression(glob: string | RegExp): RegExp {
  if (glob instanceof RegExp) return glob;
  const parts = glob
    .split(/(\*+)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('')}$`);
}
