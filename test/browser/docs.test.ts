import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../harness/chromium.ts';
import { DESKTOP, NARROW, screenshot } from '../harness/page.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { createInspector } from './axe.ts';

let service: TestService;
let chromium: Browser;
before(async () => {
  [service, chromium] = await Promise.all([startTestService(), openChromium()]);
});
after(() => service.stop());

/** A page of each kind. */
const PAGES = [
  '/docs/',
  '/docs/start/partners',
  '/docs/webhooks',
  '/docs/api/webhooks',
  '/docs/files/compose-yaml',
];

const { listViolations } = createInspector();

async function assertPage(tab: Page, path: string): Promise<void> {
  const answer = await tab.goto(service.baseUrl + path);
  assert.equal(answer?.status(), 200, path);
  assert.match(
    (await answer?.headerValue('content-security-policy')) ?? '',
    /^default-src 'none'; script-src 'self'/,
  );
  const width = await tab.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= NARROW.width, `${path} is wider than the window: ${width}`);
  for (const [viewport, colorScheme] of [
    [NARROW, 'light'],
    [DESKTOP, 'dark'],
    [NARROW, 'dark'],
    [DESKTOP, 'light'],
  ] as const) {
    await tab.setViewportSize(viewport);
    await tab.emulateMedia({ colorScheme });
    const isChecked = (viewport === NARROW) === (colorScheme === 'light');
    if (isChecked)
      assert.deepEqual(
        await listViolations(tab, colorScheme === 'dark' ? 'colours' : 'all'),
        [],
        `${path} ${viewport.width} ${colorScheme}`,
      );
    await screenshot(tab, `${path.replaceAll('/', '_')}-${colorScheme}-${viewport.width}`);
  }
  await tab.setViewportSize(NARROW);
}

describe('the first page and the documentation', () => {
  it('are accessible at 320 px and on a desktop, light and dark, and break no rule of their policy', async () => {
    for (const locale of ['en-US', 'es-MX']) {
      const context = await chromium.newContext({ locale, viewport: NARROW });
      const tab = await context.newPage();
      const complaints: string[] = [];
      tab.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      await assertPage(tab, '/');
      assert.equal(await tab.locator('html').getAttribute('lang'), locale.slice(0, 2));
      if (locale === 'en-US') for (const path of PAGES) await assertPage(tab, path);
      assert.deepEqual(complaints, []);
      await context.close();
    }
  });

  it('lead each reader on from `/`, whose language can be chosen', async () => {
    const context = await chromium.newContext({ locale: 'en-US', viewport: NARROW });
    const tab = await context.newPage();
    await tab.goto(`${service.baseUrl}/`);
    await tab.getByRole('link', { name: 'Español' }).click();
    await tab.getByRole('heading', { name: 'Sus propios datos de salud' }).waitFor();
    await tab.goto(`${service.baseUrl}/`);
    await tab.getByRole('link', { name: 'Connect an agent' }).click();
    await tab.getByRole('heading', { level: 1, name: 'For builders of agents' }).waitFor();
    await tab.locator('summary').click();
    await tab
      .getByRole('navigation', { name: 'All pages' })
      .getByRole('link', { name: 'Webhooks' })
      .first()
      .click();
    await tab.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await tab.goto(`${service.baseUrl}/`);
    await tab.getByRole('link', { name: 'Open your data' }).click();
    await tab.waitForURL(/\/consent\/#\/my-data$/);
    await context.close();
  });

  it('are addresses in JSON for programs at `/`, and a page of what is missing where there is none', async () => {
    const answer = await fetch(`${service.baseUrl}/`);
    assert.equal(answer.headers.get('vary'), 'Accept, Accept-Language');
    const index = (await answer.json()) as Record<string, string>;
    for (const name of ['documentation', 'openapi', 'authorizationServer'])
      assert.equal((await fetch(index[name] ?? '')).status, 200, name);
    const unknown = await fetch(`${service.baseUrl}/?lang=fr`, { headers: { accept: 'text/html' } });
    assert.equal(unknown.status, 400);
    const moved = await fetch(`${service.baseUrl}/docs`, { redirect: 'manual' });
    assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/docs/']);
    for (const path of ['/docs/none', '/docs/../package.json', '/docs/%2e%2e/package.json'])
      assert.equal((await fetch(service.baseUrl + path)).status, 404, path);
  });
});
