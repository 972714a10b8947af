import assert from 'node:assert/strict';
import { call, type HttpResponse } from '../harness/service.ts';

/** What a browser that navigates sends. */
export const NAVIGATION_HEADERS = { accept: 'text/html,application/xhtml+xml' };

/**
 * RFC 6749 §4.1.2.1: the request is refused, in JSON and in a page, and neither redirects or repeats a word of
 * what was sent. Answers the error.
 */
export async function assertNotRedirected(service: { baseUrl: string }, path: string): Promise<string> {
  const answer = await call(service, path);
  assert.equal(answer.status, 400, `${path}: ${answer.status} ${answer.headers.get('location')}`);
  assert.deepEqual(Object.keys(answer.body as object), ['error', 'error_description']);
  const page = await call(service, path, { headers: NAVIGATION_HEADERS });
  assert.equal(page.status, 400);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  for (const { headers, body } of [answer, page]) {
    assert.equal(headers.get('location'), null);
    assert.equal(headers.get('refresh'), null);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    assert.doesNotMatch(text, /evil|http-equiv|href=|<script|<form|<a /i);
  }
  return answer.body.error as string;
}

/** Led back to exactly that redirect URI, with an answer in its query and nothing in a fragment. Answers the parameters. */
export function assertRedirectedToClient(
  { status, headers }: HttpResponse,
  redirectUri: string,
): Record<string, string> {
  assert.equal(status, 303);
  const location = headers.get('location') ?? '';
  assert.equal(
    location.slice(0, redirectUri.length + 1),
    redirectUri + (redirectUri.includes('?') ? '&' : '?'),
  );
  assert.doesNotMatch(location, /[#\s]/);
  const parameters = [...new URLSearchParams(location.slice(redirectUri.length + 1))];
  assert.equal(new Set(parameters.map(([name]) => name)).size, parameters.length, `${location}: one of each`);
  return Object.fromEntries(parameters);
}

/** Led to the consent page, with no code on the way. */
export function assertRedirectedToConsent(
  service: { baseUrl: string },
  { status, headers }: HttpResponse,
): void {
  const location = headers.get('location') ?? '';
  assert.equal(status, 303, location);
  assert.ok(location.startsWith(`${service.baseUrl}/consent/#/patient-consent/`), location);
  assert.doesNotMatch(location, /cgc_/);
}
