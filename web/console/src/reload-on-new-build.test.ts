import assert from 'node:assert/strict';
import { it } from 'node:test';

/** What the module needs of a browser. */
function stageBrowser(stored: string | null) {
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
    location: { reload: () => void browser.reloads++ },
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

const gone = (): Promise<never> => Promise.reject(new Error('the file is gone'));
const settle = (promise: Promise<unknown>): Promise<string> =>
  Promise.race([
    promise.then(
      () => 'loaded',
      () => 'failed',
    ),
    new Promise<string>((resolve) => setImmediate(resolve, 'waits')),
  ]);

it('a page that was left open over a deployment is loaded anew, once, and shows no failure meanwhile', async (t) => {
  t.after(() => {
    for (const name of ['addEventListener', 'location', 'sessionStorage'])
      Reflect.deleteProperty(globalThis, name);
  });
  const browser = stageBrowser(null);
  const { loadPart, reloadOnNewBuild } = await importAnew('');
  reloadOnNewBuild();
  assert.equal(await settle(loadPart(gone)), 'failed', 'for another reason');
  browser.missFile();
  browser.missFile();
  assert.equal(browser.reloads, 1);
  assert.equal(await settle(loadPart(gone)), 'waits');

  // The page as it is after the reload, where the file is still missing.
  const again = stageBrowser(browser.stored);
  const reloaded = await importAnew('?again');
  reloaded.reloadOnNewBuild();
  again.missFile();
  assert.equal(again.reloads, 0);
  assert.equal(await settle(reloaded.loadPart(gone)), 'failed');
});
