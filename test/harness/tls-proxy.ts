import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, buildConnector, fetch as fetchThrough } from 'undici';
import { certificate, startTlsServer } from './tls/server.ts';

export interface TlsProxy {
  /** Requests by the public name, through the proxy, as everybody out there makes them; all others as ever. */
  fetch: typeof fetch;
  stop(): Promise<void>;
}

/**
 * A proxy as operators have it: TLS under a public name (`*.agent.example`), plain HTTP to the service on loopback, `Host` as
 * it came, and who asked in `X-Forwarded-For`.
 */
export async function startTlsProxy(publicUrl: string, targetPort: number): Promise<TlsProxy> {
  const { origin, hostname } = new URL(publicUrl);
  const listener = await startTlsServer((request, response) => pass(request, response, targetPort));
  const connectTo = buildConnector({ ca: certificate });
  const dispatcher = new Agent({
    connect: (options, callback) =>
      connectTo(
        { ...options, hostname: '127.0.0.1', port: String(listener.port), servername: hostname },
        callback,
      ),
  });
  const ownFetch = globalThis.fetch;
  const throughProxy = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) return ownFetch(input, init);
    return fetchThrough(url, { ...(init as object), dispatcher });
  };
  return {
    fetch: throughProxy,
    async stop() {
      await dispatcher.destroy();
      await listener.stop();
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, port: number): void {
  const headers = {
    ...request.headers,
    'x-forwarded-for': request.socket.remoteAddress,
    'x-forwarded-proto': 'https',
  };
  const { method, url: path } = request;
  const upstream = http.request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}
