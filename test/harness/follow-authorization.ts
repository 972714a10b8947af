import { answeredWith, decideRequest, requestIdOf, untilReady } from './authorization.ts';
import { runNode, type Ended } from './process.ts';
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

interface Run {
  environment?: Record<string, string>;
  /** Goes to where the program says; answers where it was led back to. */
  open(authorizationUrl: URL): Promise<URL>;
}

/** Runs a program that prints an authorization URL for somebody to open, and listens on this device for the answer. */
export async function runAsking(
  script: string,
  args: readonly string[],
  { environment = {}, open }: Run,
): Promise<Ended> {
  const failed = new AbortController();
  let opened: Promise<unknown> | undefined;
  const onOutput = (written: string): void => {
    const [url] = /http\S+\/oauth\/authorize\?\S+(?=\s)/.exec(written) ?? [];
    if (url === undefined || opened) return;
    opened = open(new URL(url)).then((answer) => fetch(answer));
    opened.catch(() => failed.abort());
  };
  try {
    return await runNode(script, args, { environment, onOutput, signal: failed.signal });
  } finally {
    await opened;
  }
}
