import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';

/** What the module needs of a browser. */
function stageBrowser(stored: string | null, answer: () => Promise<{ ok: boolean }>) {
  const listeners: (() => void)[] = [];
  const browser = {
    reloads: 0,
    stored,
    /** As Vite says it of a file that is gone. */
    missFile: () => listeners.forEach((listener) => listener()),
  };
  Object.assign(globalThis, {
    addEventListener: (type: string, listener: () => void) => {
      assert.equal(type, 'vite:preloadError');
      listeners.push(listener);
    },
    location: { href: 'https://service.example/console', reload: () => void browser.reloads++ },
    fetch: answer,
    sessionStorage: {
      getItem: () => browser.stored,
      setItem: (_key: string, value: string) => void (browser.stored = value),
    },
  });
  return browser;
}

/** Its types are those of a browser, so it is not imported by name. */
const importAnew = (query: string) =>
  import(`./reload-on-new-build.ts${query}`) as Promise<{
    reloadOnNewBuild(): void;
    loadPart<Part>(load: () => Promise<Part>): Promise<Part>;
  }>;

const served = async () => ({ ok: true });
const gone = (): Promise<never> => Promise.reject(new Error('the file is gone'));
const settle = (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'loaded',
      () => 'failed',
    ),
    new Promise<string>((resolve) => setImmediate(resolve, 'waits')),
  ]);

const { fetch } = globalThis;
afterEach(() => {
  for (const name of ['addEventListener', 'location', 'sessionStorage'])
    Reflect.deleteProperty(globalThis, name);
  Object.assign(globalThis, { fetch });
});

it('a page that was left open over a deployment is loaded anew, once, and shows no failure meanwhile', async () => {
  const browser = stageBrowser(null, served);
  const { loadPart, reloadOnNewBuild } = await importAnew('');
  reloadOnNewBuild();
  assert.equal(await settle(loadPart(gone)), 'failed', 'for another reason');
  browser.missFile();
  browser.missFile();
  assert.equal(await settle(loadPart(gone)), 'waits');
  assert.equal(browser.reloads, 1);

  // The page as it is after the reload, where the file is still missing.
  const again = stageBrowser(browser.stored, served);
  const reloaded = await importAnew('?again');
  reloaded.reloadOnNewBuild();
  again.missFile();
  assert.equal(await settle(reloaded.loadPart(gone)), 'failed');
  assert.equal(again.reloads, 0);
});

it('a page whose file is missed while the service does not answer stays as it is, until the service is back', async () => {
  let answer: () => Promise<{ ok: boolean }> = gone;
  const browser = stageBrowser(null, () => answer());
  const { loadPart, reloadOnNewBuild } = await importAnew('?down');
  reloadOnNewBuild();
  // A balancer that has no node to ask answers 502.
  for (const down of [gone, async () => ({ ok: false })]) {
    answer = down;
    browser.missFile();
    assert.equal(await settle(loadPart(gone)), 'failed');
  }
  assert.equal(browser.reloads, 0);
  answer = served;
  browser.missFile();
  assert.equal(await settle(loadPart(gone)), 'waits');
  assert.equal(browser.reloads, 1);
});
