import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** What the service answers in the place of what it would, of what cannot be brought about in passing. */
export interface StagedAnswers {
  /** `url` is a pattern as Playwright has them; of several that fit, the last counts. */
  answer(url: string, status: number, body: object): void;
  /** Never answered, as while the service is slow. */
  holdBack(url: string | RegExp): void;
  /** Another script than the page's own of that path, for as long as the service runs. */
  serveScript(path: RegExp, text: string): void;
  /** The service answers for itself again, but for scripts. */
  clear(): void;
}

interface Staged {
  url: RegExp;
  reply(response: ServerResponse): void;
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
    const found = [...staged, ...scripts].find(({ url }) =>
      url.test(`http://${request.headers.host}${request.url}`),
    );
    if (found) found.reply(response);
    else for (const listener of serve) listener.call(server, request, response);
  });
  return {
    answer(url, status, body) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      const reply = (response: ServerResponse): void =>
        void response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body));
      staged.unshift({ url: toExpression(url), reply });
    },
    holdBack: (url) => void staged.unshift({ url: toExpression(url), reply: () => undefined }),
    serveScript(path, text) {
      const headers = { 'content-type': 'text/javascript', 'cache-control': 'no-store' };
      scripts.push({ url: path, reply: (response) => void response.writeHead(200, headers).end(text) });
    },
    clear: () => void (staged = []),
  };
}

/** `**` is anything, `*` anything within a segment; all else is itself. */
function toExpression(glob: string | RegExp): RegExp {
  if (glob instanceof RegExp) return glob;
  const parts = glob
    .split(/(\*+)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('')}$`);
}
