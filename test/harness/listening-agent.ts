import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildAuthorizePath,
  postForm,
  createPkce,
  registerClient,
  type QueryParameters,
} from './authorization.ts';
import type { HttpResponse, TestService } from './service.ts';

/** What a browser brought to the redirect URI. */
interface Visit {
  answer: Record<string, string>;
  referer: string | undefined;
  cookie: string | undefined;
}

/** A client with a redirect URI that somebody listens at: only what arrives there counts, not what a page shows. */
export interface ListeningAgent {
  clientId: string;
  origin: string;
  redirectUri: string;
  /** Where it sends a browser to connect. */
  connectUrl(more?: QueryParameters): string;
  readonly visits: readonly Visit[];
  exchange(code: string | undefined, more?: QueryParameters): Promise<HttpResponse>;
  stop(): Promise<void>;
}

/** On `localhost`, not on the service's 127.0.0.1: another site, so a cookie of ours has no business there. */
export async function startListeningAgent(
  service: TestService,
  metadata: object = {},
): Promise<ListeningAgent> {
  const visits: Visit[] = [];
  const server = http.createServer(({ url = '', headers: { referer, cookie } }, response) => {
    const answer = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
    visits.push({ answer, referer, cookie });
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>The agent</title><h1>Connected</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  const client = await registerClient(service, { redirect_uris: [redirectUri], ...metadata });
  const clientId = client.client_id as string;
  const { verifier, challenge } = createPkce();
  return {
    clientId,
    origin,
    redirectUri,
    visits,
    connectUrl: (more) =>
      service.baseUrl + buildAuthorizePath({ clientId, challenge }, { redirect_uri: redirectUri, ...more }),
    exchange: (code, more) =>
      postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
        ...more,
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
