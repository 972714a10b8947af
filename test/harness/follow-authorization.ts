import { getRedirectParameters, decideRequest, getRequestId, waitUntilReady } from './authorization.ts';
import { runNode, type ExitResult } from './process.ts';
import type { TestBrowser } from './test-browser.ts';

interface Options {
  decision?: 'grant' | 'deny';
}

/**
 * What a patient's browser does with the authorization URL that a program opened in it: follows it to the consent page,
 * decides, waits, and goes on. Answers the address that it was led back to, with the answer in its query.
 */
export async function followAuthorization(
  browser: TestBrowser,
  authorizationUrl: URL | string,
  { decision = 'grant' }: Options = {},
): Promise<URL> {
  const { pathname, search } = new URL(authorizationUrl);
  const started = await browser.get(pathname + search);
  if (started.status !== 303)
    throw new Error(`led nowhere: ${started.status} ${JSON.stringify(started.body)}`);
  if ('error' in getRedirectParameters(started)) return new URL(started.headers.get('location') ?? '');
  const requestId = getRequestId(started);
  const decided = await decideRequest(browser, requestId, decision);
  if (decided.status !== 200) throw new Error(`not decided: ${JSON.stringify(decided.body)}`);
  await waitUntilReady(browser, requestId);
  const done = await browser.get(`/oauth/complete/${requestId}`);
  return new URL(done.headers.get('location') ?? '');
}

interface RunOptions {
  environment?: Record<string, string>;
  /** Goes to where the program says; answers where it was led back to. */
  open(authorizationUrl: URL): Promise<URL>;
}

/** Runs a program that prints an authorization URL for somebody to open, and listens on this device for the answer. */
export async function runWithAuthorization(
  script: string,
  args: readonly string[],
  { environment = {}, open }: RunOptions,
): Promise<ExitResult> {
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
