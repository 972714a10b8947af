import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { en } from '../harness/words.ts';
import {
  newBrowser,
  waitForScreen,
  openBrowserFixtures,
  press,
  waitUntilStill,
  type BrowserFixtures,
} from '../harness/page.ts';
import { ROOT } from '../harness/process.ts';
import { newTestPatient, type TestPatient } from '../harness/service.ts';

let fixtures: BrowserFixtures;
let patient: TestPatient;
before(async () => {
  fixtures = await openBrowserFixtures();
  patient = await newTestPatient(fixtures.service, { consent: false });
});
after(() => fixtures.stop());

/** What a phone on a slow line can wait for: 150 kB are three seconds at 400 kbit/s. */
const BUDGET = 150_000;

interface Script {
  path: string;
  gzipped: number;
}

/** What draws the evidence, by the name that the build gives it. */
const LIBRARY = /^\/consent\/assets\/snapdom-[\w-]+\.js$/;
const OURS = /^\/consent\/(?:assets\/[\w.-]+|portal\/(?:main|assets\/[\w.-]+))\.js$/;

/** What is still in the cache is loaded without a body. */
const readScript = async (response: Response): Promise<Buffer> =>
  response.status() === 304 ? Buffer.alloc(0) : response.body();

/** Every script that a tab loads, in the order it is asked for, between the answers of the service. */
function watchScripts(tab: Page) {
  const scripts: Promise<Script>[] = [];
  const order: string[] = [];
  tab.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === fixtures.service.baseUrl) order.push(pathname);
  });
  tab.on('response', (response) => {
    const { origin, pathname: path } = new URL(response.url());
    if (response.request().resourceType() !== 'script') return;
    assert.equal(origin, fixtures.service.baseUrl);
    assert.match(path, OURS);
    scripts.push(readScript(response).then((body) => ({ path, gzipped: gzipSync(body).length })));
  });
  return { scripts: async () => Promise.all(scripts), order };
}

/** Of what everybody loads who opens the console, and of what one page of it adds; charts are loaded apart. */
const CONSOLE_BUDGET = 180_000;
const CONSOLE_PAGE_BUDGET = 60_000;

/** What draws charts and reads CSV, whichever page loads it. */
const CONSOLE_LIBRARIES = /^(?:bar-drawing|line-drawing|plot|marker|papaparse|write-csv)/;

describe('the scripts of the console', () => {
  const folder = path.join(ROOT, 'web/console/dist/assets');
  const files = new Map(
    fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, fs.readFileSync(path.join(folder, name))]),
  );
  const measure = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').length, 0);

  /** What a script imports at once, and what that imports; itself included. */
  function collectImports(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    const text = String(files.get(name) ?? '');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      collectImports(imported, seen);
    return seen;
  }

  it('stay below their budget: what is loaded first, and what each page adds', () => {
    const html = fs.readFileSync(path.join(ROOT, 'web/console/dist/index.html'), 'utf8');
    const entry = /<script[^>]+src="\.\/assets\/([\w.-]+)"/.exec(html)?.[1] ?? '';
    const first = collectImports(entry);
    const size = measure(first);
    assert.ok(size > 50_000 && size <= CONSOLE_BUDGET, `${size} bytes: ${[...first].join(', ')}`);
    const pages = [...files.keys()].filter((name) => !first.has(name) && !CONSOLE_LIBRARIES.test(name));
    assert.ok(pages.length > 3);
    for (const name of pages) {
      const added = measure(collectImports(name).difference(first));
      assert.ok(added <= CONSOLE_PAGE_BUDGET, `${name}: ${added} bytes`);
    }
  });
});

describe('the scripts of the page', () => {
  it('of the review stay below their budget; what draws the evidence comes after it, since a person reads first', async (t) => {
    const browser = await newBrowser(t, fixtures);
    await browser.signIn(patient);
    const tab = await browser.newTab();
    const { scripts, order } = watchScripts(tab);
    const library = tab.waitForResponse((response) => LIBRARY.test(new URL(response.url()).pathname));
    await tab.goto(fixtures.agent.connectUrl());
    await waitForScreen(tab, 'who-is-this');
    await library;
    await press(tab, en.confirmIdentity.yes);
    await waitForScreen(tab, 'review');

    const loaded = await scripts();
    const own = loaded.filter(({ path }) => !LIBRARY.test(path));
    const sum = own.reduce((all, { gzipped }) => all + gzipped, 0);
    assert.ok(sum <= BUDGET, `${sum} bytes: ${JSON.stringify(own)}`);
    assert.equal(loaded.length, own.length + 1);
    const asked = order.findIndex((path) => path.startsWith('/oauth/interaction/'));
    assert.ok(asked !== -1 && order.findIndex((path) => LIBRARY.test(path)) > asked);
  });

  it('that draw the evidence are for a decision only: neither who signs in loads them nor who looks at their data', async (t) => {
    const browser = await newBrowser(t, fixtures);
    const tab = await browser.newTab();
    const { scripts } = watchScripts(tab);
    await tab.goto(fixtures.agent.connectUrl());
    await waitForScreen(tab, 'sign-in');
    await browser.signIn(patient);
    for (const part of [
      '',
      '/record',
      '/activity',
      '/receipts',
      '/documents',
      '/download',
      '/signing-in',
      '/delete-account',
    ]) {
      await tab.goto('about:blank');
      await tab.goto(`${fixtures.service.baseUrl}/consent/#/my-data${part}`);
      await tab.getByRole('heading', { level: 1 }).waitFor();
      await waitUntilStill(tab);
    }
    const loaded = await scripts();
    assert.ok(loaded.length > 10);
    assert.deepEqual(
      loaded.filter(({ path }) => LIBRARY.test(path)),
      [],
    );
  });
});
