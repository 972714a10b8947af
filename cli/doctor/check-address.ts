import https from 'node:https';
import http from 'node:http';
import type { TLSSocket } from 'node:tls';
import { explainConnectionError } from '../../server/platform/db/database-fault.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../server/platform/db/store-clock.ts';
import { isLoopbackHost } from '../../server/platform/http/base-url.ts';
import { createNameResolver } from '../../server/platform/outbound/resolve-name.ts';
import { failed, ok, skipped, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** Certificates are renewed 30 days before their end; two weeks before it that has failed. */
const RENEWAL_DAYS = 14;

/** What an archive of a hospital stay may have; common proxies take 1 MB where nothing is set. */
const LARGE_UPLOAD_BYTES = 256 * 1024 ** 2;

/** Checks the service under its base URL, as whoever does not know it: names, TLS, the proxy in front, clocks. */
export async function checkAddress(baseUrl: string): Promise<Finding[]> {
  const { protocol, hostname } = new URL(baseUrl);
  const name = await checkName(hostname);
  if (name.outcome === 'failed') return [name];
  const health = await checkHealth(baseUrl);
  if (health.outcome === 'failed') return [name, health];
  return [
    name,
    health,
    ...(await checkReadiness(baseUrl)),
    await checkIssuer(baseUrl),
    await checkChallenge(baseUrl),
    await checkLargeUpload(baseUrl),
    ...(protocol === 'https:' ? [await checkCertificate(baseUrl), await checkPlainHttp(baseUrl)] : []),
  ];
}

async function checkName(hostname: string): Promise<Finding> {
  if (isLoopbackHost(hostname) || /^[\d.]+$|:/.test(hostname))
    return skipped('name_servers', 'The base URL has no name to look up.');
  const addresses = await createNameResolver()(hostname).catch(() => []);
  return addresses.length > 0
    ? ok('name_servers', `${hostname} is ${addresses.map(({ address }) => address).join(', ')}.`)
    : failed(
        'name_servers',
        `No name server knows ${hostname}.`,
        'Add the name to your DNS, or correct CHARTGATE_BASE_URL; on this machine, look at /etc/resolv.conf.',
      );
}

const get = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });

async function checkHealth(baseUrl: string): Promise<Finding> {
  try {
    const { status } = await get(`${baseUrl}/healthz`);
    if (status === 200) return ok('reachable', `${baseUrl} answers.`);
    return failed(
      'reachable',
      `${baseUrl}/healthz answers ${status}: something else answers there.`,
      'Let the proxy hand every path of this address to the service, unchanged.',
    );
  } catch (error) {
    return failed(
      'reachable',
      `${baseUrl} does not answer: ${explainConnectionError(error)}.`,
      'Start the service, and let the proxy and the firewall hand this address to it.',
    );
  }
}

async function checkReadiness(baseUrl: string): Promise<Finding[]> {
  const response = await get(`${baseUrl}/readyz`);
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  const ready =
    response.status === 200
      ? ok('ready', 'The store answers.')
      : failed(
          'ready',
          `The service is not ready: ${code ?? response.status}.`,
          code === 'clocks_differ'
            ? 'Synchronize the clocks of the nodes and of the database server (NTP).'
            : 'Look at the log of the node, and at the database.',
        );
  return [ready, checkClock(response.headers.get('date'))];
}

/** A `Date` header has whole seconds. */
function checkClock(date: string | null): Finding {
  if (date === null) return skipped('clock', 'The answer has no Date header.');
  const difference = Math.abs(new Date(date).getTime() + 500 - Date.now());
  return difference <= MAX_CLOCK_DIFFERENCE_MS + 500
    ? ok('clock', 'The clock of the service is that of this machine.')
    : failed(
        'clock',
        `The clocks of the service and of this machine are ${Math.round(difference / 1000)} seconds apart.`,
        'Synchronize both (NTP): tokens and consents end by them.',
      );
}

async function checkIssuer(baseUrl: string): Promise<Finding> {
  const response = await get(`${baseUrl}/.well-known/oauth-authorization-server`);
  const { issuer, code } = (await response.json().catch(() => ({}))) as { issuer?: string; code?: string };
  if (issuer === baseUrl) return ok('issuer', 'The service calls itself by its base URL.');
  if (code === 'host_not_allowed')
    return failed(
      'issuer',
      'The service refuses the Host header that arrives: the proxy sends another one.',
      'Let the proxy pass the Host header on unchanged.',
    );
  return failed(
    'issuer',
    `The service calls itself ${issuer ?? 'nothing'}, and not ${baseUrl}: OAuth clients refuse that.`,
    'Set CHARTGATE_BASE_URL of every node to the address that clients use.',
  );
}

/** An MCP client finds the authorization server by this header alone. */
async function checkChallenge(baseUrl: string): Promise<Finding> {
  const { status, headers } = await get(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const challenge = headers.get('www-authenticate') ?? '';
  if (status === 401 && challenge.includes(`resource_metadata="${baseUrl}/`))
    return ok('challenge', 'An agent without a token learns where to get one.');
  return failed(
    'challenge',
    `POST /mcp without a token answers ${status}${challenge === '' ? ' without WWW-Authenticate' : ''}: agents cannot sign in.`,
    'Let the proxy pass on 401 and the WWW-Authenticate header, and ask for no password of its own.',
  );
}

/** Announces an upload without sending it: who refuses it unseen is the proxy, since the service asks for a token first. */
async function checkLargeUpload(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl}/v1/patients/00000000-0000-4000-8000-000000000000/upload-documents`;
  const { status } = await announce(url, LARGE_UPLOAD_BYTES);
  const megabytes = LARGE_UPLOAD_BYTES / 1024 ** 2;
  return status === 413
    ? failed(
        'large_uploads',
        `A proxy refuses uploads of ${megabytes} MB.`,
        'Raise its limit (nginx: client_max_body_size 0; the service has limits of its own).',
      )
    : ok('large_uploads', `Nothing in front refuses uploads of ${megabytes} MB.`);
}

interface Answer {
  status: number;
  /** When the certificate ends; null without TLS. */
  certificateEndsAt: Date | null;
}

/** Sends the headers of a request with a body, and ends it at the first answer. */
function announce(url: string, contentLength: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    expect: '100-continue',
    'content-type': 'multipart/form-data; boundary=chartgate',
    'content-length': contentLength,
  };
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'POST', headers, timeout: TIMEOUT_MS });
  const answer = (status: number): void => {
    const valid = (sent.socket as TLSSocket | null)?.getPeerCertificate?.().valid_to;
    resolve({ status, certificateEndsAt: valid === undefined ? null : new Date(valid) });
    sent.destroy();
  };
  sent
    .once('continue', () => answer(100))
    .once('response', ({ statusCode }) => answer(statusCode ?? 0))
    .once('timeout', () => answer(0))
    .once('error', reject)
    .flushHeaders();
  return promise;
}

async function checkCertificate(baseUrl: string): Promise<Finding> {
  const { certificateEndsAt } = await announce(`${baseUrl}/v1/auth/token`, 2);
  if (certificateEndsAt === null) return skipped('certificate', 'The end of the certificate is not known.');
  const days = Math.floor((certificateEndsAt.getTime() - Date.now()) / DAY_MS);
  return days >= RENEWAL_DAYS
    ? ok('certificate', `The certificate is valid for ${days} days more.`)
    : warning(
        'certificate',
        `The certificate ends in ${days} days.`,
        'Renew it; where that happens by itself, look why it did not.',
      );
}

async function checkPlainHttp(baseUrl: string): Promise<Finding> {
  const { hostname } = new URL(baseUrl);
  const status = await get(`http://${hostname}/healthz`).then(
    (response) => response.status,
    () => null,
  );
  return status === 200
    ? warning(
        'plain_http',
        `http://${hostname} serves too: who types the name without https sends tokens in the clear.`,
        'Let the proxy redirect port 80 to https, and send Strict-Transport-Security.',
      )
    : ok('plain_http', 'Nothing is served without TLS.');
}
