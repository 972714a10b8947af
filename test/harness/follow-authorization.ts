import { answeredWith, decideRequest, requestIdOf, untilReady } from './authorization.ts';
import type { Visitor } from './visitor.ts';

interface Options {
  decision?: 'grant' | 'deny';
}

/**
 * What a patient's browser does with the authorization URL that a program opened in it: follows it to the consent page,
 * decides, waits, and goes on. Answers the address that it was led back to, with the answer in its query.
 */
export async function followAuthorization(
  browser: Visitor,
  authorizationUrl: URL | string,
  { decision = 'grant' }: Options = {},
): Promise<URL> {
  const { pathname, search } = new URL(authorizationUrl);
  const begun = await browser.get(pathname + search);
  if (begun.status !== 303) throw new Error(`led nowhere: ${begun.status} ${JSON.stringify(begun.body)}`);
  if ('error' in answeredWith(begun)) return new URL(begun.headers.get('location') ?? '');
  const requestId = requestIdOf(begun);
  const decided = await decideRequest(browser, requestId, decision);
  if (decided.status !== 200) throw new Error(`not decided: ${JSON.stringify(decided.body)}`);
  await untilReady(browser, requestId);
  const done = await browser.get(`/oauth/complete/${requestId}`);
  return new URL(done.headers.get('location') ?? '');
}
