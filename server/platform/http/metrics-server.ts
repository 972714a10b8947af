import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { notFound, unauthorized } from '../kernel/refusal.ts';
import { hashSecret, verifySecret } from '../kernel/secret.ts';
import { parseBearerToken } from './access.ts';

export interface MetricsConfig {
  /** A port beside the public one; null: none. */
  port: number | null;
  /** The token that scraping needs; null: none, and nothing is served on the public port. */
  token: string | null;
}

/** Says whether anybody can read them. */
export const areServed = ({ port, token }: MetricsConfig): boolean => port !== null || token !== null;

/** Throws 401 without the token; without any configured, the public port has no metrics (404). */
export function requireMetricsToken({ token }: MetricsConfig, authorization: string | undefined): void {
  if (token === null) throw notFound('The path');
  if (!hasToken(token, authorization)) throw unauthorized();
}

function hasToken(token: string, authorization: string | undefined): boolean {
  const sent = parseBearerToken(authorization);
  return sent !== null && verifySecret(sent, hashSecret(token));
}

export interface MetricsServer {
  /** Where it listens, `http://127.0.0.1:9464/metrics`. */
  address: string;
  close(): Promise<void>;
}

/** Serves `GET /metrics` on its own port, for networks that the public port is not in. */
export async function listenForMetrics(
  registry: Pick<Registry, 'metrics' | 'contentType'>,
  { host, port, token }: { host: string; port: number; token: string | null },
): Promise<MetricsServer> {
  const server = http.createServer((request, response) => {
    const { url = '', method, headers } = request;
    const answer = (status: number, body = ''): void => void response.writeHead(status).end(body);
    if (url.split('?')[0] !== '/metrics') return answer(404);
    if (method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    if (token !== null && !hasToken(token, headers.authorization))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    registry.metrics().then(
      (text) => void response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => answer(503),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
