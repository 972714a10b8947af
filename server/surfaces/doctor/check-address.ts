import https from 'node:https';
import http from 'node:http';
import type { TLSSocket } from 'node:tls';
import { MAX_UPLOAD_BYTES } from '../../../contract/account/uploads.ts';
import { explainConnectionError } from '../../platform/db/database-fault.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../platform/db/store-clock.ts';
import { isLoopbackHost } from '../../platform/http/base-url.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { createNameResolver } from '../../platform/outbound/resolve-name.ts';
import { createFinding, type Finding } from './finding.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

/** Certificates are renewed 30 days before their end; two weeks before it that has failed. */
const RENEWAL_DAYS = 14;

/** What the form around an archive takes at most. */
const FORM_BYTES = 64 * 1024;

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
  if (isLoopbackHost(hostname) || /^[\d.]+$|:/.test(hostname)) return createFinding('name_not_needed');
  const found = await createNameResolver()(hostname).catch(() => []);
  const addresses = found.map(({ address }) => address).join(', ');
  return found.length > 0
    ? createFinding('name_known', { hostname, addresses })
    : createFinding('name_unknown', { hostname });
}

const get = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });

async function checkHealth(baseUrl: string): Promise<Finding> {
  try {
    const { status } = await get(`${baseUrl}/healthz`);
    return status === 200
      ? createFinding('reachable', { baseUrl })
      : createFinding('other_answers', { baseUrl, status });
  } catch (error) {
    return createFinding('unreachable', { baseUrl, reason: explainConnectionError(error) });
  }
}

async function checkReadiness(baseUrl: string): Promise<Finding[]> {
  const response = await get(`${baseUrl}/readyz`);
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  const ready =
    response.status === 200
      ? createFinding('ready')
      : code === 'clocks_differ'
        ? createFinding('clocks_differ')
        : createFinding('not_ready', { reason: code ?? response.status });
  return [ready, checkClock(response.headers.get('date'))];
}

/** A `Date` header has whole seconds. */
function checkClock(date: string | null): Finding {
  if (date === null) return createFinding('clock_unknown');
  const difference = Math.abs(new Date(date).getTime() + 500 - systemClock.now().getTime());
  return difference <= MAX_CLOCK_DIFFERENCE_MS + 500
    ? createFinding('clock_ok')
    : createFinding('clock_wrong', { seconds: Math.round(difference / 1000) });
}

async function checkIssuer(baseUrl: string): Promise<Finding> {
  const response = await get(`${baseUrl}/.well-known/oauth-authorization-server`);
  const { issuer, code } = (await response.json().catch(() => ({}))) as { issuer?: string; code?: string };
  if (issuer === baseUrl) return createFinding('issuer_ok');
  if (code === 'host_not_allowed') return createFinding('host_refused');
  return issuer === undefined
    ? createFinding('issuer_unknown')
    : createFinding('issuer_differs', { issuer, baseUrl });
}

/** An MCP client finds the authorization server by this header alone. */
async function checkChallenge(baseUrl: string): Promise<Finding> {
  const { status, headers } = await get(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  const challenge = headers.get('www-authenticate') ?? '';
  return status === 401 && challenge.includes(`resource_metadata="${baseUrl}/`)
    ? createFinding('challenge_ok')
    : createFinding('challenge_missing', { status });
}

/** Announces the largest upload without sending it; common proxies take 1 MB where nothing is set: who refuses it unseen is the proxy, since the service asks for a token first. */
async function checkLargeUpload(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl}/v1/patients/00000000-0000-4000-8000-000000000000/upload-documents`;
  const { status } = await announce(url, MAX_UPLOAD_BYTES + FORM_BYTES);
  const megabytes = MAX_UPLOAD_BYTES / 1024 ** 2;
  return createFinding(status === 413 ? 'uploads_refused' : 'uploads_ok', { megabytes });
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
  if (certificateEndsAt === null) return createFinding('certificate_unknown');
  const days = Math.floor((certificateEndsAt.getTime() - systemClock.now().getTime()) / DAY_MS);
  return createFinding(days >= RENEWAL_DAYS ? 'certificate_ok' : 'certificate_ends', { days });
}

async function checkPlainHttp(baseUrl: string): Promise<Finding> {
  const { hostname } = new URL(baseUrl);
  const status = await get(`http://${hostname}/healthz`).then(
    (response) => response.status,
    () => null,
  );
  return status === 200 ? createFinding('plain_http', { hostname }) : createFinding('no_plain_http');
}
